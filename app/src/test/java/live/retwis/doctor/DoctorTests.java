package live.retwis.doctor;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** What the doctor reports. */
@Timeout(60)
@ExtendWith(RedisExtension.class)
class DoctorTests {

	private final TestRedis redis;

	private final RedisClient client;

	private final StatefulRedisConnection<String, String> connection;

	private final BrokenStore broken;

	DoctorTests(@OwnRedis TestRedis redis) {
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
	void reportsEachViolationInALineAndRepairsTheSafeOnes() {
		this.broken.all();
		try (ExaminedSite store = ExaminedSite.start(this.redis, "--retwis.timeline.size=5",
				"--retwis.timeline.public-size=5", "--retwis.follow.limit=4")) {
			int violations = this.broken.lines().size();
			List<String> told = store.waitAndExamine();
			assertThat(told.subList(0, told.size() - 1)).containsExactlyInAnyOrderElementsOf(this.broken.lines());
			assertThat(told.get(violations)).matches("Checked [\\d,]+ keys: " + violations + " violations\\.");
			List<String> fixed = store.fix();
			assertThat(fixed.subList(0, fixed.size() - 1))
				.containsExactlyInAnyOrderElementsOf(this.broken.fixedLines());
			this.broken.repairByHand();
			store.assertSound();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void sessionsThatALogOutEndedAreNoViolationAndAreRemoved() {
		String user = this.broken.user("alice");
		this.connection.sync().psetex("auth:past", 1_000_000, user + " 2");
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(store.examine()).singleElement()
				.asString()
				.endsWith("every rule holds. Found 1 ended session; --fix removes them.");
			assertThat(store.fix()).singleElement().asString().endsWith("Removed 1 ended session.");
			store.assertSound();
		}
	}

	/** Of Chinese and Japanese each pair of characters is a word. Some have marks. */
	@Test
	void aWordThatBeginsWithAMarkIsNoViolation() {
		for (String pair : List.of("\udb40\udd00\u57ce", "\u309a\u30ab")) {
			this.connection.sync().zadd("word:" + pair, 1, "0123456789ABC");
			this.connection.sync().expire("word:" + pair, 60);
		}
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			store.assertSound();
		}
	}

	@Test
	@Tag("slow")
	void sessionsOfDeletedAccountsAreNoViolationEither() {
		this.connection.sync().psetex("auth:nobody", 1_000_000, "0AAAAAAAAAAAA 1");
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(store.fix()).singleElement().asString().endsWith("Removed 1 ended session.");
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aListOfSessionsOfADeletedAccountIsRemoved() {
		String gone = this.broken.closed("gone", System.currentTimeMillis() - 60_000);
		String key = Keys.sessionsOf(gone);
		this.connection.sync().hset(key, "0123456789abcdef", "hash 1 1 1 Firefox/Linux");
		this.connection.sync().expire(key, 1000);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(store.examine())
				.contains(key + ": is of user " + gone + ", who is not there; --fix deletes the list");
			store.fix();
			store.assertSound();
		}
	}

	@Test
	@Tag("slow")
	void aKeyThatCannotBeCheckedIsAViolationAndDoesNotEndTheExamination() {
		this.broken.user("alice");
		this.connection.sync().zadd(Keys.UNFINISHED, 1, "garbage");
		this.connection.sync().set("unknown", "key");
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(store.examine()).hasSize(3)
				.anyMatch((line) -> line.startsWith(Keys.UNFINISHED + ": cannot be checked: ERR Invalid stream ID"))
				.anyMatch((line) -> line.startsWith("unknown: is not a key of this site"));
		}
	}

	@Test
	@Tag("slow")
	void aConnectionThatBreaksOnceDoesNotEndTheExamination() {
		this.broken.user("alice");
		this.connection.sync().set("unknown", "key");
		try (FaultProxy way = this.redis.proxy();
				ExaminedSite store = ExaminedSite.startAt("127.0.0.1", way.port());
				Interception held = way.at(SentCommand.named("TYPE")).holdCommand()) {
			CompletableFuture<List<String>> lines = CompletableFuture.supplyAsync(store::examine);
			held.awaitMet();
			way.breakSome(new Random(1), 1);
			held.close();
			assertThat(lines.orTimeout(60, TimeUnit.SECONDS).join()).hasSize(2)
				.anyMatch((line) -> line.startsWith("unknown: is not a key of this site"));
		}
	}

