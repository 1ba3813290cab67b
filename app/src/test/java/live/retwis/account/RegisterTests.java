package live.retwis.account;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.web.util.HtmlUtils;

import static org.assertj.core.api.Assertions.assertThat;

class RegisterTests {

	private final Site site = Site.shared();

	private final Visitor visitor = Visitor.of(this.site);

	@BeforeEach
	void openTheForm() {
		assertThat(this.visitor.get("/register").status()).isEqualTo(200);
	}

	private Answer register(String username, String password, String password2) {
		return this.visitor.submit("/register", "username", username, "password", password, "password2", password2);
	}

	/** A connection that breaks may carry the same command again. */
	@Test
	void aUserWhoseCreationIsSentTwiceIsThere() {
		UserRepository users = this.site.bean(UserRepository.class);
		User user = User.fresh("0SCREATED0001", "createdtwice", "", 1);
		assertThat(users.create(user, "encoded").block()).isTrue();
		assertThat(users.create(user, "encoded").block()).isTrue();
		assertThat(users.create(user, "of another user").block()).isFalse();
		this.site.redis().del(Keys.user(user.id()));
	}

	@Test
	void aCorrectFormAnswers303WithASessionForAYear() {
		Answer answer = register(Visitor.freshName(), Visitor.PASSWORD, Visitor.PASSWORD);
		assertThat(answer.status()).isEqualTo(303);
		assertThat(answer.location()).isEqualTo("/home");
		String cookie = answer.cookies().stream().filter((set) -> set.startsWith("auth=")).findFirst().orElseThrow();
		assertThat(cookie).matches("auth=[0-9A-Z]{13}\\.[A-Za-z0-9_-]{43};.*");
		assertThat(cookie.toLowerCase(Locale.ROOT).split("; "))
			.contains("path=/", "max-age=31536000", "httponly", "samesite=lax")
			.doesNotContain("secure");
		assertThat(this.visitor.isSignedIn()).isTrue();
	}

	@Test
	void theNameIsShownAsItWasTyped() {
		String name = "Aa_" + Visitor.freshName();
		Visitor registered = Visitor.registered(this.site, name);
		assertThat(registered.get("/home").body()).contains("href=\"/@" + name + "\"");
		assertThat(this.site.redis().hget("user:" + registered.id(), "username")).isEqualTo(name);
		assertThat(this.site.redis().get("username:" + name.toLowerCase())).isEqualTo(registered.id());
	}

	@Test
	void theStoreContainsNoPasswordAndNoToken() {
		Visitor registered = Visitor.registered(this.site);
		String token = registered.cookie("auth").substring(14);
		Map<String, String> user = this.site.redis().hgetall("user:" + registered.id());
		assertThat(user.get("password")).startsWith("{bcrypt-sha}").doesNotContain(Visitor.PASSWORD);
		String key = "auth:" + new SessionCookie(registered.id(), token).tokenHash();
		assertThat(key).matches("auth:[0-9a-f]{64}");
		assertThat(this.site.redis().get(key)).contains(registered.id()).doesNotContain(token);
		assertThat(this.site.redis().ttl(key)).isBetween(Duration.ofDays(364).toSeconds(),
				Duration.ofDays(365).toSeconds());
		assertThat(this.site.keys("*" + token + "*")).isEmpty();
		assertThat(user.values()).noneMatch((value) -> value.contains(token));
	}

	@Test
	void anEmptyFormHasOneMessageForEachWrongField() {
		Answer answer = register("", "", "x");
		assertThat(answer.status()).isEqualTo(422);
		assertThat(answer.errors()).containsExactly("Choose a username.", "Use at least 10 characters.",
				"The passwords do not match.");
	}

	@Test
	void aFormWithoutFieldsCountsAsEmpty() {
		assertThat(this.visitor.submit("/register").status()).isEqualTo(422);
	}

	@ParameterizedTest
	@ValueSource(strings = { "with space", "ümlaut", "a-b", "a.b", "@alice", "<b>", "\"quoted\"", "a/b", "名前", " alice",
			"1234567890123456789012345678901" })
	void aMalformedNameIsRefusedAndShownAgain(String name) {
		Answer answer = register(name, Visitor.PASSWORD, Visitor.PASSWORD);
		assertThat(answer.status()).isEqualTo(422);
		assertThat(answer.errors()).containsExactly("Use 1 to 30 letters (a to z), digits or _.");
		assertThat(HtmlUtils.htmlUnescape(answer.find("id=\"register-username\" name=\"username\" value=\"([^\"]*)\"")))
			.isEqualTo(name);
		assertThat(answer.cookies()).noneMatch((cookie) -> cookie.startsWith("auth="));
	}

