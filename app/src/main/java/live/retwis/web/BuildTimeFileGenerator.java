package live.retwis.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import live.retwis.files.SiteResourceLoader;
import live.retwis.i18n.Languages;

import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Import;

/**
 * Makes the files that the site does not make when it runs. Maven calls it after
 * compiling: see {@code app/pom.xml}.
 */
public final class BuildTimeFileGenerator {

	private BuildTimeFileGenerator() {
	}

	/**
	 * Makes the files.
	 * @param arguments the folder of the compiled classes, which gets the compressed
	 * static files, and the file of nginx's page
	 */
	public static void main(String... arguments) throws IOException, ReflectiveOperationException {
		LoggingSystem.get(BuildTimeFileGenerator.class.getClassLoader()).beforeInitialize();
		try (AnnotationConfigApplicationContext site = new AnnotationConfigApplicationContext(Parts.class)) {
			CompressedFileStore.make(Path.of(arguments[0]), site.getBean(StaticFiles.class).contents());
			Files.writeString(Path.of(arguments[1]), NginxErrorPage.of(site.getBean(SiteResourceLoader.class),
					site.getBean(Languages.class), site.getBean(Templates.class)));
		}
	}

	/** The parts of the site that these files are made of. */
	@ConfigurationPropertiesScan("live.retwis.files")
	@Import({ SiteResourceLoader.class, Languages.class, StaticFiles.class, Templates.class })
	private static final class Parts {

	}

}
