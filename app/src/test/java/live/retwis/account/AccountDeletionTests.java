package live.retwis.account;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLog;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.LockServers;
import live.retwis.testing.Site;
import live.retwis.testing.Traces;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(120)
@ExtendWith(RedisExtension.class)
class AccountDeletionTests {

	private static final Duration SOON = Duration.ofSeconds(60);

	private final Site site = Site.shared();

	private final Visitor leaver = Visitor.registered(this.site);

	private final Visitor friend = Visitor.registered(this.site);

	private static Answer delete(Visitor visitor, String password) {
		visitor.get("/settings");
		return visitor.submit("/settings/delete", "password", password);
	}

	private static void deleteForGood(Visitor visitor) {
		Answer answer = delete(visitor, Visitor.PASSWORD);
		assertThat(answer.status()).isEqualTo(303);
		assertThat(answer.location()).isEqualTo("/?deleted");
	}

	/** Waits until no key except the log contains the words. */
	private static void awaitNoTrace(Site site, String... words) {
		for (String word : words) {
			Awaitility.await("no key with " + word)
				.atMost(SOON)
				.untilAsserted(() -> Traces.assertNone(site, word, List.of()));
		}
	}

	@Test
	void aReminderOfADeletedAccountDoesNotSayThatItsDataIsRemoved() {
		CommitLog log = this.site.bean(CommitLog.class);
		String user = "0CCCCCCCCCCCC";
		this.site.redis().zadd(Keys.CLOSED_ACCOUNTS, Double.POSITIVE_INFINITY, user);
		log.nameFreed(user, "").block(Duration.ofSeconds(20));
		assertThat(this.site.redis().zscore(Keys.CLOSED_ACCOUNTS, user)).isInfinite();
		log.nameFreed(user, "bob").block(Duration.ofSeconds(20));
		double removed = this.site.redis().zscore(Keys.CLOSED_ACCOUNTS, user);
		assertThat(removed).isFinite();
		log.nameFreed(user, "").block(Duration.ofSeconds(20));
		assertThat(this.site.redis().zscore(Keys.CLOSED_ACCOUNTS, user)).isGreaterThanOrEqualTo(removed);
		this.site.redis().zrem(Keys.CLOSED_ACCOUNTS, user);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void noDataOfADeletedAccountIsLeft() {
		Visitor reader = Visitor.registered(this.site);
		this.friend.follow(this.leaver);
		reader.follow(this.leaver);
		this.leaver.follow(this.friend);
		String asked = this.friend.post("a question");
		List<String> posts = List.of(this.leaver.post("one"), this.leaver.post("two"));
		this.leaver.get("/home");
		Answer reply = this.leaver.postJson("body", "an answer", "reply_to", asked, "once", "x".repeat(20));
		String answered = reply.json().get("posts").get(0).get("id").asString();
		this.friend.get("/home");
		this.friend.postJson("body", "thanks", "reply_to", answered, "once", "y".repeat(20));
		Awaitility.await().atMost(SOON).until(() -> reader.get("/home").posts().contains("an answer"));
		Awaitility.await().atMost(SOON).until(() -> this.leaver.get("/home").posts().contains("thanks"));
		assertThat(Traces.lasting(this.site, this.leaver.id())).contains("user:" + this.leaver.id(),
				"username:" + this.leaver.name(), "followers:" + this.friend.id(), "following:" + reader.id(),
				"posts:" + this.leaver.id(), "users:recent");
		assertThat(Traces.lasting(this.site, posts.get(0))).contains(Keys.homeTimeline(reader.id()), "{live}:public");

		String id = this.leaver.id();
		assertThat(this.friend.get("/notifications").body()).contains("@" + this.leaver.name());
		deleteForGood(this.leaver);
		// Of others' notifications, the next reading removes those by somebody who is
		// gone.
		Awaitility.await()
			.atMost(SOON)
			.until(() -> !this.friend.get("/notifications").body().contains(this.leaver.name()));
		awaitNoTrace(this.site, id, posts.get(0), posts.get(1), "username:" + this.leaver.name());
		assertThat(reader.get("/home").posts()).isEmpty();
		assertThat(this.friend.get("/home").posts()).containsExactly("thanks", "a question");
		assertThat(this.friend.get("/@" + this.friend.name() + "/followers").body()).doesNotContain(this.leaver.name());
		for (String path : List.of("/@" + this.leaver.name(), "/@" + this.leaver.name() + "/followers",
				"/posts/" + posts.get(0), "/live/@" + this.leaver.name())) {
			assertThat(reader.get(path).status()).as(path).isEqualTo(404);
		}
		assertThat(this.friend.get("/posts/" + asked).posts()).containsExactly("a question");
		assertThat(this.site.redis().pttl("user:" + id)).as("kept for writes in progress").isPositive();
	}

	@Test
	void aDeletionThatIsSentTwiceIsDoneOnceAndTheSecondAnswerIsThatNobodyIsLoggedIn() {
		this.leaver.get("/settings");
		Visitor again = this.leaver.sentTo(this.site.url(""));
		again.get("/settings");
		assertThat(this.leaver.submit("/settings/delete", "password", Visitor.PASSWORD).location())
			.isEqualTo("/?deleted");
		Answer second = again.submit("/settings/delete", "password", Visitor.PASSWORD);
		assertThat(second.status()).isEqualTo(303);
		assertThat(second.location()).startsWith("/login");
		assertThat(this.friend.get("/@" + this.leaver.name()).status()).isEqualTo(404);
		assertThat(this.friend.isSignedIn()).isTrue();
	}

	@Test
	void aDeletedUserIsSignedOutEverywhereAndCannotSignIn() {
		Visitor phone = Visitor.signedIn(this.site, this.leaver.name());
		this.leaver.get("/home");
		Answer answer = delete(this.leaver, Visitor.PASSWORD);
		assertThat(answer.cookies()).anySatisfy((cookie) -> assertThat(cookie).startsWith("auth=;"));
		assertThat(this.leaver.get(answer.location()).body()).contains("Your account has been deleted.");
		assertThat(phone.isSignedIn()).isFalse();
		Visitor again = Visitor.of(this.site);
		again.get("/login");
		assertThat(again.signIn(this.leaver.name(), Visitor.PASSWORD).status()).isEqualTo(401);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aFreedNameCanBeRegisteredByAnotherUser() {
		this.leaver.post("of the first owner");
		String id = this.leaver.id();
		assertThat(this.friend.get("/@" + this.leaver.name()).status()).isEqualTo(200);
		deleteForGood(this.leaver);
		awaitNoTrace(this.site, id);
		Visitor next = Visitor.registered(this.site, this.leaver.name());
		assertThat(next.id()).isNotEqualTo(id);
		Awaitility.await().atMost(SOON).until(() -> this.friend.get("/@" + next.name()).status() == 200);
		this.friend.follow(next);
		next.post("of the second owner");
		assertThat(this.friend.get("/@" + next.name()).posts()).containsExactly("of the second owner");
		assertThat(Visitor.signedIn(this.site, next.name()).isSignedIn()).isTrue();
	}

	@Test
	void openPagesRemoveThePostsAndTheUsersStreamsEnd() {
		String post = this.leaver.post("still here");
		String id = this.leaver.id();
		try (EventStream home = this.leaver.open("/live/home");
				EventStream profile = this.friend.open("/live/@" + this.leaver.name());
				EventStream everyone = this.friend.open("/live/public")) {
			List.of(home, profile, everyone)
				.forEach((stream) -> stream.await((event) -> event.name().equals("position")));
			deleteForGood(this.leaver);
			home.awaitEnd();
			profile.awaitEnd();
			everyone.await((event) -> event.name().equals("gone") && event.data().equals(id));
			assertThat(this.friend.get("/timeline").postIds()).doesNotContain(post);
			assertThat(everyone.isEnded()).isFalse();
		}
		assertThat(this.leaver.get("/live/home").status()).isEqualTo(401);
	}

	@Test
	void aWrongPasswordDeletesNothing() {
		for (String wrong : List.of("", "wrong", Visitor.PASSWORD + "!")) {
			Answer answer = delete(this.leaver, wrong);
			assertThat(answer.status()).isEqualTo(422);
			assertThat(answer.errors()).containsExactly(wrong.isEmpty() ? "Enter your password." : "Wrong password.");
		}
		assertThat(this.leaver.isSignedIn()).isTrue();
		assertThat(this.friend.get("/@" + this.leaver.name()).status()).isEqualTo(200);
	}

	@Test
	void guessingPasswordsHereIsLimitedToo() {
		Visitor visitor = Visitor.limited();
		for (int i = 0; i < 5; i++) {
			assertThat(delete(visitor, "wrong").status()).isEqualTo(422);
		}
		Answer refused = delete(visitor, Visitor.PASSWORD);
		assertThat(refused.status()).isEqualTo(429);
		assertThat(refused.header("Retry-After")).matches("[1-9]\\d*");
		assertThat(visitor.isSignedIn()).isTrue();
	}

	@Test
	void deletingNeedsALogInAndTheTokenOfThePage() {
		Visitor stranger = Visitor.of(this.site);
		assertThat(stranger.get("/settings").location()).isEqualTo("/login?next=%2Fsettings");
		stranger.get("/login");
		assertThat(stranger.submit("/settings/delete", "password", Visitor.PASSWORD).location())
			.isEqualTo("/login?next=%2Fsettings");
		assertThat(this.leaver.submit("/settings/delete", "_csrf", "made up", "password", Visitor.PASSWORD).status())
			.isEqualTo(403);
		assertThat(this.leaver.isSignedIn()).isTrue();
	}

	@Test
	@Tag("slow")
	void withoutAQuorumNothingIsDeletedAndThePageSaysSo(@OwnRedis TestRedis redis) {
		try (LockServers locks = new LockServers(3); Site own = Site.start(redis, locks.setting())) {
			Visitor visitor = Visitor.registered(own);
			locks.killMajority();
			Answer paused = delete(visitor, Visitor.PASSWORD);
			assertThat(paused.status()).isEqualTo(503);
			assertThat(paused.header("Retry-After")).matches("[1-9]\\d*");
			assertThat(paused.errors())
				.containsExactly("Accounts cannot be deleted at the moment; everything else works. "
						+ "Nothing was deleted. Try again in a few seconds.");
			assertThat(visitor.isSignedIn()).isTrue();
			locks.restartAll();
			Awaitility.await().atMost(SOON).until(() -> delete(visitor, Visitor.PASSWORD).status() == 303);
		}
	}

	@Test
	@Tag("slow")
	void aPostInProgressIsDeletedToo(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site slow = Site.startAt("127.0.0.1", way.port());
				Site fast = Site.start(redis)) {
			Visitor author = Visitor.registered(fast);
			Visitor same = author.sentTo(slow.url(""));
			Visitor reader = Visitor.registered(fast);
			reader.follow(author);
			same.post("so that the store knows the script");
			String id = author.id();
			CompletableFuture<Answer> late;
			try (Interception held = way
				.at(SentCommand.named("EVALSHA").and(SentCommand.with("{live}:public")).and(SentCommand.with(id)))
				.holdCommand()) {
				late = CompletableFuture.supplyAsync(() -> same.postJson("body", "late", "once", "z".repeat(20)));
				held.awaitMet();
				deleteForGood(author);
				Awaitility.await().atMost(SOON).until(() -> !fast.redis().hexists("user:" + id, "username"));
			}
			assertThat(late.join().status()).isNotEqualTo(201);
			awaitNoTrace(fast, id);
			assertThat(reader.get("/timeline").posts()).isEmpty();
			assertThat(reader.get("/home").posts()).isEmpty();
		}
	}

	@Test
	@Tag("slow")
	void aFollowInProgressIsUndone(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site slow = Site.startAt("127.0.0.1", way.port());
				Site fast = Site.start(redis)) {
			Visitor author = Visitor.registered(fast);
			Visitor reader = Visitor.registered(slow);
			Visitor.registered(slow).follow(reader);
			String id = author.id();
			reader.get("/@" + author.name());
			CompletableFuture<Answer> late;
			try (Interception held = way
				.at(SentCommand.named("EVALSHA").and(SentCommand.with("following:" + reader.id())))
				.holdCommand()) {
				late = CompletableFuture.supplyAsync(() -> reader.submit("/@" + author.name() + "/follow"));
				held.awaitMet();
				deleteForGood(author);
				Awaitility.await().atMost(SOON).until(() -> !fast.redis().hexists("user:" + id, "username"));
			}
			assertThat(late.join().status()).isEqualTo(303);
			awaitNoTrace(fast, id);
			assertThat(reader.getJson("/@" + author.name()).status()).isEqualTo(404);
		}
	}

}
