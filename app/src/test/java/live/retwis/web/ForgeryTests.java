package live.retwis.web;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;

import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Forms that another site sends with the cookies of a visitor, and forms of pages that
 * were open for too long.
 */
class ForgeryTests {

	private static final String TEXT = "Lines\n\n<b>and</b> \"quotes\"";

	private static final String KNOWN = "known-to-the-attacker-too";

	private final Site site = Site.shared();

	private final Visitor victim = Visitor.registered(this.site);

	/** The token as a page shows it. The mask is zero. */
	private static String masked(String token) {
		byte[] plain = token.getBytes(StandardCharsets.US_ASCII);
		byte[] masked = Arrays.copyOf(new byte[plain.length], 2 * plain.length);
		System.arraycopy(plain, 0, masked, plain.length, plain.length);
		return Base64.getUrlEncoder().encodeToString(masked);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			-                         | -           | 303
			-                         | same-origin | 303
			-                         | none        | 303
			OWN                       | -           | 303
			OWN                       | same-origin | 303
			null                      | same-origin | 303
			null                      | -           | 403
			null                      | none        | 403
			-                         | cross-site  | 403
			-                         | same-site   | 403
			OWN                       | cross-site  | 403
			OWN                       | same-site   | 403
			https://evil.example      | -           | 403
			https://evil.example      | same-origin | 403
			http://127.0.0.1          | -           | 403
			http://evil.example/OWN   | -           | 403
			OWN.evil.example          | -           | 403
			""")
	void aFormIsTakenOnlyFromAPageOfThisSite(@Nullable String origin, @Nullable String from, int status) {
		this.victim.get("/home");
		if (origin != null) {
			this.victim.sending("Origin", origin.replace("OWN", this.site.url("")));
		}
		if (from != null) {
			this.victim.sending("Sec-Fetch-Site", from);
		}
		Answer answer = this.victim.submit("/posts", "body", TEXT, "once", UUID.randomUUID().toString());
		assertThat(answer.status()).isEqualTo(status);
		assertThat(this.victim.get("/home").texts()).hasSize((status == 303) ? 1 : 0);
		assertThat(answer.body()).doesNotContain("<textarea");
	}

	@Test
	void aPlantedCookieDoesNotMakeItsTokenValid() {
		this.victim.get("/home");
		this.victim.plant("XSRF-TOKEN", KNOWN, "/");
		assertThat(this.victim.submit("/posts", "_csrf", masked(KNOWN), "body", "forged").status()).isEqualTo(403);
		assertThat(this.victim.get("/home").texts()).isEmpty();
	}

	@Test
	void aPlantedCookieDoesNotLogAStrangerIn() {
		Visitor stranger = Visitor.of(this.site);
		stranger.plant("XSRF-TOKEN", KNOWN, "/");
		String[] form = { "_csrf", masked(KNOWN), "username", this.victim.name(), "password", "wrong password" };
		assertThat(stranger.submit("/login", form).status()).as("the token itself is valid").isEqualTo(401);
		stranger.sending("Origin", "https://evil.example");
		form[5] = Visitor.PASSWORD;
		Answer answer = stranger.submit("/login", form);
		assertThat(answer.status()).isEqualTo(403);
		assertThat(answer.cookies()).noneMatch((cookie) -> cookie.startsWith("auth="));
		assertThat(answer.body()).contains("another site");
	}

	@Test
	void theCookieWithTheTokenGoesAtALogInAndAnotherOneComesAfterTheLogOut() {
		Visitor visitor = Visitor.of(this.site);
		visitor.get("/login");
		String before = visitor.cookie("XSRF-TOKEN");
		assertThat(before).isNotEmpty();
		visitor.signIn(this.victim.name(), Visitor.PASSWORD);
		visitor.get("/home");
		assertThat(visitor.cookie("XSRF-TOKEN")).isEmpty();
		visitor.submit("/logout");
		visitor.get("/login");
		assertThat(visitor.cookie("XSRF-TOKEN")).isNotEmpty().isNotEqualTo(before);
	}

	@Test
	void aPlantedSecondSessionIsNotUsed() {
		Visitor mallory = Visitor.registered(this.site);
		this.victim.plant("auth", mallory.cookie("auth"), "/home");
		Answer answer = this.victim.get("/home");
		assertThat(answer.location()).startsWith("/login");
		assertThat(answer.cookies()).anyMatch((cookie) -> cookie.startsWith("auth=; Max-Age=0; "));
	}

	@Test
	void aFormThatWasOpenDuringALogInComesBackWithItsText() {
		Answer page = this.victim.get("/home");
		String old = page.find("name=\"_csrf\" value=\"([^\"]*)\"");
		assertThat(this.victim.submit("/logout").status()).isEqualTo(303);
		this.victim.get("/login");
		this.victim.signIn(this.victim.name(), Visitor.PASSWORD);
		this.victim.sending("Origin", this.site.url(""));
		String[] form = { "_csrf", old, "body", TEXT, "once", page.once(), "password", "secret" };
		Answer problem = this.victim.postJson(form);
		assertThat(problem.status()).isEqualTo(403);
		assertThat(problem.json().get("outdated").asBoolean()).isTrue();
		Answer refused = this.victim.submit("/posts", form);
		assertThat(refused.status()).isEqualTo(403);
		assertThat(refused.textarea()).isEqualTo(TEXT);
		assertThat(refused.once()).isEqualTo(page.once());
		assertThat(refused.body()).contains("action=\"/posts\"", "send it again").doesNotContain("secret");
		assertThat(this.victim.submit("/posts", "body", refused.textarea(), "once", refused.once()).status())
			.isEqualTo(303);
		assertThat(this.victim.get("/home").texts()).containsExactly(TEXT);
	}

}
