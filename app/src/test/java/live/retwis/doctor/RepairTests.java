package live.retwis.doctor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.picture.Picture;
import live.retwis.post.PostCountType;
import live.retwis.redis.Keys;
import live.retwis.testing.LockServers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What {@code --fix} repairs, and what it leaves, because a backup may have the rest of
 * it or because it has changed meanwhile.
 */
@Timeout(60)
@ExtendWith(RedisExtension.class)
class RepairTests {

	/** A repair is made under a lease, and on a busy machine it may take seconds. */
	private static final String LEASE_THAT_LASTS = "--retwis.locks.lease=20s";

	private final TestRedis redis;

	private final RedisClient client;

	private final StatefulRedisConnection<String, String> connection;

	private final BrokenStore broken;

	RepairTests(@OwnRedis TestRedis redis) {
		this.redis = redis;
		this.client = RedisClient.create(redis.uri());
		this.connection = this.client.connect();
		this.broken = new BrokenStore(this.connection.sync(), System.currentTimeMillis());
		this.broken.beginLog();
	}

	@AfterEach
	void close() {
		this.client.shutdown();
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

	/** A fail-over has lost it after the log had told of it. */
	@Test
	@Tag("slow")
	void anAccountWhoseDeletionIsLostIsDeletedAgain() {
		String alice = this.broken.user("alice");
		this.connection.sync().zadd(Keys.CLOSED_ACCOUNTS, Double.POSITIVE_INFINITY, alice);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			store.fix();
			store.assertSound();
			assertThat(this.connection.sync().exists(Keys.username("alice"))).isZero();
		}
	}