	@Test
	@Tag("slow")
	void aWalkThatBreaksOffBeginsAnew() {
		try (FaultProxy way = this.redis.proxy();
				ExaminedSite store = ExaminedSite.startAt("127.0.0.1", way.port());
				Interception held = way.at(SentCommand.named("SCAN")).nth(2).holdCommand()) {
			unknownKeys(2000);
			CompletableFuture<List<String>> lines = CompletableFuture.supplyAsync(store::examine);
			held.awaitMet();
			way.breakSome(new Random(1), 1);
			held.close();
			assertThat(lines.orTimeout(60, TimeUnit.SECONDS).join()).hasSize(2001)
				.last()
				.asString()
				.endsWith(": 2,000 violations.");
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void whatWasFoundIsToldAlthoughTheWalkBreaksOffAgainAndAgain() {
		try (FaultProxy way = this.redis.proxy();
				ExaminedSite store = ExaminedSite.startAt("127.0.0.1", way.port(), "--retwis.locks.lease=3s",
						"--spring.data.redis.timeout=500ms");
				Interception held = way.at(SentCommand.named("SCAN")).nth(2).holdCommand()) {
			List<String> lines = new CopyOnWriteArrayList<>();
			unknownKeys(2000);
			Mono<Void> examination = store.bean(Doctor.class).examine(false, false, (progress) -> {
			}).doOnNext((line) -> lines.add(line.text())).then();
			CompletableFuture<Void> done = examination.toFuture();
			held.awaitMet();
			try (Interception away = way.at(SentCommand.named("SCAN")).loseCommand()) {
				held.close();
				assertThatException().isThrownBy(() -> done.orTimeout(55, TimeUnit.SECONDS).join());
				assertThat(away.met()).isGreaterThan(1);
			}
			assertThat(lines).isNotEmpty().allMatch((line) -> line.startsWith("unknown"));
		}
	}

	/** They are more than are checked a second time together. */
	@Test
	@Tag("slow")
	@Tag("long")
	@Timeout(180)
	void aWalkThatBeginsAnewReportsNothingTwice() {
		try (FaultProxy way = this.redis.proxy();
				ExaminedSite store = ExaminedSite.startAt("127.0.0.1", way.port());
				Interception held = way.at(SentCommand.named("SCAN")).nth(20).holdCommand()) {
			unknownKeys(12_000);
			CompletableFuture<List<String>> lines = CompletableFuture.supplyAsync(store::examine);
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> held.met() > 0);
			way.breakSome(new Random(1), 1);
			held.close();
			assertThat(lines.orTimeout(120, TimeUnit.SECONDS).join()).hasSize(12_001)
				.doesNotHaveDuplicates()
				.last()
				.asString()
				.endsWith(": 12,000 violations.");
		}
	}

	@Test
	void youngHalfDoneWritesAreInFlightAndNoViolation() {
		long now = System.currentTimeMillis();
		String alice = this.broken.user("alice");
		String bob = this.broken.user("bob");
		this.broken.nameless("carol", now - 500_000);
		this.broken.unlisted(alice, now - 500_000);
		this.connection.sync().zadd("following:" + alice, now - 500_000, bob);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			store.assertSound();
		}
	}

	@Test
	@Tag("slow")
	void aHalfMadePostFromTheFirstDaysOfTheSiteIsDeleted() {
		String alice = this.broken.user("alice");
		String post = this.broken.unlisted(alice, System.currentTimeMillis() - 2 * BrokenStore.HOUR + 5000);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(store.fix()).contains("post:" + post + ": was never committed: no log entry names it; fixed");
			store.assertSound();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aWriteThatIsFinishedDuringTheExaminationIsNoViolation() {
		String alice = this.broken.user("alice");
		String bob = this.broken.user("bob");
		String key = "followers:" + bob;
		this.connection.sync().zadd(key, 1.0, alice);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			List<Finding> seen = store.look(key);
			assertThat(seen).hasSize(1);
			this.connection.sync().zrem(key, alice);
			this.connection.sync().zadd(key, 1.0, this.broken.user("carol"));
			FindingVerifier findingVerifier = store.bean(FindingVerifier.class);
			assertThat(findingVerifier.confirm(seen, new ExaminationCounts()).collectList().block()).isEmpty();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void pendingFanOutIsNotReportedOrIsWaitedFor() {
		try (ExaminedSite store = ExaminedSite.start(this.redis, "--retwis.fan-out.worker=false")) {
			Visitor alice = Visitor.registered(store.site());
			String post = alice.post("to be deleted");
			alice.submit("/posts/" + post + "/delete");
			assertThat(store.examine()).singleElement()
				.asString()
				.endsWith("every rule holds. Fan-out is behind, so this leaves out 2 possible violations; "
						+ "--wait checks them too.");
			try (ExaminedSite helper = ExaminedSite.start(this.redis)) {
				assertThat(store.waitAndExamine()).singleElement().asString().endsWith("every rule holds.");
				helper.assertSound();
			}
		}
	}

	@Test
	@Tag("slow")
	void findsKeysWithScanOnly() {
		String user = this.broken.user("alice");
		for (int i = 0; i < 2500; i++) {
			this.connection.async().psetex("auth:" + i, 1_000_000, user + " 9");
		}
		assertThat(this.connection.sync().dbsize()).isGreaterThan(2500);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			List<String> told = store.examine();
			assertThat(told).hasSize(2501).doesNotHaveDuplicates();
			assertThat(told.get(2500)).endsWith("2,500 violations.");
			assertThat(this.connection.sync().info("commandstats")).contains("cmdstat_scan:")
				.doesNotContain("cmdstat_keys:");
		}
	}

	private void unknownKeys(int number) {
		this.connection.sync()
			.mset(IntStream.range(0, number).boxed().collect(Collectors.toMap((i) -> "unknown" + i, (i) -> "key")));
	}

}
