package live.retwis.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

import live.retwis.files.FilesListener;
import live.retwis.files.SiteFiles;
import live.retwis.i18n.Language;
import live.retwis.i18n.Languages;
import live.retwis.i18n.Message;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.MediaTypeFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Serves stylesheet, scripts and icons. They are read into memory at the start, because
 * reading them from the jar would block the event loop. An address contains a checksum of
 * all files, so that browsers can keep a file for a year. It also contains the language
 * of the page: {@code /assets/1a2b3c4d.zh/site.js}. This way scripts import each other,
 * and the texts of their language, by relative names.
 */
@Component
public class StaticFiles implements SiteRoutes, FilesListener {

	private static final String FOLDER = "static/";

	private static final CacheControl FOR_GOOD = CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();

	private final SiteFiles source;

	private final Languages languages;

	private volatile Content content;

	StaticFiles(SiteFiles source, Languages languages) {
		this.source = source;
		this.languages = languages;
		this.content = read();
	}

	@Override
	public Stage stage() {
		return Stage.STATIC_FILES;
	}

	@Override
	public void filesChanged() {
		this.content = read();
	}

	private Content read() {
		Map<String, byte[]> found = find();
		for (Language language : this.languages.all()) {
			TextFiles.of(language).forEach((name, text) -> found.put(localName(language, name), text));
		}
		CRC32 checksum = new CRC32();
		Map<String, StaticFile> files = new TreeMap<>();
		found.forEach((name, bytes) -> {
			checksum.update(bytes);
			files.put(name, new StaticFile(bytes,
					MediaTypeFactory.getMediaType(name).orElse(MediaType.APPLICATION_OCTET_STREAM)));
		});
		return new Content(Map.copyOf(files), Long.toHexString(checksum.getValue()));
	}

	private Map<String, byte[]> find() {
		try {
			Map<String, byte[]> found = new TreeMap<>();
			for (Resource resource : this.source.find(FOLDER + "**/*.*")) {
				String url = resource.getURL().toString();
				found.put(url.substring(url.lastIndexOf("/" + FOLDER) + FOLDER.length() + 1),
						resource.getContentAsByteArray());
			}
			return found;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Name under which a file that differs between languages is kept. */
	private static String localName(Language language, String name) {
		return language.tag() + "/" + name;
	}

	/**
	 * Address prefix of all files for pages in the language, without a slash at the end.
	 */
	String prefix(Language language) {
		return "/assets/" + this.content.checksum() + "." + language.tag();
	}

	@Override
	public void addTo(SiteMap site) {
		site.get("/assets/{version}/{*name}", this::serve);
	}

	private Mono<ServerResponse> serve(ServerRequest request) {
		StaticFile file = file(request.pathVariable("name").substring(1), request.pathVariable("version"));
		if (file == null) {
			return ProblemException.notFound(Message.of("error.no-file"));
		}
		return ServerResponse.ok().contentType(file.type()).cacheControl(FOR_GOOD).body((message, context) -> {
			message.getHeaders().setContentLength(file.content().length);
			return message.writeWith(Mono.just(message.bufferFactory().wrap(file.content())));
		});
	}

	/**
	 * The version is the checksum, a dot and the language. {@code retry-scripts.js} may
	 * have added more after a tilde. The language is English in an address that names
	 * none.
	 */
	private @Nullable StaticFile file(String name, String version) {
		Map<String, StaticFile> files = this.content.files();
		String tag = version.replaceFirst("^[^.]*\\.?", "").replaceFirst("~.*$", "");
		Language language = this.languages.tagged(tag).orElse(this.languages.all().get(0));
		StaticFile file = files.get(name);
		return (file != null) ? file : files.get(localName(language, name));
	}

	/** The files by their names, and the checksum of all files. */
	private record Content(Map<String, StaticFile> files, String checksum) {
	}

	private record StaticFile(byte[] content, MediaType type) {
	}

}
