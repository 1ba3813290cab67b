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
 * Stylesheet, scripts and icons, read into memory once: reading them from the jar for
 * each request would block the event loop. Their addresses carry a checksum of all of
 * them, so that browsers keep them for a year, and the page's language:
 * {@code /assets/1a2b3c4d.zh/site.js}. So scripts import each other, and the texts of
 * their language, by relative names.
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
			TextFiles.of(language).forEach((name, text) -> found.put(own(language, name), text));
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

	/** Name of a file that each language has one of. */
	private static String own(Language language, String name) {
		return language.tag() + "/" + name;
	}

	/**
	 * Address prefix of all files for pages in that language, without a slash at its end.
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
	 * The language stands between the dot and what {@code retry-scripts.js} puts at the
	 * end; it is English in an address that names none.
	 */
	private @Nullable StaticFile file(String name, String version) {
		Map<String, StaticFile> files = this.content.files();
		String tag = version.replaceFirst("^[^.]*\\.?", "").replaceFirst("~.*$", "");
		Language language = this.languages.tagged(tag).orElse(this.languages.all().get(0));
		StaticFile file = files.get(name);
		return (file != null) ? file : files.get(own(language, name));
	}

	/** All files by their names, and the checksum of all. */
	private record Content(Map<String, StaticFile> files, String checksum) {
	}

	private record StaticFile(byte[] content, MediaType type) {
	}

}
