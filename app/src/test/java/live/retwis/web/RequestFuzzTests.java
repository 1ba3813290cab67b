package live.retwis.web;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import live.retwis.i18n.Languages;
import live.retwis.log.LogPosition;
import live.retwis.logging.LogSanitizer;
import live.retwis.redis.Cursor;
import live.retwis.testing.HostileText;
import live.retwis.testing.Site;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.codec.DecodingException;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever comes in the address, the headers and the body of a request. */
class RequestFuzzTests {

	private static final Duration LIMIT = Duration.ofSeconds(5);

	private static final SiteSecurityProperties NONE = new SiteSecurityProperties(List.of(), List.of(), null);

	private final FormReader forms = new FormReader(ServerWebExchangeMatchers.anyExchange(), new FormOrigins(NONE),
			LIMIT);

	private final TrustedProxies proxies = new TrustedProxies(List.of("10.0.0.0/8", "fd00::/8"));

	@Provide
	Arbitrary<String> texts() {
		return HostileText.upTo(20_000);
	}

	@Provide
	Arbitrary<String> headers() {
		return HostileText.headers(8_000);
	}

	/** What the server makes of the target of a request. */
	@Provide
	Arbitrary<URI> addresses() {
		return Combinators
			.combine(Arbitraries.of("example.com", "a:80", "[::1]:8080", "A_b", "x"), HostileText.headers(300),
					HostileText.headers(300))
			.as((host, path, query) -> "http://" + host + "/" + path + "?" + query)
			.filter(RequestFuzzTests::isAddress)
			.map(URI::create);
	}

	private static boolean isAddress(String text) {
		try {
			return new URI(text).getHost() != null || text.contains("A_b");
		}
		catch (URISyntaxException ex) {
			return false;
		}
	}

	private static ServerHttpRequest get(String header, String value) {
		return MockServerHttpRequest.get("http://site/login").header(header, value).build();
	}

	@Property
	void whateverABrowserReportsIsSummedUpInOneLine(@ForAll("texts") String text, @ForAll("texts") String directive,
			@ForAll("texts") String blocked) {
		JsonMapper json = JsonMapper.shared();
		Map<String, String> report = Map.of("effective-directive", directive, "blocked-uri", blocked, "document-uri",
				text);
		for (String sent : List.of(text, json.writeValueAsString(Map.of("csp-report", report)),
				json.writeValueAsString(List.of(Map.of("body", report))))) {
			assertThat(LogSanitizer.printable(CspReportHandler.summary(sent)).chars())
				.noneMatch(Character::isISOControl);
		}
	}

	@Property
	void aCursorIsReadAsItIsWritten(@ForAll("texts") String text, @ForAll("texts") String key) {
		HostileText.inTime(() -> Cursor.parse(text, key))
			.ifPresent((cursor) -> assertThat(Cursor.parse(cursor.text(key), key)).contains(cursor));
	}

	@Property
	void aPositionIsReadAsItIsWritten(@ForAll("texts") String text) {
		HostileText.inTime(() -> LogPosition.parse(text))
			.ifPresent((position) -> assertThat(LogPosition.parse(position.toString())).contains(position));
	}

	@Property
	void aReturnAddressIsAPathOfThisSite(@ForAll("texts") String text) {
		String address = HostileText.inTime(() -> ReturnAddress.or(text, "/home"));
		assertThat(address).startsWith("/").hasSizeLessThan(2_000);
		URI resolved = URI.create("https://site.example/login").resolve(address.replace("#", "%23"));
		assertThat(resolved.getHost()).isEqualTo("site.example");
	}

	@Property
	void everyBrowserHasALanguage(@ForAll("headers") String accepted, @ForAll("texts") String chosen) {
		Languages languages = Site.shared().bean(Languages.class);
		assertThat(languages.all())
			.contains(HostileText.inTime(() -> languages.of(get(HttpHeaders.ACCEPT_LANGUAGE, accepted))));
		assertThat(languages.all()).containsAll(languages.tagged(chosen).stream().toList());
	}

	@Property
	void whatIsAcceptedIsJsonOrNot(@ForAll("headers") String accepted) {
		HttpHandler page = (request, response) -> Mono
			.fromRunnable(() -> HtmlResponses.wantsJson(request.getHeaders()));
		HostileText.inTime(() -> new MalformedMediaTypeStripper(page)
			.handle(get(HttpHeaders.ACCEPT, accepted), new MockServerHttpResponse())
			.block());
	}

	@Property
	void aProxysWordChangesTheClientAndTheSchemeAlone(@ForAll("addresses") URI address, @ForAll("headers") String chain,
			@ForAll("headers") String number) {
		ServerHttpRequest request = MockServerHttpRequest.method(HttpMethod.GET, address)
			.remoteAddress(new InetSocketAddress("10.0.0.1", 1))
			.header("X-Forwarded-For", chain)
			.header("X-Forwarded-Proto", "https")
			.header("X-Request-Id", number)
			.build();
		ServerHttpRequest believed = HostileText.inTime(() -> this.proxies.apply(request));
		assertThat(believed.getURI()).hasToString(address.toString().replaceFirst("http", "https"));
		assertThat(RateLimitAddress.of(believed.getRemoteAddress())).matches("[0-9.]{7,15}|[0-9a-f:]+/64");
	}