	@Test
	void aNameCanHaveThirtyCharacters() {
		String name = (Visitor.freshName() + "_".repeat(30)).substring(0, 30);
		assertThat(register(name, Visitor.PASSWORD, Visitor.PASSWORD).status()).isEqualTo(303);
	}

	@Test
	void passwordsAreNeverShownAgain() {
		String password = "secret-of-" + Visitor.freshName();
		for (Answer answer : List.of(register("not valid", password, password),
				register(Visitor.freshName(), password, password + "x"),
				register(Visitor.registered(this.site).name(), password, password))) {
			assertThat(answer.status()).isIn(409, 422);
			assertThat(answer.body()).doesNotContain(password);
		}
	}

	@Test
	void passwordsThatDifferAreRefused() {
		Answer answer = register(Visitor.freshName(), Visitor.PASSWORD, Visitor.PASSWORD + " ");
		assertThat(answer.status()).isEqualTo(422);
		assertThat(answer.errors()).containsExactly("The passwords do not match.");
	}

	@Test
	void aPasswordHasTenTo128Characters() {
		assertThat(register(Visitor.freshName(), "😀".repeat(9), "😀".repeat(9)).errors())
			.containsExactly("Use at least 10 characters.");
		assertThat(register(Visitor.freshName(), "ü".repeat(129), "ü".repeat(129)).errors())
			.containsExactly("Use at most 128 characters.");
		assertThat(register(Visitor.freshName(), "😀".repeat(128), "😀".repeat(128)).status()).isEqualTo(303);
	}

	@Test
	void aPasswordThatIsGuessedFirstIsRefused() {
		for (String common : List.of("1234567890", "Basketball", "qwertyuiop", "1QAZ2WSX3EDC", "password123")) {
			assertThat(register(Visitor.freshName(), common, common).errors()).as(common)
				.containsExactly("This is one of the most common passwords, which are guessed first. Choose another.");
		}
		String name = "Name_of_" + Visitor.freshName();
		String same = name.toUpperCase(Locale.ROOT);
		assertThat(register(name, same, same).errors())
			.containsExactly("Your password cannot be your username. Choose another.");
		for (String rare : List.of("basketball courts", "horse horse")) {
			assertThat(register(Visitor.freshName(), rare, rare).status()).as(rare).isEqualTo(303);
		}
	}

	@Test
	void aTakenNameGets409InAnyCaseAndTheInputIsKept() {
		String name = Visitor.registered(this.site).name();
		for (String spelling : List.of(name, name.toUpperCase())) {
			Answer answer = register(spelling, Visitor.PASSWORD, Visitor.PASSWORD);
			assertThat(answer.status()).isEqualTo(409);
			assertThat(answer.errors()).containsExactly("The username " + spelling + " is taken. Choose another.");
			assertThat(answer.body()).contains("value=\"" + spelling + "\"");
			assertThat(answer.cookies()).noneMatch((cookie) -> cookie.startsWith("auth="));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "admin", "Support", "root", "settings", "timeline", "moderator", "lab", "xray", "break",
			"actuator", "static" })
	void aNameThatCouldPassForTheSiteIsRefused(String name) {
		assertThat(register(name, Visitor.PASSWORD, Visitor.PASSWORD).status()).isEqualTo(409);
		assertThat(this.site.redis().get("username:" + name.toLowerCase(Locale.ROOT))).isNull();
	}

	@Test
	void aNewUserIsAmongTheNewestOnThePublicTimeline() {
		String name = Visitor.registered(this.site).name();
		assertThat(this.visitor.get("/timeline").body()).contains("href=\"/@" + name + "\"");
	}

	@Test
	void registeringLeadsBackToThePageOfTheVisitor() {
		Answer answer = this.visitor.submit("/register", "username", Visitor.freshName(), "password", Visitor.PASSWORD,
				"password2", Visitor.PASSWORD, "next", "/timeline?before=x");
		assertThat(answer.location()).isEqualTo("/timeline?before=x");
	}

	@Test
	void aNameThatRefersToNobodyIsFreeAgainAsSoonAsTheDoctorHasRemovedIt() {
		String name = Visitor.freshName();
		this.site.redis().set(Keys.username(name), "0123456789ABC");
		assertThat(Visitor.of(this.site).get("/@" + name).status()).isEqualTo(404);
		this.site.redis().del(Keys.username(name));
		Visitor owner = Visitor.registered(this.site, name);
		assertThat(owner.get("/@" + name).status()).isEqualTo(200);
	}

}
