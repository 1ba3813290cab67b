package live.retwis.account;

import java.time.Duration;
import java.util.Locale;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Answer;
import live.retwis.testing.LockServers;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(RedisExtension.class)
class LogoutTests {

	private final Site site = Site.shared();

	private static Answer logout(Visitor visitor) {
		visitor.get("/home");
		return visitor.submit("/logout");
	}

	@Test
	void loggingOutEndsAllSessionsOfTheUserAndNoOthers() {
		Visitor phone = Visitor.registered(this.site);
		Visitor laptop = Visitor.signedIn(this.site, phone.name());
		Visitor other = Visitor.registered(this.site);
		assertThat(phone.isSignedIn() && laptop.isSignedIn() && other.isSignedIn()).isTrue();
		Answer answer = logout(phone);
		assertThat(answer.status()).isEqualTo(303);
		assertThat(answer.location()).isEqualTo("/");
		String cookie = answer.cookies().stream().filter((set) -> set.startsWith("auth=")).findFirst().orElseThrow();
		assertThat(cookie.toLowerCase(Locale.ROOT).split("; ")).contains("auth=", "max-age=0", "path=/", "httponly",
				"samesite=lax");
		assertThat(phone.isSignedIn()).isFalse();
		assertThat(laptop.isSignedIn()).isFalse();
		assertThat(other.isSignedIn()).isTrue();
	}

	@Test
	void theCookieOfAnEndedSessionIsNotAccepted() {
		Visitor visitor = Visitor.registered(this.site);
		String cookie = "auth=" + visitor.cookie("auth");
		String key = "auth:" + new SessionCookie(visitor.id(), visitor.cookie("auth").substring(14)).tokenHash();
		Visitor stranger = Visitor.of(this.site);
		assertThat(stranger.get("/home", "Cookie", cookie).status()).isEqualTo(200);
		assertThat(this.site.redis().exists(key)).isOne();
		logout(visitor);
		assertThat(stranger.get("/home", "Cookie", cookie).status()).isEqualTo(303);
		assertThat(stranger.getJson("/home").status()).isEqualTo(401);
		assertThat(this.site.redis().exists(key)).isZero();
	}

	@Test
	void loggingOutAgainGetsTheSameAnswer() {
		Visitor visitor = Visitor.registered(this.site);
		logout(visitor);
		visitor.get("/");
		for (int i = 0; i < 2; i++) {
			Answer answer = visitor.submit("/logout");
			assertThat(answer.status()).isEqualTo(303);
			assertThat(answer.location()).isEqualTo("/");
		}
	}

	@Test
	void anEndedSessionCannotEndANewerOne() {
		Visitor old = Visitor.registered(this.site);
		Visitor second = Visitor.signedIn(this.site, old.name());
		old.get("/home");
		logout(second);
		Visitor newer = Visitor.signedIn(this.site, old.name());
		assertThat(old.submit("/logout").status()).isEqualTo(303);
		assertThat(newer.isSignedIn()).isTrue();
		assertThat(logout(newer).status()).isEqualTo(303);
		assertThat(newer.isSignedIn()).isFalse();
	}

	@Test
	void loggingOutNeedsTheTokenOfAPage() {
		Visitor visitor = Visitor.registered(this.site);
		assertThat(visitor.submit("/logout", "_csrf", "made up").status()).isEqualTo(403);
		assertThat(visitor.isSignedIn()).isTrue();
		assertThat(visitor.get("/logout").status()).isEqualTo(405);
		assertThat(visitor.isSignedIn()).isTrue();
	}

	@Test
	void aUserWhoLoggedOutCanSignInAgain() {
		Visitor visitor = Visitor.registered(this.site);
		for (int i = 0; i < 3; i++) {
			logout(visitor);
			visitor = Visitor.signedIn(this.site, visitor.name());
			assertThat(visitor.isSignedIn()).isTrue();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void withoutAQuorumOnlyThisSessionEndsAndThePageSaysSo(@OwnRedis TestRedis redis) {
		try (LockServers locks = new LockServers(3); Site own = Site.start(redis, locks.setting())) {
			Visitor phone = Visitor.registered(own);
			Visitor laptop = Visitor.signedIn(own, phone.name());
			Visitor tablet = Visitor.signedIn(own, phone.name());
			locks.killMajority();
			Answer answer = logout(phone);
			assertThat(answer.status()).isEqualTo(303);
			assertThat(phone.isSignedIn()).isFalse();
			assertThat(laptop.isSignedIn()).isTrue();
			assertThat(phone.get(answer.location()).body()).contains("Your other devices stay logged in");
			assertThat(phone.get("/").body()).doesNotContain("Your other devices");
			locks.restartAll();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
				logout(Visitor.signedIn(own, phone.name()));
				return !tablet.isSignedIn();
			});
			assertThat(laptop.isSignedIn()).isFalse();
		}
	}

	/** The commit is made, or what follows it, and only the answer is missing. */
	@ParameterizedTest
	@EnumSource(names = { "COMMIT", "DELETE_SESSION", "TELL_LOG" })
	@Tag("slow")
	@Tag("long")
	void aLogOutWhoseAnswerIsLostIsDoneAndSaysSo(LogoutStep step, @OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site far = Site.startAt("127.0.0.1", way.port())) {
			logout(Visitor.registered(far)); // after this the store knows the scripts
			Visitor phone = Visitor.registered(far);
			Visitor laptop = Visitor.signedIn(far, phone.name());
			phone.get("/home");
			Answer answer;
			try (Interception lost = way.at(step.of(phone.id()).command()).nth(1).cutAfter()) {
				answer = phone.submit("/logout");
				lost.awaitMet();
			}
			assertThat(answer.status()).isEqualTo(303);
			assertThat(answer.location()).isEqualTo("/");
			assertThat(laptop.isSignedIn()).isFalse();
		}
	}

	@Test
	@Tag("slow")
	void aLogOutWithoutAQuorumWhoseAnswerIsLostIsDoneAndSaysSo(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				LockServers locks = new LockServers(3);
				Site far = Site.startAt("127.0.0.1", way.port(), locks.setting())) {
			Visitor phone = Visitor.registered(far);
			phone.get("/home");
			locks.killMajority();
			Answer answer;
			try (Interception lost = way.at(LogoutStep.DELETE_SESSION.of(phone.id()).command()).nth(1).cutAfter()) {
				answer = phone.submit("/logout");
				lost.awaitMet();
			}
			assertThat(answer.status()).isEqualTo(303);
			assertThat(phone.isSignedIn()).isFalse();
		}
	}

}
