package live.retwis.account;

import java.util.Optional;

import live.retwis.i18n.Message;
import live.retwis.testing.HostileText;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import org.springframework.http.HttpCookie;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever comes as a name, a password, a cookie or the name of a browser. */
class AccountFuzzTests {

	@Provide
	Arbitrary<String> texts() {
		return HostileText.upTo(20_000);
	}

	@Provide
	Arbitrary<String> headers() {
		return HostileText.headers(8_000);
	}

	@Property
	void aPasswordIsGoodOrHasOneFault(@ForAll("texts") String password, @ForAll("texts") String name) {
		Object fault = HostileText.inTime(() -> Optional.ofNullable(new PasswordRules().fault(password, name)))
			.orElse(null);
		int length = password.codePointCount(0, password.length());
		boolean goodButCommon = Message.of("register.password-common").equals(fault);
		assertThat(fault == null || goodButCommon).isEqualTo(length >= PasswordRules.SHORTEST
				&& length <= PasswordRules.LONGEST && !password.equalsIgnoreCase(name));
	}

	@Property
	void aValidNameStaysValidWhenFolded(@ForAll("texts") String name) {
		if (HostileText.inTime(() -> UsernameRules.isValid(name))) {
			assertThat(UsernameRules.fold(name)).matches(UsernameRules::isValid)
				.isEqualTo(UsernameRules.fold(UsernameRules.fold(name)));
		}
	}

	@Property
	void aCookieIsASessionOrAbsent(@ForAll("headers") String value) {
		MockServerWebExchange exchange = MockServerWebExchange
			.from(MockServerHttpRequest.get("/").cookie(new HttpCookie("auth", value)));
		assertThat(HostileText.inTime(() -> SessionCookie.of(exchange)))
			.isEqualTo(value.matches("[0-9A-Z]{13}\\.[A-Za-z0-9_-]{43}")
					? Optional.of(new SessionCookie(value.substring(0, 13), value.substring(14))) : Optional.empty());
	}

	@Property
	void aCookieIsAKnownBrowserOrAbsent(@ForAll("headers") String value) {
		MockServerWebExchange exchange = MockServerWebExchange
			.from(MockServerHttpRequest.get("/").cookie(new HttpCookie("device", value)));
		assertThat(HostileText.inTime(() -> DeviceCookie.of(exchange)))
			.isEqualTo(value.matches("[A-Za-z0-9_-]{43}") ? Optional.of(new DeviceCookie(value)) : Optional.empty());
	}

	@Property
	void aBrowserIsNamedFromAFixedList(@ForAll("headers") String header) {
		UserAgent userAgent = HostileText.inTime(() -> UserAgent.of(header));
		assertThat(userAgent.stored()).hasSizeLessThan(30).matches("[A-Za-z ]*/[A-Za-z]*");
		assertThat(UserAgent.parse(userAgent.stored())).isEqualTo(userAgent);
	}

}
