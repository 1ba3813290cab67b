package live.retwis.web;

import java.net.InetSocketAddress;
import java.util.List;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import live.retwis.startup.StartupException;
import live.retwis.testing.Answer;
import live.retwis.testing.RawHttp;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Headers from a trusted load balancer are believed, and the same headers from others are
 * not.
 */
class TrustedProxiesTests {

	private final Site behind = Site.limited();

	private Answer tryFrom(String address) {
		Visitor visitor = Visitor.from(address, this.behind);
		visitor.get("/login");
		return visitor.submit("/login", "username", Visitor.freshName(), "password", "wrong password");
	}

	@Test
	void logInsAreCountedForTheClientAndNotForTheProxy() {
		for (int i = 0; i < 20; i++) {
			assertThat(tryFrom("203.0.113.7").status()).isEqualTo(401);
		}
		assertThat(tryFrom("203.0.113.7").status()).isEqualTo(429);
		assertThat(tryFrom("198.51.100.1, 203.0.113.7, 10.1.2.3").status()).isEqualTo(429);
		assertThat(tryFrom("203.0.113.8").status()).isEqualTo(401);
	}

	@Test
	void cookiesAreSecureWhenTheClientCameToTheProxyOverTls() {
		List<String> over = Visitor.of(this.behind).get("/login", "X-Forwarded-Proto", "https").cookies();
		List<String> without = Visitor.of(this.behind).get("/login").cookies();
		List<String> unasked = Visitor.of(Site.shared()).get("/login", "X-Forwarded-Proto", "https").cookies();
		assertThat(over).isNotEmpty().allMatch((cookie) -> cookie.contains("Secure"));
		assertThat(without).isNotEmpty().noneMatch((cookie) -> cookie.contains("Secure"));
		assertThat(unasked).isNotEmpty().noneMatch((cookie) -> cookie.contains("Secure"));
	}

	@Test
	void overTlsBrowsersAreToldToStayThereAndWhereToReport() {
		Answer over = Visitor.of(this.behind).get("/login", "X-Forwarded-Proto", "https");
		assertThat(over.header("Strict-Transport-Security")).matches("max-age=[1-9]\\d{6,}.*");
		String group = over.header("Content-Security-Policy").replaceFirst(".*report-to ([\\w-]+).*", "$1");
		assertThat(over.header("Reporting-Endpoints")).contains(group + "=\"").contains("/csp-reports");
		assertThat(Visitor.of(this.behind).get("/login").header("Strict-Transport-Security")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "https,https://127.0.0.1:PORT,303", "https,https://www.example.com,303",
			"https,http://127.0.0.1:PORT,403", "http,https://127.0.0.1:PORT,403" })
	void theOriginOfAFormIsComparedWithWhatTheProxySays(String proto, String origin, int status) {
		Visitor visitor = Visitor.from(Visitor.freshAddress(), this.behind).sending("X-Forwarded-Proto", proto);
		if (proto.equals("https")) {
			// The client keeps secure cookies back, because it speaks plain HTTP here.
			String[] cookie = visitor.get("/register").cookies().get(0).split("[=;]");
			visitor.plant(cookie[0], cookie[1], "/");
		}
		visitor.get("/register");
		visitor.sending("Origin", origin.replace("PORT", Integer.toString(this.behind.port())));
		Answer answer = visitor.register(Visitor.freshName(), Visitor.PASSWORD);
		assertThat(answer.status()).isEqualTo(status);
		assertThat(answer.cookies()).allMatch((cookie) -> cookie.startsWith("__Host-") && proto.equals("https"));
	}

	@Test
	void theOperatorsContactIsShownAndTheirNamesAreKnown() {
		assertThat(Visitor.of(this.behind).get("/.well-known/security.txt").body())
			.containsPattern("^Contact: mailto:security@example.com\nExpires: 20.*Z\n");
		assertThat(Visitor.of(Site.shared()).get("/.well-known/security.txt").status()).isEqualTo(404);
		assertThat(RawHttp.getFrom("balancer:1", this.behind.managementPort(), "/actuator/health/liveness"))
			.startsWith("HTTP/1.1 200");
	}

