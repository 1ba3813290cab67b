package live.retwis.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;

import live.retwis.files.FileChangeListener;
import live.retwis.files.SiteResourceLoader;
import live.retwis.i18n.Language;
import live.retwis.i18n.Languages;
import live.retwis.i18n.Message;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.MediaTypeFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Serves stylesheet, scripts and icons. They are read into memory at the start, because
 * reading them from the jar would block the event loop. The modules of {@code static/}
 * are joined then, with the texts of each language, so that a page needs one stylesheet
 * and one script of its language. Both go without comments. An address contains a
 * checksum of all files, so that browsers can keep a file for a year. It also contains
 * the language of the page: {@code
 * /assets/1a2b3c4d.zh/site.js}. The files were compressed when the site was built.
 */
@Component
public class StaticFiles implements RouteContributor, FileChangeListener {

	private static final String FOLDER = "static/";

	/** The stylesheet, in which the texts of a language come before the rules. */
	private static final String STYLE = "site.css";

	private static final String ROBOTS = "robots.txt";

	private static final CacheControl FOR_A_DAY = CacheControl.maxAge(Duration.ofDays(1)).cachePublic();

	private static final CacheControl FOR_GOOD = CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();

	private final SiteResourceLoader source;

	private final Languages languages;

	private volatile Content content;

	StaticFiles(SiteResourceLoader source, Languages languages) {
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
		String style = StrippedSource.of(STYLE, text(Objects.requireNonNull(found.remove(STYLE))));
		Map<String, String> modules = new TreeMap<>();
		found.forEach((name, bytes) -> modules.put(name, text(bytes)));
		modules.keySet().removeIf((name) -> !name.endsWith(".js"));
		found.keySet().removeAll(modules.keySet());
		modules.put("texts.js", BrowserTexts.MODULE);
		Map<String, String> scripts = ScriptBundle.of(modules);
		for (Language language : this.languages.all()) {
			found.put(localName(language, STYLE), bytes(BrowserTexts.style(language) + style));
			scripts.forEach(
					(name, script) -> found.put(localName(language, name), bytes(BrowserTexts.fill(script, language))));
		}
		CRC32 checksum = new CRC32();
		Map<String, StaticFile> files = new TreeMap<>();
		found.forEach((name, bytes) -> {
			checksum.update(bytes);
			files.put(name, StaticFile.of(name, bytes));
		});
		return new Content(Map.copyOf(files), Long.toHexString(checksum.getValue()));
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
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
	public void addTo(RouteTable routes) {
		routes
			.get("/assets/{version}/{*name}",
					(request) -> serve(request, file(request.pathVariable("name"), request.pathVariable("version")),
							keep(request.pathVariable("version"))))
			.get("/" + ROBOTS, (request) -> serve(request, this.content.files().get(ROBOTS), FOR_A_DAY));
	}

	private static Mono<ServerResponse> serve(ServerRequest request, @Nullable StaticFile file, CacheControl keep) {
		return (file != null) ? ETagResponse.of(request, file.tag(), keep, () -> send(request, file))
				: ProblemException.notFound(Message.of("error.no-file"));
	}

	private static Mono<ServerResponse> send(ServerRequest request, StaticFile file) {
		List<String> accepted = request.headers().header(HttpHeaders.ACCEPT_ENCODING);
		Optional<ContentCoding> coding = file.smaller()
			.keySet()
			.stream()
			.filter((one) -> one.isIn(accepted))
			.findFirst();
		byte[] bytes = coding.map(file.smaller()::get).orElse(file.content());
		return ServerResponse.ok().contentType(file.type()).headers((headers) -> {
			headers.setContentLength(bytes.length);
			headers.set(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING);
			coding.ifPresent((chosen) -> headers.set(HttpHeaders.CONTENT_ENCODING, chosen.text()));
		}).body((message, context) -> message.writeWith(Mono.just(message.bufferFactory().wrap(bytes))));
	}

	/** The part of a version between the first dot and the first tilde after it. */
	static String languageOf(String version) {
		int dot = version.indexOf('.');
		String language = (dot < 0) ? "" : version.substring(dot + 1);
		int tilde = language.indexOf('~');
		return (tilde < 0) ? language : language.substring(0, tilde);
	}

	/**
	 * The version is the checksum, a dot and the language. {@code retry-scripts.js} may
	 * have added more after a tilde. The language is English in an address that names
	 * none.
	 */
	private @Nullable StaticFile file(String path, String version) {
		Map<String, StaticFile> files = this.content.files();
		String name = path.replaceFirst("^/", "");
		Language language = this.languages.tagged(languageOf(version)).orElse(this.languages.all().get(0));
		StaticFile file = files.get(name);
		return (file != null) ? file : files.get(localName(language, name));
	}

	/**
	 * During an upgrade pages of the new release ask instances of the old one for its
	 * files. What they get must not stay in the browser.
	 */
	private CacheControl keep(String version) {
		return version.startsWith(this.content.checksum() + ".") ? FOR_GOOD : CacheControl.noCache();
	}

	/** The contents of all files. */
	Stream<byte[]> contents() {
		return this.content.files().values().stream().map(StaticFile::content);
	}

	/** The files by their names, and the checksum of all files. */
	private record Content(Map<String, StaticFile> files, String checksum) {
	}

	/**
	 * A file. Its tag is the same however it is encoded.
	 *
	 * @param smaller its compressed forms
	 */
	private record StaticFile(byte[] content, Map<ContentCoding, byte[]> smaller, MediaType type, String tag) {

		static StaticFile of(String name, byte[] content) {
			return new StaticFile(content, CompressedFileStore.find(content),
					MediaTypeFactory.getMediaType(name).orElse(MediaType.APPLICATION_OCTET_STREAM),
					ETagResponse.tag(content));
		}

	}

}
