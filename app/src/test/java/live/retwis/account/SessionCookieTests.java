package live.retwis.account;

import org.junit.jupiter.api.Test;

import org.springframework.http.HttpCookie;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class SessionCookieTests {

	private static final String VALUE = "0123456789ABC." + "a".repeat(43);

	private static MockServerWebExchange request(String url, String name) {
		return MockServerWebExchange.from(MockServerHttpRequest.get(url).cookie(new HttpCookie(name, VALUE)));
	}

	@Test
	void overTlsACookieThatAnotherHostCanPlantIsNoSession() {
		assertThat(SessionCookie.of(request("https://a.example/", "auth"))).isEmpty();
		assertThat(SessionCookie.of(request("https://a.example/", "__Host-auth"))).isPresent();
		assertThat(SessionCookie.of(request("http://a.example/", "auth"))).isPresent();
	}

	@Test
	void aMalformedCookieIsNoSession() {
		assertThat(SessionCookie.of(MockServerWebExchange
			.from(MockServerHttpRequest.get("http://a.example/").cookie(new HttpCookie("auth", VALUE + "x")))))
			.isEmpty();
	}

}