	@Test
	void aRequestKeepsTheNumberThatTheProxyGaveIt() {
		Visitor visitor = Visitor.of(this.behind);
		for (String number : List.of("4a7bd2", "A-Za_z.0", "x".repeat(64))) {
			assertThat(visitor.get("/timeline", "X-Request-Id", number).header("X-Request-Id")).isEqualTo(number);
		}
		assertThat(Visitor.ofManagement(this.behind)
			.get("/actuator/health/liveness", "X-Request-Id", "4a7bd2")
			.header("X-Request-Id")).isEqualTo("4a7bd2");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "two words", "<b>", "a=b", "{}", "a/b" })
	void aRequestNumberWithOtherCharactersIsReplaced(String sent) {
		assertReplaced(Visitor.of(this.behind).get("/timeline", "X-Request-Id", sent));
	}

	@Test
	void aRequestNumberThatIsTooLongIsReplaced() {
		assertReplaced(Visitor.of(this.behind).get("/timeline", "X-Request-Id", "x".repeat(65)));
	}

	private static void assertReplaced(Answer answer) {
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.header("X-Request-Id")).matches("[0-9a-f]{32}");
	}

	@Test
	void aRequestNumberFromAnUntrustedAddressIsIgnored() {
		ServerHttpRequest request = MockServerHttpRequest.get("http://site/login")
			.remoteAddress(new InetSocketAddress("11.0.0.1", 4711))
			.header("X-Request-Id", "4a7bd2")
			.build();
		assertThat(new TrustedProxies(List.of("10.0.0.0/8")).apply(request).getHeaders().containsHeader("X-Request-Id"))
			.isFalse();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			10.0.0.1  | 203.0.113.7                  | 203.0.113.7
			10.0.0.1  | 198.51.100.1, 203.0.113.7    | 203.0.113.7
			10.0.0.1  | 203.0.113.7, 10.9.9.9        | 203.0.113.7
			10.0.0.1  | 10.9.9.8, 10.9.9.9           | 10.9.9.8
			10.0.0.1  | 2001:db8::7                  | 2001:db8:0:0:0:0:0:7
			10.0.0.1  | 203.0.113.7:4711             | 203.0.113.7
			10.0.0.1  | 203.0.113.7, 10.9.9.9:4711   | 203.0.113.7
			10.0.0.1  | [2001:db8::7]:4711           | 2001:db8:0:0:0:0:0:7
			10.0.0.1  | [2001:db8::7]                | 2001:db8:0:0:0:0:0:7
			10.0.0.1  | ::4711                       | 0:0:0:0:0:0:0:4711
			10.0.0.1  | 203.0.113.7:http             | 10.0.0.1
			10.0.0.1  | nonsense                     | 10.0.0.1
			10.0.0.1  | nonsense, 203.0.113.7        | 203.0.113.7
			fd00::1   | 203.0.113.7                  | 203.0.113.7
			11.0.0.1  | 203.0.113.7                  | 11.0.0.1
			""")
	void theClientIsTheLastAddressThatIsNotATrustedProxy(String peer, String chain, String client) {
		ServerHttpRequest request = MockServerHttpRequest.get("http://site/login")
			.remoteAddress(new InetSocketAddress(peer, 4711))
			.header("X-Forwarded-For", chain)
			.header("X-Forwarded-Host", "elsewhere")
			.header("Forwarded", "for=192.0.2.1;proto=https")
			.build();
		ServerHttpRequest believed = new TrustedProxies(List.of("10.0.0.0/8", "fd00::/8")).apply(request);
		assertThat(believed.getRemoteAddress()).isNotNull();
		assertThat(believed.getRemoteAddress().getAddress().getHostAddress()).isEqualTo(client);
		assertThat(believed.getURI()).hasToString("http://site/login");
		HttpHeaders headers = believed.getHeaders();
		assertThat(List.of("X-Forwarded-For", "X-Forwarded-Host", "Forwarded")).noneMatch(headers::containsHeader);
	}

	@Test
	void whatAProxySendsAndNobodyCanReadIsInTheLogOnceAMinute() {
		TrustedProxies proxies = new TrustedProxies(List.of("10.0.0.0/8"));
		ListAppender<ILoggingEvent> lines = new ListAppender<>();
		Logger log = (Logger) LoggerFactory.getLogger(TrustedProxies.class);
		log.addAppender(lines);
		lines.start();
		try {
			for (String chain : List.of("203.0.113.7", "nonsense, 203.0.113.7", "a secret", "nonsense, 10.9.9.9")) {
				proxies.apply(MockServerHttpRequest.get("http://site/login")
					.remoteAddress(new InetSocketAddress("10.0.0.1", 4711))
					.header("X-Forwarded-For", chain)
					.build());
			}
		}
		finally {
			log.detachAppender(lines);
		}
		assertThat(lines.list).singleElement()
			.extracting(ILoggingEvent::getFormattedMessage)
			.asString()
			.contains("X-Forwarded-For", "10.0.0.1")
			.doesNotContain("secret");
	}

	@ParameterizedTest
	@ValueSource(strings = { "10.0.0.0/33", "10.0.0.0/x", "loadbalancer", "", "fd00::/129" })
	void aMalformedNetworkStopsTheStartWithAnExplanation(String text) {
		assertThatExceptionOfType(StartupException.class).isThrownBy(() -> new TrustedProxies(List.of(text)))
			.withMessageContaining("retwis.proxies");
	}

}