	@Test
	@Tag("slow")
	void aUserWithBookmarksAloneIsNotDeletedWhenTheNameIsLost() {
		String reader = this.broken.nameless("reader", System.currentTimeMillis() - BrokenStore.HOUR);
		String post = this.broken.post(this.broken.user("alice"));
		this.connection.sync().zadd(Keys.bookmarks(reader), 1, post);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			store.fix();
			assertThat(this.connection.sync().exists(Keys.user(reader))).isOne();
		}
	}

	/** Of a cluster one master may have been lost, and its backup is not there yet. */
	@Test
	@Tag("slow")
	void repairsTakeNothingOfAUserWhoComesBackFromABackup() {
		RedisCommands<String, String> data = this.connection.sync();
		String alice = this.broken.user("alice");
		String bob = this.broken.user("bob");
		data.hset(Keys.user(alice), "words", "wonderland");
		data.zadd("names:w", 0, "wonderland " + alice);
		data.zadd(Keys.following(bob), 1, alice);
		data.zadd(Keys.followers(alice), 1, bob);
		data.zadd(Keys.following(alice), 1, bob);
		data.zadd(Keys.followers(bob), 1, alice);
		String post = this.broken.post(bob);
		data.zadd(Keys.likes(post), 1, alice);
		data.zadd(Keys.liked(alice), 1, post);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			store.assertSound();
			List<String> lists = List.of(Keys.following(bob), Keys.followers(bob), Keys.likes(post), "names:w");
			Map<String, String> backup = data.hgetall(Keys.user(alice));
			data.del(Keys.user(alice));
			assertThat(store.fix()).contains(Keys.username("alice") + ": refers to user " + alice
					+ ", who does not exist; restore the user or delete the name by hand");
			assertThat(lists).allMatch((list) -> data.zcard(list) == 1);
			data.hset(Keys.user(alice), backup);
			store.assertSound();
		}
	}

	@Test
	@Tag("slow")
	void repairsTakeNothingOfALostUserWhoOnlyReads() {
		RedisCommands<String, String> data = this.connection.sync();
		String reader = this.broken.user("reader");
		Picture picture = Picture.of(new byte[] { 1, 2, 3 });
		data.hset(Keys.user(reader),
				Map.of("state", "suspended", "suspended", "1", "picture", picture.hash(), "words", "wonderland"));
		data.set(Keys.picture(reader), picture.base64());
		data.hset(Keys.sessionsOf(reader), "0123456789abcdef", "hash 1 1 1 Firefox/Linux");
		data.hset(Keys.devicesOf(reader), "hash", "hash 1");
		data.set(Keys.session("hash"), reader + " 3");
		List<String> expiring = List.of(Keys.sessionsOf(reader), Keys.devicesOf(reader), Keys.session("hash"));
		expiring.forEach((key) -> data.expire(key, 1000));
		data.zadd(Keys.SUSPENDED, 1, reader);
		data.zadd("names:w", 0, "wonderland " + reader);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			store.assertSound();
			Map<String, String> backup = data.hgetall(Keys.user(reader));
			data.del(Keys.user(reader));
			store.fix();
			assertThat(expiring).allMatch((key) -> data.exists(key) == 1);
			data.hset(Keys.user(reader), backup);
			store.assertSound();
			assertThat(data.zcard("names:w")).isOne();
		}
	}

	/** Nobody would write any of it again. */
	@Test
	void whatTheArchiveHasOfALostPostStays() {
		String lost = this.broken.id(1);
		String deleted = this.broken.id(2);
		this.connection.sync().zadd(Keys.ARCHIVE_DELETED, 1, deleted);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(store.look(ArchiveReader.INDEXED + lost)).singleElement()
				.extracting(Finding::remedy)
				.isEqualTo("restore the post or delete its tags and words in the database by hand");
			assertThat(List.of(Keys.likes(lost), Keys.replies(lost)))
				.allSatisfy((list) -> assertThat(store.look(ArchiveReader.LIST + list)).singleElement()
					.extracting(Finding::remedy)
					.isEqualTo("restore the post or delete the list in the database by hand"));
			assertThat(store.look(ArchiveReader.INDEXED + deleted)).isEmpty();
			assertThat(store.look(ArchiveReader.LIST + Keys.likes(deleted))).isEmpty();
		}
	}

	@Test
	@Tag("slow")
	void aPostThatHasLostItsAuthorStaysWhereItIs() {
		String alice = this.broken.user("alice");
		String post = this.broken.post(alice);
		this.connection.sync().hdel(Keys.post(post), "author");
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(store.fix()).hasSize(2)
				.contains(Keys.post(post) + ": has no author; set it or delete the post by hand");
			this.connection.sync().hset(Keys.post(post), "author", alice);
			store.assertSound();
			assertThat(this.connection.sync().zscore(Keys.postsOf(alice), post)).isNotNull();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void repairsTakeNothingOfAPostThatComesBackFromABackup() {
		RedisCommands<String, String> data = this.connection.sync();
		String alice = this.broken.user("alice");
		String bob = this.broken.user("bob");
		String post = this.broken.post(alice);
		String reply = this.broken.post(bob);
		data.zadd(Keys.replies(post), 1, reply);
		String repost = this.broken.post(bob);
		data.hset(Keys.post(repost), "repost_of", post);
		data.hset(Keys.reposts(post), bob, repost);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			store.assertSound();
			for (String lost : List.of(reply, repost)) {
				Map<String, String> backup = data.hgetall(Keys.post(lost));
				data.del(Keys.post(lost));
				assertThat(store.fix()).contains(Keys.postsOf(bob) + ": holds post " + lost
						+ ", which does not exist; restore the post or remove it by hand");
				data.hset(Keys.post(lost), backup);
				store.assertSound();
			}
			Map<String, String> backup = data.hgetall(Keys.post(post));
			data.del(Keys.post(post), Keys.reposts(post));
			assertThat(store.fix()).contains(Keys.post(repost) + ": is a repost of " + post
					+ ", which does not exist; restore that post or delete the repost by hand");
			data.hset(Keys.post(post), backup);
			store.fix();
			assertThat(data.hget(Keys.reposts(post), bob)).isEqualTo(repost);
			store.assertSound();
		}
	}

	@Test
	void likesOfAUserWhoseListIsLostStay() {
		RedisCommands<String, String> data = this.connection.sync();
		String bob = this.broken.user("bob");
		String post = this.broken.post(this.broken.user("alice"));
		String likes = Keys.likes(post);
		String byHand = "restore what the user likes or remove the user by hand";
		data.zadd(likes, 1, bob);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(remedy(store, likes)).isEqualTo(byHand);
			data.zadd(Keys.liked(bob), 1, this.broken.id(1));
			assertThat(remedy(store, likes)).isEqualTo("--fix removes the user");
			Map<String, String> backup = data.hgetall(Keys.user(bob));
			data.del(Keys.user(bob));
			assertThat(remedy(store, likes)).isEqualTo(byHand);
			data.hset(Keys.user(bob), backup);
			Finding finding = store.look(likes).get(0);
			data.del(Keys.liked(bob));
			assertComesTooLate(finding);
			assertThat(data.zscore(likes, bob)).isOne();
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
	void repostsWhoseListIsLostAreNamedAgain() {
		String post = this.broken.post(this.broken.user("alice"));
		String bob = this.broken.user("bob");
		String repost = this.broken.post(bob);
		this.connection.sync().hset(Keys.post(repost), "repost_of", post);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(store.fix())
				.contains("post:" + repost + ": is a repost that " + Keys.reposts(post) + " does not name; fixed");
			assertThat(this.connection.sync().hget(Keys.reposts(post), bob)).isEqualTo(repost);
			assertThat(this.connection.sync().hget(Keys.post(post), PostCountType.REPOSTS.field())).isEqualTo("1");
			store.assertSound();
		}
	}

	@Test
	void aRepostOfADeletedPostIsDeleted() {
		String bob = this.broken.user("bob");
		String post = this.broken.post(this.broken.user("alice"));
		String repost = repost(post, bob);
		this.connection.sync().hset(Keys.post(post), "deleted", "1");
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(store.look(Keys.post(repost))).singleElement()
				.extracting(Finding::remedy)
				.isEqualTo("--fix deletes it");
		}
	}

	@Test
	void aSecondRepostStaysWhileTheFirstOneOrTheOriginalIsLost() {
		RedisCommands<String, String> data = this.connection.sync();
		String bob = this.broken.user("bob");
		String post = this.broken.post(this.broken.user("alice"));
		String first = repost(post, bob);
		String second = repost(post, bob);
		data.hset(Keys.reposts(post), bob, first);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(remedy(store, Keys.post(second))).isEqualTo("--fix deletes it");
			Map<String, String> backup = data.hgetall(Keys.post(first));
			data.del(Keys.post(first));
			assertThat(remedy(store, Keys.post(second)))
				.isEqualTo("restore the post that it names or remove that by hand");
			data.hset(Keys.post(first), backup);
			data.del(Keys.post(post));
			assertThat(remedy(store, Keys.post(second))).isEqualTo("restore that post or delete the repost by hand");
		}
	}

	@Test
	void aRepostTakesThePlaceOfADeletedOne() {
		RedisCommands<String, String> data = this.connection.sync();
		String bob = this.broken.user("bob");
		String post = this.broken.post(this.broken.user("alice"));
		String first = this.broken.unlisted(bob, System.currentTimeMillis() - BrokenStore.HOUR);
		data.hset(Keys.post(first), Map.of("repost_of", post, "deleted", "1"));
		String second = repost(post, bob);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			for (boolean isListMendedFirst : List.of(true, false)) {
				data.hset(Keys.reposts(post), bob, first);
				List<String> keys = List.of(Keys.reposts(post), Keys.post(second));
				List<Finding> findings = keys.stream().map((key) -> store.look(key).get(0)).toList();
				for (int i : isListMendedFirst ? new int[] { 0, 1 } : new int[] { 1, 0 }) {
					Objects.requireNonNull(findings.get(i).repair()).get().block();
				}
				assertThat(data.hget(Keys.reposts(post), bob)).isEqualTo(second);
				assertThat(data.hexists(Keys.post(second), "deleted")).isFalse();
			}
		}
	}

	@Test
	void aRepostIsNotNamedAgainAfterItHasChanged() {
		RedisCommands<String, String> data = this.connection.sync();
		String bob = this.broken.user("bob");
		List<String> posts = Stream.generate(() -> this.broken.post(bob)).limit(3).toList();
		List<String> reposts = posts.stream().map((post) -> repost(post, bob)).toList();
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			List<Finding> findings = reposts.stream().map((repost) -> store.look(Keys.post(repost)).get(0)).toList();
			data.hset(Keys.post(reposts.get(0)), "deleted", "1");
			data.hset(Keys.post(posts.get(1)), "deleted", "1");
			data.hset(Keys.reposts(posts.get(2)), bob, "another");
			findings.forEach(RepairTests::assertComesTooLate);
			assertThat(data.exists(Keys.reposts(posts.get(0)), Keys.reposts(posts.get(1)))).isZero();
			assertThat(data.hget(Keys.reposts(posts.get(2)), bob)).isEqualTo("another");
		}
	}

	@Test
	void aRepostIsNotNamedAgainIfAnotherOneIsNamedAtTheSameTime() {
		String bob = this.broken.user("bob");
		String post = this.broken.post(bob);
		String repost = repost(post, bob);
		try (FaultProxy way = this.redis.proxy();
				ExaminedSite store = ExaminedSite.startAt("127.0.0.1", way.port(), "--spring.data.redis.timeout=20s")) {
			Finding finding = store.look(Keys.post(repost)).get(0);
			CompletableFuture<Void> repair;
			try (Interception held = way
				.at(SentCommand.named("EVALSHA", "EVAL").and(SentCommand.with(Keys.reposts(post))))
				.holdCommand()) {
				repair = Objects.requireNonNull(finding.repair()).get().toFuture();
				held.awaitMet();
				this.connection.sync().hset(Keys.reposts(post), bob, "another");
			}
			assertThatException().isThrownBy(() -> repair.orTimeout(20, TimeUnit.SECONDS).join())
				.withMessageContaining("it has changed meanwhile");
		}
	}

	/** Only the name is left, and somebody else could register it. */
	@Test
	void theNameOfALostUserWhoHasMadeNothingIsKept() {
		String reader = this.broken.user("reader");
		String renamed = this.broken.user("renamed");
		this.connection.sync().set(Keys.username("alias"), renamed);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			Finding alias = store.look(Keys.username("alias")).get(0);
			this.connection.sync().del(Keys.user(reader), Keys.user(renamed));
			assertComesTooLate(alias);
			assertThat(store.look(Keys.username("reader"))).singleElement()
				.extracting(Finding::remedy)
				.isEqualTo("restore the user or delete the name by hand");
		}
	}

	@Test
	@Tag("slow")
	void aUserWhoHasNothingYetIsNotDeletedWhenTheNameIsLost() {
		String silent = this.broken.user("silent");
		this.connection.sync().del(Keys.username("silent"));
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			store.fix();
			assertThat(this.connection.sync().exists(Keys.user(silent))).isOne();
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
			List.of(follower, name).forEach(RepairTests::assertComesTooLate);
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

	private static String remedy(ExaminedSite store, String key) {
		return store.look(key).get(0).remedy();
	}

	private String repost(String post, String user) {
		String repost = this.broken.post(user);
		this.connection.sync().hset(Keys.post(repost), "repost_of", post);
		return repost;
	}

	private static void assertComesTooLate(Finding finding) {
		assertThatExceptionOfType(Repairs.NotRepairedException.class)
			.isThrownBy(() -> Objects.requireNonNull(finding.repair()).get().block())
			.withMessage("it has changed meanwhile");
	}

}
