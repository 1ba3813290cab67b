package live.retwis.web;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;

import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.Nginx;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is compressed on its way, and what the client keeps.
 */
class CompressionTests {

	private static final String[] ACCEPT = { "Accept-Encoding", "gzip, deflate" };

	/** Most bytes that gzip and the server put around what is compressed. */
	private static final int AROUND = 30;

	private final Site site = Site.shared();

	private final Visitor visitor = Visitor.of(this.site);

	private final HttpClient client = HttpClient.newHttpClient();

	private HttpResponse<byte[]> compressed(String url) {
		return compressed(url, ACCEPT);
	}

	private HttpResponse<byte[]> compressed(String url, String... headers) {
		try {
			return this.client.send(HttpRequest.newBuilder(URI.create(url))
				.version(HttpClient.Version.HTTP_1_1)
				.timeout(Duration.ofSeconds(10))
				.headers(headers)
				.build(), BodyHandlers.ofByteArray());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(url, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private static String unzipped(HttpResponse<byte[]> answer) {
		assertThat(answer.headers().firstValue("Content-Encoding")).as(answer.uri().getPath()).hasValue("gzip");
		try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private String asset(String name) {
		return this.visitor.get("/login").find("\"(/assets/[0-9a-f]+.en/)site.css\"") + name;
	}

	@Test
	void aStaticFileIsSentCompressedToThoseWhoReadIt() {
		for (String name : List.of("site.css", "site.js", "retry-scripts.js", "lab.js", "icon.svg")) {
			Answer plain = this.visitor.get(asset(name));
			HttpResponse<byte[]> small = compressed(this.site.url(asset(name)));
			assertThat(unzipped(small)).isEqualTo(plain.body());
			assertThat(small.headers().firstValueAsLong("Content-Length")).hasValue(small.body().length);
			assertThat(small.headers().firstValue("Vary")).hasValue("Accept-Encoding");
			assertThat(plain.header("Vary")).isEqualTo("Accept-Encoding");
			assertThat(plain.header("Content-Encoding")).isEmpty();
		}
	}

	@Test
	void scriptsAndTheStylesheetAreSentWithoutLinesThatAreComments() {
		for (String name : List.of("site.css", "site.js", "retry-scripts.js", "lab.js")) {
			assertThat(this.visitor.get(asset(name)).body().lines()).as(name)
				.isNotEmpty()
				.noneMatch((line) -> line.matches("//.*|/\\*.*\\*/|\\s.*|"));
		}
	}

	@Test
	void aPageIsCompressedAtTheLevelThatCostsLittle() {
		HttpResponse<byte[]> small = compressed(this.site.url("/learn"));
		byte[] page = unzipped(small).getBytes(StandardCharsets.UTF_8);
		int atItsLevel = deflated(page, CompressionLevelCustomizer.LEVEL);
		assertThat(deflated(page, Deflater.DEFAULT_COMPRESSION)).isLessThan(atItsLevel);
		assertThat(small.body()).as("with what stands around it").hasSizeBetween(atItsLevel, atItsLevel + AROUND);
	}

	private static int deflated(byte[] content, int level) {
		Deflater deflater = new Deflater(level, true);
		try {
			deflater.setInput(content);
			deflater.finish();
			return deflater.deflate(new byte[content.length]);
		}
		finally {
			deflater.end();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "identity", "zstd", "gzip;q=0", "br;q=0, gzip; q=0.0", "x-gzipped" })
	void noOneIsSentAnEncodingThatTheyDoNotRead(String accepted) {
		assertThat(compressed(this.site.url(asset("site.css")), "Accept-Encoding", accepted).headers()
			.firstValue("Content-Encoding")).isEmpty();
	}

	/** Whether there is an encoder for the system on which the site was built. */
	private static boolean buildHasBrotli() {
		try {
			return new PathMatchingResourcePatternResolver().getResources("classpath:compressed/*.br").length > 0;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void theBuildHasMadeEachCompressedFormOfEachStaticFile() {
		Set<ContentCoding> codings = buildHasBrotli() ? EnumSet.allOf(ContentCoding.class)
				: EnumSet.of(ContentCoding.GZIP);
		assertThat(this.site.bean(StaticFiles.class).contents()).isNotEmpty()
			.allSatisfy((content) -> assertThat(CompressedFileStore.find(content).keySet()).isEqualTo(codings));
	}

	/** The browser tests tell whether a browser can read it. */
	@Test
	void aStaticFileIsSentWithBrotliToThoseWhoReadItIfTheBuildCouldMakeIt() {
		Assumptions.assumeTrue(buildHasBrotli());
		for (String name : List.of("site.css", "site.js", "retry-scripts.js", "lab.js", "icon.svg")) {
			HttpResponse<byte[]> zipped = compressed(this.site.url(asset(name)));
			HttpResponse<byte[]> small = compressed(this.site.url(asset(name)), "Accept-Encoding", "gzip, deflate, br");
			assertThat(small.headers().firstValue("Content-Encoding")).hasValue("br");
			assertThat(small.headers().firstValue("Vary")).hasValue("Accept-Encoding");
			assertThat(small.headers().firstValue("ETag")).isEqualTo(zipped.headers().firstValue("ETag"));
			assertThat(small.body()).as(name).hasSizeLessThan(zipped.body().length);
		}
	}

	@Test
	void aClientThatHasAFileAlreadyIsNotSentItAgain() {
		Answer first = this.visitor.get(asset("site.css"));
		Answer same = this.visitor.get(asset("site.css"), "If-None-Match", first.header("ETag"));
		assertThat(same.status()).isEqualTo(304);
		assertThat(same.body()).isEmpty();
		assertThat(same.header("Cache-Control")).isEqualTo(first.header("Cache-Control")).contains("immutable");
		assertThat(this.visitor.get(asset("site.css"), "If-None-Match", "\"other\"").status()).isEqualTo(200);
	}

	@Test
	void pagesFeedsAndJsonAreCompressedFromOneKilobyteOn() {
		Visitor ada = Visitor.registered(this.site);
		for (int i = 0; i < 5; i++) {
			ada.post("x".repeat(250));
		}
		for (String path : List.of("/@" + ada.name(), "/@" + ada.name() + "/feed", "/nowhere")) {
			HttpResponse<byte[]> page = compressed(this.site.url(path));
			assertThat(unzipped(page)).hasSizeGreaterThan(1024);
		}
		assertThat(unzipped(
				compressed(this.site.url("/@" + ada.name()), "Accept", "application/json", "Accept-Encoding", "gzip")))
			.startsWith("{");
		assertThat(compressed(this.site.url("/robots.txt")).headers().firstValue("Content-Encoding")).hasValue("gzip");
		assertThat(
				compressed(this.site.url("/nowhere"), "Accept", "application/json", "Accept-Encoding", "gzip").headers()
					.firstValue("Content-Encoding"))
			.as("less than that")
			.isEmpty();
	}

	@Test
	void aStreamIsNeverCompressedAlsoAfterAPageOnTheSameConnection() throws Exception {
		assertThat(unzipped(compressed(this.site.url("/timeline")))).contains("</html>");
		HttpRequest stream = HttpRequest.newBuilder(URI.create(this.site.url("/live/public")))
			.version(HttpClient.Version.HTTP_1_1)
			.timeout(Duration.ofSeconds(10))
			.headers(ACCEPT)
			.build();
		HttpResponse<InputStream> events = this.client.send(stream, BodyHandlers.ofInputStream());
		try (InputStream body = events.body()) {
			assertThat(events.headers().firstValue("Content-Encoding")).isEmpty();
			assertThat(new String(body.readNBytes(6), StandardCharsets.UTF_8)).isEqualTo("retry:");
		}
		Visitor ada = Visitor.registered(this.site);
		awaitPost(ada, ada.open("/live/@" + ada.name(), ACCEPT));
	}

	@Test
	void behindNginxPagesAreCompressedAndStreamsAreNot() {
		Nginx.assumeInstalled();
		Visitor ada = Visitor.registered(this.site);
		String instance = this.site.url("").substring("http://".length());
		try (Nginx nginx = Nginx.shipped(instance, instance)) {
			assertThat(unzipped(compressed(nginx.url("/timeline")))).contains("</html>");
			assertThat(unzipped(compressed(nginx.url(asset("site.js"))))).contains("EventSource");
			awaitPost(ada, Visitor.at(nginx.url("")).open("/live/@" + ada.name(), ACCEPT));
		}
	}

	private static void awaitPost(Visitor author, EventStream stream) {
		try (stream) {
			assertThat(stream.header("Content-Encoding")).isEmpty();
			String id = author.post("hello");
			stream.awaitPost("post-" + id);
		}
	}

}
