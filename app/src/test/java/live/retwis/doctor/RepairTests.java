package live.retwis.doctor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.post.PostCountType;
import live.retwis.redis.Keys;
import live.retwis.testing.LockServers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What {@code --fix} repairs, and what it leaves, because it has changed meanwhile.
 */
class RepairTests extends RepairScene {

	/** A repair is made under a lease, and on a busy machine it may take seconds. */
	private static final String LEASE_THAT_LASTS = "--retwis.locks.lease=20s";

	RepairTests(@OwnRedis TestRedis redis) {
		super(redis);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void anInterruptedDeletionIsFinished() {
		String left = this.broken.closed("left", System.currentTimeMillis() - BrokenStore.HOUR);
		String young = this.broken.closed("young", System.currentTimeMillis() - 60_000);
		String bob = this.broken.user("bob");
		String post = this.broken.post(left);
		this.connection.sync().zadd("following:" + left, 1.0, bob);
		this.connection.sync().zadd("followers:" + bob, 1.0, left);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(store.waitAndExamine())
				.contains("user:" + left + ": has deleted the account, but some data is left; "
						+ "--fix logs the deletion again, so that the workers remove the data")
				.noneMatch((line) -> line.startsWith("user:" + young));
			store.fix();
			assertThat(store.waitAndExamine()).singleElement().asString().endsWith("every rule holds.");
			assertThat(this.connection.sync().exists("username:left", "posts:" + left, "following:" + left)).isZero();
			assertThat(this.connection.sync().zscore("followers:" + bob, left)).isNull();
			assertThat(this.connection.sync().hget("post:" + post, "deleted")).isNotNull();
			assertThat(this.connection.sync().get("username:young")).isEqualTo(young);
		}
	}

