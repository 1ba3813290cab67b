package live.retwis.web;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The names of cookies over TLS, and cookies that other hosts have planted.
 */
class HostPrefixCookieTests {

	private static final HostPrefixCookie COOKIE = new HostPrefixCookie("auth");

	private static MockServerWebExchange request(String address, String... cookies) {
		MockServerHttpRequest.BaseBuilder<?> request = MockServerHttpRequest.get(address);
		for (String cookie : cookies) {
			request.cookie(new HttpCookie(cookie.split("=")[0], cookie.split("=")[1]));
		}
		return MockServerWebExchange.from(request);
	}

	private static Iterable<String> set(MockServerWebExchange exchange) {
		return exchange.getResponse()
			.getCookies()
			.values()
			.stream()
			.flatMap((cookies) -> cookies.stream())
			.map(Object::toString)
			.map((cookie) -> cookie.replaceAll("; (Expires=[^;]*|HttpOnly|SameSite=Lax|Max-Age=31536000)", ""))
			.toList();
	}

	@Test
	void overTlsOnlyACookieOfThisHostCounts() {
		MockServerWebExchange exchange = request("https://a.example/", "auth=planted", "__Host-auth=own");
		assertThat(COOKIE.read(exchange)).contains("own");
		assertThat(COOKIE.set(exchange, "x", Duration.ofDays(1)).toString()).startsWith("__Host-auth=x; Path=/;")
			.contains("Secure", "HttpOnly", "SameSite=Lax")
			.doesNotContain("Domain");
		assertThat(COOKIE.read(request("https://a.example/", "auth=planted"))).isEmpty();
		assertThat(COOKIE.read(request("http://a.example/", "auth=own", "__Host-auth=planted"))).contains("own");
	}

	@Test
	void twoCookiesOfTheSameNameCountAsNoneAndAreDeletedWhereverTheyWerePlanted() {
		MockServerWebExchange exchange = request("http://a.b.example/", "auth=own", "auth=planted");
		assertThat(COOKIE.read(exchange)).isEmpty();
		assertThat(set(exchange)).containsExactly("auth=; Path=/; Max-Age=0",
				"auth=; Path=/; Domain=a.b.example; Max-Age=0", "auth=; Path=/; Domain=b.example; Max-Age=0");
		MockServerWebExchange deep = request("http://" + "a.".repeat(100) + "example/", "auth=own", "auth=planted");
		assertThat(COOKIE.read(deep)).isEmpty();
		assertThat(set(deep)).hasSize(5);
		MockServerWebExchange odd = MockServerWebExchange.from(MockServerHttpRequest.get("http://a_-.:80/")
			.header(HttpHeaders.HOST, "-a..b")
			.cookie(new HttpCookie("auth", "a"), new HttpCookie("auth", "b")));
		assertThat(COOKIE.read(odd)).isEmpty();
	}

}
