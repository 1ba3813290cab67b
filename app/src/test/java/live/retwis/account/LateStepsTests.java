package live.retwis.account;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import io.lettuce.core.Range;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An instance stops in the middle of a write for so long that another instance finishes
 * the write. Then the first one continues.
 */
@ExtendWith(RedisExtension.class)
class LateStepsTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final String NO_WORKER = "--retwis.fan-out.worker=false";

	private static final String PATIENT = "--spring.data.redis.timeout=8s";

	private static List<String> logged(Site site, String type, String user) {
		return site.redis()
			.xrange(Keys.LOG, Range.unbounded())
			.stream()
			.filter((entry) -> type.equals(entry.getBody().get("type")) && user.equals(entry.getBody().get("user")))
			.map((entry) -> entry.getBody().getOrDefault("post", entry.getBody().getOrDefault("other", "")))
			.toList();
	}

	private static Predicate<SentCommand> declares(String intent) {
		return SentCommand.named("EVALSHA").and(SentCommand.with(Keys.INTENTS)).and(SentCommand.containing(intent));
	}

	/** Lets another instance take over the intent and finish the write. */
	private static void sweep(Site survivor, String kind) {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(5))
			.atMost(SOON)
			.until(() -> intents(survivor).stream().anyMatch((intent) -> intent.startsWith(kind)));
		intents(survivor).stream()
			.filter((intent) -> intent.startsWith(kind))
			.forEach((intent) -> survivor.redis().zadd(Keys.INTENTS, 1, intent));
		Awaitility.await()
			.pollInterval(Duration.ofMillis(5))
			.atMost(SOON)
			.until(() -> intents(survivor).stream().noneMatch((intent) -> intent.contains(kind)));
	}

	private static List<String> intents(Site site) {
		return StoredIntents.open(site);
	}

	private static void awaitNoIntents(Site site) {
		Awaitility.await().atMost(SOON).until(() -> intents(site).isEmpty());
	}

	private static Answer closeAccount(Visitor visitor) {
		visitor.get("/settings");
		return visitor.submit("/settings/delete", "password", Visitor.PASSWORD);
	}

	@Test
	@Tag("slow")
	void aFollowThatArrivesAfterItWasFinishedIsStillLogged(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site fast = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), PATIENT, NO_WORKER)) {
			Visitor author = Visitor.registered(fast);
			author.post("old");
			Visitor first = Visitor.registered(slow);
			first.follow(author);
			Visitor reader = Visitor.registered(slow);
			reader.get("/@" + author.name());
			CompletableFuture<Answer> late;
			try (Interception held = way.at(declares("follow " + reader.id())).holdReply()) {
				late = CompletableFuture.supplyAsync(() -> reader.submit("/@" + author.name() + "/follow"));
				held.awaitMet();
				sweep(fast, "follow ");
			}
			assertThat(late.join().status()).isEqualTo(303);
			awaitNoIntents(fast);
			// Twice if the sweep sees it, too. An entry can be repeated.
			assertThat(logged(fast, "follow", reader.id())).isNotEmpty().containsOnly(author.id());
			Awaitility.await()
				.atMost(SOON)
				.until(() -> reader.sentTo(fast.url("")).get("/home").posts().equals(List.of("old")));
		}
	}

	@Test
	void aDelayedFollowDoesNotUndoALaterUnfollow(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site fast = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), PATIENT, NO_WORKER)) {
			Visitor author = Visitor.registered(fast);
			Visitor first = Visitor.registered(slow);
			first.follow(author);
			Visitor reader = Visitor.registered(slow);
			reader.get("/@" + author.name());
			CompletableFuture<Answer> late;
			try (Interception held = way
				.at(SentCommand.named("EVALSHA")
					.and(SentCommand.with(Keys.followers(author.id())))
					.and(SentCommand.containing(reader.id())))
				.holdCommand()) {
				late = CompletableFuture.supplyAsync(() -> reader.submit("/@" + author.name() + "/follow"));
				held.awaitMet();
				Visitor same = reader.sentTo(fast.url(""));
				same.unfollow(author);
			}
			assertThat(late.join().status()).isEqualTo(303);
			awaitNoIntents(fast);
			assertThat(fast.redis().zscore(Keys.following(reader.id()), author.id())).isNull();
			assertThat(fast.redis().zscore(Keys.followers(author.id()), reader.id())).isNull();
		}
	}

	@Test
	@Tag("slow")
	void aRegistrationThatWasUndoneCannotCommitLater(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			String fence = Keys.fence(Keys.username("lost"));
			site.redis().set(fence, "the lease that it was made under");
			site.redis().zadd(Keys.INTENTS, 1, "registration 0AAAAAAAAAAAA lost nonce");
			Awaitility.await()
				.atMost(SOON)
				.until(() -> intents(site).stream()
					.noneMatch((intent) -> intent.startsWith("registration") || intent.startsWith("taken")));
			assertThat(site.redis().get(fence)).isNotEqualTo("the lease that it was made under");
		}
	}

	@Test
	@Tag("slow")
	void aDeletionThatArrivesAfterItWasFinishedIsStillLogged(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site fast = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), PATIENT, NO_WORKER)) {
			Visitor author = Visitor.registered(fast);
			String goes = author.post("goes");
			String first = author.post("first to go");
			Visitor same = author.sentTo(slow.url(""));
			same.get("/home");
			same.submit("/posts/" + first + "/delete");
			CompletableFuture<Answer> late;
			try (Interception held = way.at(declares("deletion " + goes)).holdReply()) {
				late = CompletableFuture.supplyAsync(() -> same.submit("/posts/" + goes + "/delete"));
				held.awaitMet();
				sweep(fast, "deletion ");
			}
			assertThat(late.join().status()).isEqualTo(303);
			awaitNoIntents(fast);
			assertThat(logged(fast, "delete", author.id())).containsExactly(first, goes);
			Awaitility.await().atMost(SOON).until(() -> Visitor.of(fast).get("/timeline").posts().isEmpty());
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aDeletionThatArrivesVeryLateIsLoggedByTheDoctorsSecondLook(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site fast = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), NO_WORKER)) {
			Visitor author = Visitor.registered(fast);
			String goes = author.post("goes");
			String first = author.post("so that the store knows the script");
			Visitor same = author.sentTo(slow.url(""));
			same.get("/home");
			same.submit("/posts/" + first + "/delete");
			try (Interception held = way.at(SentCommand.named("EVALSHA", "EVAL").and(SentCommand.with("post:" + goes)))
				.holdCommand()) {
				CompletableFuture<Answer> refused = CompletableFuture
					.supplyAsync(() -> same.submit("/posts/" + goes + "/delete"));
				held.awaitMet();
				sweep(fast, "deletion ");
				assertThat(refused.join().status()).isEqualTo(503);
			}
			Awaitility.await().atMost(SOON).until(() -> fast.redis().hexists("post:" + goes, "deleted"));
			assertThat(logged(fast, "delete", author.id())).containsExactly(first);
			fast.redis().zrange(Keys.INTENTS, 0, -1).forEach((intent) -> fast.redis().zadd(Keys.INTENTS, 1, intent));
			Awaitility.await().atMost(SOON).until(() -> fast.redis().zcard(Keys.INTENTS) == 0);
			assertThat(logged(fast, "delete", author.id())).containsExactly(first, goes);
		}
	}

	@Test
	@Tag("slow")
	void aPostThatIsStoredAfterItWasGivenUpIsRemoved(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site fast = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), PATIENT, NO_WORKER)) {
			Visitor author = Visitor.registered(fast);
			Visitor same = author.sentTo(slow.url(""));
			same.post("so that the store knows the scripts");
			CompletableFuture<Answer> late;
			try (Interception held = way
				.at(SentCommand.named("EVALSHA").and(SentCommand.containing("post:")).and(SentCommand.with("late")))
				.holdCommand()) {
				late = CompletableFuture.supplyAsync(() -> same.postJson("body", "late", "once", "z".repeat(20)));
				held.awaitMet();
				sweep(fast, "post ");
			}
			late.join();
			awaitNoIntents(fast);
			assertThat(fast.keys("post:*")).hasSize(fast.redis().zcard(Keys.PUBLIC_TIMELINE).intValue());
		}
	}

	@Test
	@Tag("slow")
	void aPostOfARemovedAccountIsNeverShown(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site fast = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), PATIENT, NO_WORKER);
				EventStream everyone = Visitor.of(fast).open("/live/public")) {
			Visitor author = Visitor.registered(fast);
			String id = author.id();
			Visitor same = author.sentTo(slow.url(""));
			same.post("so that the store knows the scripts");
			CompletableFuture<Answer> late;
			try (Interception held = way
				.at(SentCommand.named("EVALSHA").and(SentCommand.with(Keys.PUBLIC_TIMELINE)).and(SentCommand.with(id)))
				.holdCommand()) {
				late = CompletableFuture.supplyAsync(() -> same.postJson("body", "late", "once", "z".repeat(20)));
				held.awaitMet();
				assertThat(closeAccount(author).status()).isEqualTo(303);
				Awaitility.await().atMost(SOON).until(() -> logged(fast, "freed", id).size() == 1);
			}
			assertThat(late.join().status()).isNotEqualTo(201);
			everyone.awaitPost(Visitor.registered(fast).post("by somebody else"));
			assertThat(everyone.events("post")).hasSize(2);
			assertThat(everyone.events("gone")).hasSize(1);
			assertThat(Visitor.of(slow).get("/timeline").posts()).containsExactly("by somebody else");
		}
	}

	@Test
	@Tag("slow")
	void anAccountThatIsDeletedTwiceAtOnceIsLoggedOnce(@OwnRedis TestRedis redis) {
		try (Site one = Site.start(redis); Site two = Site.start(redis)) {
			for (int round = 0; round < 3; round++) {
				Visitor visitor = Visitor.registered(one);
				String id = visitor.id();
				Visitor same = visitor.sentTo(two.url(""));
				List<CompletableFuture<Answer>> both = List.of(
						CompletableFuture.supplyAsync(() -> closeAccount(visitor)),
						CompletableFuture.supplyAsync(() -> closeAccount(same)));
				both.forEach(CompletableFuture::join);
				awaitNoIntents(one);
				Awaitility.await().atMost(SOON).until(() -> logged(one, "freed", id).size() == 1);
				assertThat(logged(one, "closed", id)).hasSize(1);
				assertThat(one.redis().zscore(Keys.CLOSED_ACCOUNTS, id)).as("remembered for a day").isFinite();
			}
		}
	}

	/**
	 * An operator whose suspension was not answered restores the user, and the entry of
	 * the suspension arrives after that.
	 */
	@Test
	@Tag("slow")
	@Tag("long")
	void anEntryThatArrivesAfterTheUserWasRestoredHidesNobody(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site fast = Site.start(redis, NO_WORKER);
				Site slow = Site.startAt("127.0.0.1", way.port(), NO_WORKER)) {
			Visitor first = Visitor.registered(fast);
			Visitor author = Visitor.registered(fast);
			AccountSuspension late = slow.bean(AccountSuspension.class);
			late.set(first.id(), true).block(SOON);
			try (Interception held = way
				.at(SentCommand.named("EVALSHA", "EVAL")
					.and(SentCommand.with(Keys.SUSPENDED))
					.and(SentCommand.with(author.id())))
				.holdCommand()) {
				CompletableFuture<Boolean> unanswered = late.set(author.id(), true).toFuture();
				held.awaitMet();
				assertThat(unanswered).failsWithin(SOON);
				assertThat(fast.bean(AccountSuspension.class).set(author.id(), false).block(SOON)).isTrue();
			}
			// The connection answers in order, so the script has run by then.
			Awaitility.await()
				.atMost(SOON)
				.ignoreExceptions()
				.until(() -> Boolean.FALSE.equals(late.isSuspended(author.id()).block(SOON)));
			assertThat(logged(fast, "restored", author.id())).isNotEmpty();
			assertThat(fast.redis().zscore(Keys.SUSPENDED, author.id())).isNull();
			assertThat(Visitor.of(fast).get("/@" + author.name()).status()).isEqualTo(200);
		}
	}

	@Test
	@Tag("slow")
	void aReplyThatIsAddedAfterItWasDeletedIsNotCounted(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site fast = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), PATIENT, NO_WORKER)) {
			Visitor author = Visitor.registered(fast);
			String parent = author.post("replied to");
			Visitor same = author.sentTo(slow.url(""));
			same.get("/posts/" + parent);
			CompletableFuture<Answer> late;
			try (Interception held = way.at(SentCommand.named("EVALSHA").and(SentCommand.with(Keys.replies(parent))))
				.holdCommand()) {
				late = CompletableFuture
					.supplyAsync(() -> same.postJson("body", "a reply", "once", "r".repeat(20), "reply_to", parent));
				held.awaitMet();
				Awaitility.await().atMost(SOON).until(() -> fast.redis().zcard(Keys.replies(parent)) == 1);
				String reply = fast.redis().zrange(Keys.replies(parent), 0, -1).get(0);
				author.get("/posts/" + reply);
				assertThat(author.submit("/posts/" + reply + "/delete").status()).isEqualTo(303);
				Awaitility.await().atMost(SOON).until(() -> fast.redis().zcard(Keys.replies(parent)) == 0);
			}
			late.join();
			awaitNoIntents(fast);
			assertThat(fast.redis().zcard(Keys.replies(parent))).isZero();
		}
	}

	@Test
	@Tag("slow")
	void aNewFollowSurvivesTheEndOfAnOlderWrite(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site fast = Site.start(redis, NO_WORKER);
				Site slow = Site.startAt("127.0.0.1", way.port())) {
			Visitor author = Visitor.registered(fast);
			Visitor reader = Visitor.registered(fast);
			try (Interception held = way
				.at(SentCommand.named("ZMSCORE").and(SentCommand.with("following:" + reader.id())))
				.holdReply()) {
				fast.redis().zadd(Keys.INTENTS, 1, "follow " + reader.id() + " " + author.id() + " abcdefgh");
				held.awaitMet();
				reader.follow(author);
			}
			awaitNoIntents(slow);
			assertThat(fast.redis().zscore("following:" + reader.id(), author.id())).isNotNull();
			assertThat(fast.redis().zscore("followers:" + author.id(), reader.id())).isNotNull();
		}
	}

	/** Two instances may make the same id. */
	@Test
	@Tag("slow")
	void aWriteThatBrokeOffDoesNotRemoveWhatAnotherUserHasUnderTheSameId(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor bob = Visitor.registered(site);
			Visitor carol = Visitor.registered(site);
			String post = bob.post("by bob");
			site.redis().zadd(Keys.INTENTS, 1, "registration " + bob.id() + " somebody_else 0123456789");
			site.redis().zadd(Keys.INTENTS, 1, "post " + post + " " + carol.id() + " 0123456789");
			String half = "0123456789ABC";
			site.redis().hset(Keys.user(half), "created", "1");
			site.redis().zadd(Keys.INTENTS, 1, "registration " + half + " half_written 0123456789");
			awaitNoIntents(site);
			assertThat(site.redis().exists(Keys.user(half))).as("what was half written").isZero();
			assertThat(bob.get("/home").status()).isEqualTo(200);
			assertThat(site.redis().hget(Keys.post(post), "body")).isEqualTo("by bob");
		}
	}

}
