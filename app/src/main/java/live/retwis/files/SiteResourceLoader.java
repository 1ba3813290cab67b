package live.retwis.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.stereotype.Component;

/**
 * Reads the files of {@code templates/} and {@code static/}.
 */
@Component
public class SiteResourceLoader {

	private final PathMatchingResourcePatternResolver files = new PathMatchingResourcePatternResolver();

	/** Address of the folder that contains both. */
	private final String root;

	SiteResourceLoader(FilesProperties properties) {
		Path folder = properties.folder();
		if (folder != null && !Files.isDirectory(folder.resolve("templates"))) {
			throw new IllegalStateException("retwis.files.folder: there is no folder templates in "
					+ folder.toAbsolutePath() + ". Start the site in the root of the checkout.");
		}
		this.root = (folder != null) ? folder.toUri().toString() : "classpath:";
	}

	/** The files that match a pattern such as {@code static/**}{@code /*.*}. */
	public List<Resource> find(String pattern) {
		try {
			return List.of(this.files.getResources(this.root.replace("classpath:", "classpath*:") + pattern));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The text of a file. */
	public String read(String name) throws IOException {
		Resource file = this.files.getResource(address(name));
		if (!file.exists()) {
			throw new IOException("there is no " + name);
		}
		return file.getContentAsString(StandardCharsets.UTF_8);
	}

	/** The address of a file for {@link #loader}. */
	public String address(String name) {
		return this.root + name;
	}

	/** A loader that opens files by their address. */
	public ResourceLoader loader() {
		return this.files;
	}

}
