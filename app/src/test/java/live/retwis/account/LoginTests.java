package live.retwis.account;

import java.util.Locale;

import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

import static org.assertj.core.api.Assertions.assertThat;

class LoginTests {

	private final Site site = Site.shared();

	private final Visitor visitor = Visitor.of(this.site);

	private Answer login(String... fields) {
		this.visitor.get("/login");
		return this.visitor.submit("/login", fields);
	}

	@Test
	void everyLogInMakesANewSession() {
		Visitor first = Visitor.registered(this.site);
		Answer answer = login("username", first.name(), "password", Visitor.PASSWORD);
		assertThat(answer.status()).isEqualTo(303);
		assertThat(answer.location()).isEqualTo("/home");
		assertThat(this.visitor.id()).isEqualTo(first.id());
		assertThat(this.visitor.cookie("auth")).isNotEqualTo(first.cookie("auth"));
		assertThat(this.visitor.isSignedIn()).isTrue();
		assertThat(first.isSignedIn()).isTrue();
	}

	@Test
	void aPasswordOfAnEarlierReleaseIsEncodedAnewAtTheLogIn() {
		Visitor user = Visitor.registered(this.site);
		this.site.redis()
			.hset(Keys.user(user.id()), "password", "{bcrypt}" + new BCryptPasswordEncoder(4).encode(Visitor.PASSWORD));
		for (int i = 0; i < 2; i++) {
			assertThat(login("username", user.name(), "password", Visitor.PASSWORD).status()).isEqualTo(303);
			Awaitility.await()
				.untilAsserted(() -> assertThat(this.site.redis().hget(Keys.user(user.id()), "password"))
					.startsWith("{bcrypt-sha}"));
		}
		assertThat(login("username", user.name(), "password", "another password").status()).isEqualTo(401);
	}

	@Test
	void theCaseOfTheNameDoesNotMatter() {
		String name = Visitor.registered(this.site).name();
		assertThat(login("username", name.toUpperCase(Locale.ROOT), "password", Visitor.PASSWORD).status())
			.isEqualTo(303);
	}

	@Test
	void aWrongNameAndAWrongPasswordGetTheSameAnswer() {
		String name = Visitor.registered(this.site).name();
		String nobody = Visitor.freshName();
		Answer wrongPassword = login("username", name, "password", "not the password");
		Answer wrongName = login("username", nobody, "password", Visitor.PASSWORD);
		assertThat(wrongPassword.status()).isEqualTo(401);
		assertThat(wrongName.status()).isEqualTo(401);
		assertThat(wrongPassword.errors()).hasSize(1).isEqualTo(wrongName.errors());
		assertThat(neutral(wrongPassword, name)).isEqualTo(neutral(wrongName, nobody));
		assertThat(wrongPassword.cookies()).noneMatch((cookie) -> cookie.startsWith("auth="));
	}

	private static String neutral(Answer answer, String name) {
		return answer.body().replace(name, "NAME").replaceAll("name=\"_csrf\" value=\"[^\"]*\"", "");
	}

	@Test
	void afterAWrongTryTheFormHasTheNameButNotThePassword() {
		Answer answer = login("username", "some_name", "password", "a wrong password", "next", "/timeline");
		assertThat(answer.body()).contains("value=\"some_name\"", "name=\"next\" value=\"/timeline\"")
			.doesNotContain("a wrong password");
	}

	@ParameterizedTest
	@ValueSource(strings = { "no such name", "<script>", "' OR 1=1", "*", "../user", "a\nb" })
	void aMalformedNameCountsAsAWrongOne(String name) {
		assertThat(login("username", name, "password", Visitor.PASSWORD).status()).isEqualTo(401);
	}

	@Test
	void aPasswordThatIsTooLongCountsAsAWrongOne() {
		String name = Visitor.registered(this.site).name();
		assertThat(login("username", name, "password", "x".repeat(5000)).status()).isEqualTo(401);
	}

	@Test
	void everyEmptyFieldHasAMessage() {
		Answer answer = login("username", "", "password", "");
		assertThat(answer.status()).isEqualTo(422);
		assertThat(answer.errors()).containsExactly("Enter your username.", "Enter your password.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/timeline", "/@alice?before=abc.def.0GH", "/posts/0HNXB4RNZQ9ZV", "/@a/followers" })
	void signingInLeadsToTheAddressInsideTheSite(String next) {
		String name = Visitor.registered(this.site).name();
		Answer answer = login("username", name, "password", Visitor.PASSWORD, "next", next);
		assertThat(answer.location()).isEqualTo(next);
	}

	@ParameterizedTest
	@ValueSource(strings = { "//evil.example", "/\\evil.example", "\\/evil.example", "https://evil.example",
			"http:evil.example", "javascript:alert(1)", "///evil.example", "/\t/evil.example", " //evil.example",
			"evil.example", "/ok\r\nSet-Cookie: a=b", "/a\\b", "" })
	void signingInNeverLeadsToAnotherSite(String next) {
		String name = Visitor.registered(this.site).name();
		Answer answer = login("username", name, "password", Visitor.PASSWORD, "next", next);
		assertThat(answer.status()).isEqualTo(303);
		assertThat(answer.location()).isEqualTo("/home");
	}

	@Test
	void signingInLeadsBackToThePageThatNeededIt() {
		String name = Visitor.registered(this.site).name();
		Answer sent = this.visitor.get("/home");
		assertThat(sent.status()).isEqualTo(303);
		assertThat(sent.location()).isEqualTo("/login?next=%2Fhome");
		String next = this.visitor.get(sent.location()).find("name=\"next\" value=\"([^\"]*)\"");
		Answer answer = this.visitor.submit("/login", "username", name, "password", Visitor.PASSWORD, "next", next);
		assertThat(answer.location()).isEqualTo("/home");
	}

}
