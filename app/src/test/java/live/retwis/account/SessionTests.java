package live.retwis.account;

import java.util.List;

import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class SessionTests {

	private final Site site = Site.shared();

	private final Visitor stranger = Visitor.of(this.site);

	@ParameterizedTest
	@ValueSource(strings = { "auth=", "auth", "=", "auth=.", "auth=x", "auth=0HNXB4RNZQ9ZV", "auth=0HNXB4RNZQ9ZV.",
			"auth=.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "auth=0HNXB4RNZQ9ZV.short",
			"auth=0hnxb4rnzq9zv.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
			"auth=0HNXB4RNZQ9ZV.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
			"auth=ZZZZZZZZZZZZZ.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
			"auth=0HNXB4RNZQ9ZV.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA*",
			"auth=0HNXB4RNZQ9ZV AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
			"auth=\"0HNXB4RNZQ9ZV.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"", "auth=%00%0a", "auth=a;auth=b",
			"auth=;;;", "auth=\"", "auth={}", "auth=a,b", "auth=../../etc", ";", "auth=*:*", "XSRF-TOKEN=x; auth=y" })
	void aMalformedCookieIsIgnored(String cookie) {
		Answer home = this.stranger.get("/home", "Cookie", cookie);
		assertThat(home.status()).isEqualTo(303);
		assertThat(home.location()).isEqualTo("/login?next=%2Fhome");
		for (String path : List.of("/", "/timeline", "/login")) {
			assertThat(this.stranger.get(path, "Cookie", cookie).status()).as(path).isEqualTo(200);
		}
		assertThat(this.stranger.get("/live/home", "Cookie", cookie).status()).isEqualTo(401);
	}

	@Test
	void aVeryLongCookieIsIgnored() {
		assertThat(this.stranger.get("/home", "Cookie", "auth=" + "A".repeat(4000)).status()).isEqualTo(303);
	}

	@Test
	void theTokenOfAnotherUserDoesNotSignIn() {
		Visitor mallory = Visitor.registered(this.site);
		Visitor alice = Visitor.registered(this.site);
		String forged = alice.id() + mallory.cookie("auth").substring(13);
		assertThat(this.stranger.get("/home", "Cookie", "auth=" + mallory.cookie("auth")).status()).isEqualTo(200);
		assertThat(this.stranger.get("/home", "Cookie", "auth=" + forged).status()).isEqualTo(303);
		assertThat(this.stranger.get("/@" + alice.name(), "Cookie", "auth=" + forged).body())
			.doesNotContain("data-viewer");
	}

	@Test
	void aSessionWithoutItsUserDoesNotSignIn() {
		Visitor visitor = Visitor.registered(this.site);
		this.site.redis().del("user:" + visitor.id());
		assertThat(visitor.isSignedIn()).isFalse();
		assertThat(visitor.get("/timeline").status()).isEqualTo(200);
	}

	@Test
	void aSessionOfAnOlderGenerationDoesNotSignIn() {
		Visitor visitor = Visitor.registered(this.site);
		this.site.redis().hincrby("user:" + visitor.id(), "auth", 1);
		assertThat(visitor.isSignedIn()).isFalse();
	}

	@Test
	void aLostSessionKeySignsTheUserOutAndDoesNothingElse() {
		Visitor visitor = Visitor.registered(this.site);
		this.site.redis()
			.del("auth:" + new SessionCookie(visitor.id(), visitor.cookie("auth").substring(14)).tokenHash());
		assertThat(visitor.isSignedIn()).isFalse();
		assertThat(Visitor.signedIn(this.site, visitor.name()).isSignedIn()).isTrue();
	}

	@Test
	void aSignedOutClientThatAsksForJsonGets401() {
		Answer answer = this.stranger.getJson("/home");
		assertThat(answer.status()).isEqualTo(401);
		assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
	}

}