	@Property
	void aFormIsOfThisSiteOnlyIfItsOriginIs(@ForAll("headers") String origin, @ForAll("headers") String site) {
		ServerHttpRequest request = MockServerHttpRequest.post("http://site/login")
			.header("Origin", origin)
			.header("Sec-Fetch-Site", site)
			.build();
		assertThat(HostileText.inTime(() -> new FormOrigins(NONE).accept(request)))
			.isEqualTo((site.equals("same-origin") || site.equals("none"))
					&& (origin.equals("http://site") || origin.equals("null")));
	}

	@Property
	void aPlantedCookieIsDeletedWithABoundedAnswer(@ForAll("hosts") String host) {
		ServerHttpRequest request = MockServerHttpRequest.get("http://" + host + "/")
			.header("Cookie", "auth=a; auth=b")
			.cookie(new HttpCookie("auth", "a"), new HttpCookie("auth", "b"))
			.build();
		MockServerWebExchange exchange = MockServerWebExchange.from((MockServerHttpRequest) request);
		assertThat(HostileText.inTime(() -> new HostPrefixCookie("auth").read(exchange))).isEmpty();
		assertThat(exchange.getResponse().getCookies().values().stream().mapToLong(List::size).sum()).isBetween(1L,
				130L);
	}

	@Provide
	Arbitrary<String> hosts() {
		Arbitrary<String> label = Arbitraries.of("a", "a-b", "com", "1", "x".repeat(70));
		Arbitrary<String> few = label.list().ofMinSize(1).ofMaxSize(10).map((labels) -> String.join(".", labels));
		return Arbitraries.oneOf(few, Combinators.combine(label, Arbitraries.integers().between(1, 4_000))
			.as((one, many) -> (one + ".").repeat(Math.min(many, 8_000 / one.length())) + "com"));
	}

	@Property
	void aFormInOnePieceIsReadOrRefused(@ForAll("texts") String body) {
		assertReadOrRefused("application/x-www-form-urlencoded", body);
	}

	@Property
	void aFormInPartsIsReadOrRefused(@ForAll("parts") String body) {
		assertReadOrRefused("multipart/form-data; boundary=a", body);
	}

	@Property
	void aTypeOfContentIsReadOrRefused(@ForAll("headers") String type, @ForAll("parts") String body) {
		assertReadOrRefused("multipart/form-data; " + type, body);
	}

	@Provide
	Arbitrary<String> parts() {
		Arbitrary<String> disposition = Arbitraries.oneOf(
				HostileText.headers(60).map((text) -> "form-data; name=\"x\"; filename=\"" + text + "\""),
				HostileText.headers(60).map((text) -> "form-data; name=\"x\"; filename*=UTF-8''" + text),
				HostileText.headers(60).map((text) -> "form-data; name=" + text), HostileText.headers(60));
		Arbitrary<String> part = Combinators
			.combine(disposition, HostileText.headers(60), HostileText.upTo(2_000),
					Arbitraries.of("\r\n--a\r\n", "\r\n--a--\r\n", "\n--a\r\n", "\r\n--b", ""))
			.as((head, more, text, end) -> "Content-Disposition: " + head + "\r\nContent-Type: " + more + "\r\n\r\n"
					+ text + end);
		return part.list().ofMaxSize(5).map((list) -> "--a\r\n" + String.join("", list));
	}

	private void assertReadOrRefused(String type, String body) {
		Assume.that(!type.isBlank());
		MockServerHttpRequest request = MockServerHttpRequest.post("http://site/posts")
			.header("Content-Type", type)
			.contentLength(body.getBytes(StandardCharsets.UTF_8).length)
			.body(Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body.getBytes(StandardCharsets.UTF_8))));
		HostileText.inTime(() -> this.forms
			.filter(MockServerWebExchange.from(request),
					(exchange) -> exchange.getFormData().doOnNext((fields) -> assertBounded(fields, body)).then())
			.onErrorResume(RequestFuzzTests::isTheSendersFault, (refused) -> Mono.empty())
			.blockOptional(LIMIT));
	}

	private static void assertBounded(MultiValueMap<String, String> fields, String body) {
		assertThat(
				fields.values().stream().flatMap(List::stream).filter(Objects::nonNull).mapToInt(String::length).sum())
			.isLessThanOrEqualTo(body.length());
	}

	private static boolean isTheSendersFault(Throwable error) {
		return (error instanceof ResponseStatusException refused && refused.getStatusCode().is4xxClientError())
				|| error instanceof DataBufferLimitException
				|| error instanceof DecodingException && error.getCause() instanceof DataBufferLimitException;
	}

}