	@Test
	void likesOfAPostWhoseListIsLostAreCountedAgain() {
		RedisCommands<String, String> data = this.connection.sync();
		String bob = this.broken.user("bob");
		String post = this.broken.post(this.broken.user("alice"));
		String deleted = this.broken.post(bob);
		data.hset(Keys.post(deleted), "deleted", "1");
		for (String liked : List.of(post, deleted, this.broken.id(1))) {
			data.zadd(Keys.liked(bob), 1, liked);
		}
		data.zadd(Keys.liked(bob), System.currentTimeMillis(), this.broken.post(bob));
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			List<Finding> found = store.look(Keys.liked(bob));
			assertThat(found).singleElement()
				.extracting((finding) -> finding.violation().what())
				.isEqualTo("holds post " + post + ", but " + Keys.likes(post) + " does not hold the user");
			Objects.requireNonNull(found.get(0).repair()).get().block();
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> "1".equals(data.hget(Keys.post(post), PostCountType.LIKES.field())));
			assertThat(data.zscore(Keys.likes(post), bob)).isOne();
			assertThat(store.look(Keys.liked(bob))).isEmpty();
		}
	}

	@Test
	@Tag("slow")
	void reportsWhoseListIsLostAreListedAgainByTheirNewest() {
		String post = this.broken.post(this.broken.user("alice"));
		this.connection.sync()
			.hset(Keys.REPORTS_OF + post, Map.of("0SC9SS7CCV9MQ", "1000 first", "0SC9SS7CCV9MR", "2000 last"));
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			store.fix();
			assertThat(this.connection.sync().hlen(Keys.REPORTS_OF + post)).isEqualTo(2);
			assertThat(this.connection.sync().zscore(Keys.REPORTS, post)).isEqualTo(2000);
		}
	}

	@Test
	@Tag("slow")
	void aRepairDuringWhichRedisGoesAwayIsMadeWhenItIsBack() {
		String missing = this.broken.id(1);
		this.connection.sync().zadd(Keys.RECENT_USERS, 1, missing);
		try (FaultProxy way = this.redis.proxy();
				ExaminedSite store = ExaminedSite.startAt("127.0.0.1", way.port());
				Interception held = way
					.at(SentCommand.named("EVALSHA", "EVAL").and(SentCommand.with(Keys.RECENT_USERS)))
					.holdCommand()) {
			CompletableFuture<List<String>> lines = CompletableFuture.supplyAsync(store::fix);
			held.awaitMet();
			way.breakSome(new Random(1), 1);
			held.close();
			assertThat(lines.orTimeout(60, TimeUnit.SECONDS).join())
				.contains(Keys.RECENT_USERS + ": holds user " + missing + ", which does not exist; fixed");
			assertThat(this.connection.sync().exists(Keys.RECENT_USERS)).isZero();
		}
	}

	@Test
	@Tag("slow")
	void aProblemThatLooksDifferentAfterRedisWasAwayIsNotCalledFixed() {
		String key = Keys.session("ahead");
		String user = this.broken.user("alice");
		this.connection.sync().psetex(key, 1_000_000, user + " 4");
		try (FaultProxy way = this.redis.proxy();
				ExaminedSite store = ExaminedSite.startAt("127.0.0.1", way.port());
				Interception held = way.at(SentCommand.named("EVALSHA", "EVAL").and(SentCommand.with(key)))
					.holdCommand()) {
			CompletableFuture<List<String>> lines = CompletableFuture.supplyAsync(store::fix);
			held.awaitMet();
			this.connection.sync().psetex(key, 1_000_000, user + " 5");
			way.breakSome(new Random(1), 1);
			held.close();
			assertThat(lines.orTimeout(60, TimeUnit.SECONDS).join())
				.contains(key + ": has generation 4, which user " + user + " has not reached; "
						+ "perhaps fixed: Redis was away, and then this was not found again; run this command again")
				.last()
				.asString()
				.endsWith(": 1 violation.");
			assertThat(this.connection.sync().exists(key)).isOne();
		}
	}

	@Test
	void aUserWhoGotTheNameMeanwhileIsKept() {
		String left = this.broken.nameless("left", System.currentTimeMillis() - BrokenStore.HOUR);
		try (ExaminedSite store = ExaminedSite.start(this.redis, LEASE_THAT_LASTS)) {
			Finding user = store.look("user:" + left).get(0);
			this.connection.sync().set("username:left", left);
			this.connection.sync().zadd("names:l", 0, "left " + left);
			Objects.requireNonNull(user.repair()).get().block();
			assertThat(this.connection.sync().exists("user:" + left)).isOne();
			assertThat(store.look("user:" + left)).isEmpty();
		}
	}

	@Test
	void aRepairThatComesTooLateChangesNothing() {
		String alice = this.broken.user("alice");
		String bob = this.broken.user("bob");
		String key = "followers:" + bob;
		this.connection.sync().zadd(key, 1.0, alice);
		this.connection.sync().set("username:gone", alice);
		try (ExaminedSite store = ExaminedSite.start(this.redis, LEASE_THAT_LASTS)) {
			Finding follower = store.look(key).get(0);
			Finding name = store.look("username:gone").get(0);
			this.connection.sync().zadd(key, 2.0, alice);
			this.connection.sync().set("username:gone", bob);
			List.of(follower, name).forEach(RepairScene::assertComesTooLate);
			assertThat(this.connection.sync().zscore(key, alice)).isEqualTo(2.0);
			assertThat(this.connection.sync().get("username:gone")).isEqualTo(bob);
		}
	}

	@Test
	void aRepairLooksAgainBeforeItChangesSomething() {
		RedisCommands<String, String> data = this.connection.sync();
		String alice = this.broken.user("alice");
		String timeline = Keys.homeTimeline(alice);
		String unlisted = this.broken.unlisted(alice, System.currentTimeMillis() - BrokenStore.HOUR);
		for (String post : List.of(unlisted, this.broken.post(alice))) {
			data.zadd(timeline, 1, post);
			data.expire(timeline, 1000);
		}
		try (ExaminedSite store = ExaminedSite.start(this.redis, "--retwis.timeline.size=1")) {
			List<Finding> findings = Stream.of(timeline, Keys.post(unlisted))
				.map((key) -> store.look(key).get(0))
				.toList();
			data.zremrangebyrank(timeline, 0, 0);
			data.hset(Keys.post(unlisted), "deleted", "1");
			for (Finding finding : findings) {
				assertThatExceptionOfType(Repairs.NotRepairedException.class).as(finding.violation().key())
					.isThrownBy(() -> Objects.requireNonNull(finding.repair()).get().block());
			}
			assertThat(data.zcard(timeline)).isOne();
			assertThat(data.zscore(Keys.postsOf(alice), unlisted)).isNull();
		}
	}

	@Test
	@Tag("slow")
	void aRepairWhoseLeaseHasEndedWritesNothing() {
		String left = this.broken.nameless("left", System.currentTimeMillis() - BrokenStore.HOUR);
		String bob = this.broken.user("bob");
		this.connection.sync().set("username:gone", bob);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			Repairs repairs = store.bean(Repairs.class);
			for (Mono<Void> late : List.of(repairs.discardValue("username:gone", bob, "lapsed"),
					repairs.discardHash("user:" + left, Map.of("username", "left"), "lapsed"))) {
				assertThatExceptionOfType(Repairs.NotRepairedException.class).isThrownBy(late::block)
					.withMessage("the lock was lost");
			}
			assertThat(this.connection.sync().exists("username:gone", "user:" + left)).isEqualTo(2);
			assertThat(store.fix()).hasSize(3);
			assertThat(this.connection.sync().exists("username:gone", "user:" + left)).isZero();
		}
	}

	@Test
	@Tag("slow")
	void withoutAQuorumNothingIsRepaired() {
		String post = this.broken.post(this.broken.user("alice"));
		this.connection.sync().hset("post:" + post, Map.of("deleted", "1"));
		try (LockServers minority = new LockServers(3);
				ExaminedSite store = ExaminedSite.start(this.redis, minority.setting())) {
			minority.killMajority();
			assertThatExceptionOfType(Doctor.ExaminationRefusedException.class).isThrownBy(store::fix)
				.withMessageStartingWith("--fix repairs nothing without a quorum of the lock nodes: No majority");
			assertThat(this.connection.sync().hexists("post:" + post, "body")).isTrue();
			assertThat(store.examine())
				.contains("post:" + post + ": is deleted, but still has a body; --fix deletes the body");
		}
	}

}
