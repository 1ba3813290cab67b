package live.retwis.fanout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

import io.lettuce.core.Consumer;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.LuaScript;
import live.retwis.testing.Site;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The scripts that trim the log and report how far fan-out is, on a real Redis, each test
 * with its own keys.
 */
class FanOutScriptTests {

	private final Site site = Site.shared();

	private final RedisClusterCommands<String, String> redis = this.site.redis();

	private final String tag = "{test:" + UUID.randomUUID() + "}";

	private final String log = this.tag + ":log";

	private final String list = this.tag + ":list";

	private final String pieces = this.tag + ":pieces";

	private final String postponed = this.tag + ":postponed";

	private final String byCommit = this.tag + ":postponed-by-commit";

	private final String dead = this.tag + ":dead";

	private List<String> run(String script, List<String> keys, String... args) {
		return Objects
			.requireNonNull(this.site.bean(DataNodeCommands.class).run(LuaScript.named(script), keys, args).block());
	}

	private void fillLog(int entries) {
		for (int i = 1; i <= entries; i++) {
			this.redis.xadd(this.log, new XAddArgs().id(i + "-0"), "nonce", "n" + i, "n", Integer.toString(i));
		}
	}

	private void append(long millis) {
		this.redis.xadd(this.log, new XAddArgs().id(millis + "-0"), "nonce", "n", "n",
				Long.toString(this.redis.xlen(this.log) + 1));
	}

	private void group() {
		this.redis.xgroupCreate(StreamOffset.from(this.log, "0"), "workers", XGroupCreateArgs.Builder.mkstream());
	}

	private List<StreamMessage<String, String>> take(int count) {
		return this.redis.xreadgroup(Consumer.from("workers", "w"), XReadArgs.Builder.count(count),
				StreamOffset.lastConsumed(this.log));
	}

	private void trim(int keep) {
		trim(Long.MAX_VALUE / 2, keep);
	}

	private void trim(long age, int most) {
		run("trim-log", List.of(this.log), "workers", Long.toString(age), Integer.toString(most), "1000");
	}

	private String oldest() {
		return this.redis.xrange(this.log, Range.unbounded()).get(0).getId();
	}

	@Test
	void theLogIsTrimmedToTheEntriesKeptForStreams() {
		group();
		fillLog(20);
		take(20).forEach((entry) -> this.redis.xack(this.log, "workers", entry.getId()));
		trim(50);
		assertThat(this.redis.xlen(this.log)).isEqualTo(20);
		trim(5);
		assertThat(oldest()).isEqualTo("16-0");
	}

	@Test
	void theLogIsTrimmedByAgeButKeepsItsNewestEntry() {
		group();
		long now = millisThere();
		for (int age : List.of(50_000, 40_000, 30_000, 20_000)) {
			append(now - age);
		}
		take(4).forEach((entry) -> this.redis.xack(this.log, "workers", entry.getId()));
		trim(35_000, 100);
		assertThat(oldest()).as("the newest of the entries that are too old").isEqualTo((now - 40_000) + "-0");
		trim(1000, 100);
		assertThat(oldest()).isEqualTo((now - 20_000) + "-0");
	}

	@Test
	void theLogIsNeverTrimmedPastAPendingEntry() {
		group();
		fillLog(20);
		take(20).stream()
			.filter((entry) -> !entry.getId().equals("4-0"))
			.forEach((entry) -> this.redis.xack(this.log, "workers", entry.getId()));
		trim(5);
		assertThat(oldest()).isEqualTo("4-0");
		this.redis.xack(this.log, "workers", "4-0");
		trim(5);
		assertThat(oldest()).isEqualTo("16-0");
	}

	@Test
	void theLogIsNeverTrimmedPastAnUndeliveredEntry() {
		group();
		fillLog(20);
		trim(5);
		assertThat(oldest()).isEqualTo("1-0");
		take(7).forEach((entry) -> this.redis.xack(this.log, "workers", entry.getId()));
		trim(5);
		assertThat(this.redis.xrange(this.log, Range.unbounded())).extracting(StreamMessage::getId)
			.contains("8-0", "20-0");
		assertThat(take(20)).extracting(StreamMessage::getId).startsWith("8-0").hasSize(13);
	}

	/**
	 * The state without the age of the oldest entry, and without whether there is more.
	 * The entries here are as old as the epoch.
	 */
	private List<String> state() {
		List<String> state = new ArrayList<>(fanOutState());
		state.remove(2);
		state.remove(4);
		return state;
	}

	private List<String> fanOutState() {
		return fanOutState("-inf");
	}

	private List<String> fanOutState(String after) {
		return run("fanout-state", List.of(this.log, this.pieces, this.byCommit, this.dead), "workers", "3", after);
	}

	@Test
	void theStateHasTheAgeOfTheOldestWaitingEntry() {
		group();
		assertThat(fanOutState().get(2)).isEqualTo("0");
		long now = millisThere();
		append(now - 60_000);
		append(now - 40_000);
		append(now - 20_000);
		assertAge(60);
		take(2);
		assertAge(60);
		this.redis.xack(this.log, "workers", (now - 60_000) + "-0");
		assertAge(40);
		this.redis.xack(this.log, "workers", (now - 40_000) + "-0");
		assertAge(20);
		this.redis.zadd(this.pieces, now - 50_000, "a piece");
		assertAge(50);
		this.redis.zrem(this.pieces, "a piece");
		take(1);
		this.redis.xack(this.log, "workers", (now - 20_000) + "-0");
		assertThat(fanOutState().get(2)).isEqualTo("0");
	}

	private long millisThere() {
		List<String> time = this.redis.time();
		return Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
	}

	private void assertAge(int seconds) {
		assertThat(Long.parseLong(fanOutState().get(2))).isBetween(seconds * 1000L, seconds * 1000L + 9000);
	}

	@Test
	void entriesWaitFromTheOldestPendingOneOn() {
		group();
		fillLog(9);
		assertThat(state()).containsExactly("9", "0", "0-0", "0-0", "0");
		List<StreamMessage<String, String>> taken = take(6);
		assertThat(state()).as("at most three are listed")
			.containsExactly("9", "0", "3-0", "6-0", "3", "1-0", "2-0", "3-0");
		this.redis.xack(this.log, "workers", "1-0", "2-0", "4-0");
		assertThat(state()).containsExactly("7", "0", "6-0", "6-0", "3", "3-0", "5-0", "6-0");
		taken.forEach((entry) -> this.redis.xack(this.log, "workers", entry.getId()));
		assertThat(state()).containsExactly("3", "0", "6-0", "6-0", "0");
		take(3).forEach((entry) -> this.redis.xack(this.log, "workers", entry.getId()));
		assertThat(state()).containsExactly("0", "0", "9-0", "9-0", "0");
	}

	@Test
	void waitingEntriesAreCountedInATrimmedLog() {
		group();
		fillLog(20);
		take(10).forEach((entry) -> this.redis.xack(this.log, "workers", entry.getId()));
		trim(5);
		assertThat(state()).startsWith("10");
		this.redis.xtrim(this.log, 4);
		assertThat(state()).containsExactly("4", "0", "10-0", "10-0", "0");
	}

	private List<String> split(String entry, String... begins) {
		List<String> args = new ArrayList<>(List.of("workers", entry, "post", "P", "U"));
		args.addAll(List.of(begins));
		return run("split-fanout", List.of(this.log, this.list, this.pieces, this.postponed, this.byCommit),
				args.toArray(String[]::new));
	}

	@Test
	void anEntryIsSplitOnceAndItsTasksAreListedUntilAllAreDone() {
		group();
		fillLog(5);
		take(5).forEach((entry) -> {
			if (!entry.getId().equals("3-0")) {
				this.redis.xack(this.log, "workers", entry.getId());
			}
		});
		assertThat(split("3-0", "0", "1000", "2000")).containsExactly("3");
		assertThat(split("3-0", "0", "1000", "2000")).containsExactly("0");
		List<StreamMessage<String, String>> pieces = this.redis.xrange(this.list, Range.unbounded());
		assertThat(pieces).extracting((piece) -> piece.getBody().get("from") + "-" + piece.getBody().get("until"))
			.containsExactly("0-1000", "1000-2000", "2000-");
		this.redis.xgroupCreate(StreamOffset.from(this.list, "0"), "workers");
		assertThat(state()).containsExactly("3", "0", "5-0", "5-0", "0", "3");
		trim(1);
		assertThat(oldest()).isEqualTo("5-0");
		pieces.subList(0, 2).forEach(this::finish);
		assertThat(state()).containsExactly("1", "0", "5-0", "5-0", "0", "3");
		finish(pieces.get(2));
		finish(pieces.get(2));
		assertThat(state()).containsExactly("0", "0", "5-0", "5-0", "0");
		assertThat(this.redis.xlen(this.list)).isZero();
	}

	@Test
	void anEntryThatWasPostponedHoldsNeitherTheLogNorTheCountOfWaitingEntries() {
		group();
		fillLog(20);
		take(20).stream()
			.filter((entry) -> !entry.getId().equals("4-0"))
			.forEach((entry) -> this.redis.xack(this.log, "workers", entry.getId()));
		assertThat(state()).startsWith("17");
		assertThat(postpone("4-0")).containsExactly("1");
		assertThat(postpone("4-0")).containsExactly("0");
		assertThat(postpone("5-0")).as("one that is done").containsExactly("0");
		assertThat(state()).containsExactly("1", "0", "20-0", "20-0", "0", "4");
		trim(5);
		assertThat(oldest()).isEqualTo("16-0");
		assertThat(this.redis.xrange(this.postponed, Range.unbounded())).extracting(StreamMessage::getBody)
			.containsExactly(Map.of("entry", "4-0", "nonce", "n4", "n", "4"));
	}

	/**
	 * Here the state lists three entries in one call, as it lists a thousand on a site.
	 */
	@Test
	void anyNumberOfPostponedEntriesCountsAsThatManyWaitingOnes() {
		group();
		fillLog(20);
		take(20).forEach((entry) -> {
			if (Integer.parseInt(entry.getId().replace("-0", "")) > 6) {
				this.redis.xack(this.log, "workers", entry.getId());
			}
		});
		Stream.of("1-0", "2-0", "3-0", "4-0", "5-0", "6-0")
			.forEach((entry) -> assertThat(postpone(entry)).containsExactly("1"));
		this.redis.zadd(this.pieces, 2, "a task of an entry that is postponed, too");
		this.redis.zadd(this.pieces, 5, "a task");
		this.redis.zadd(this.pieces, 9, "another");
		assertThat(state()).containsExactly("9", "0", "20-0", "20-0", "0", "1", "2", "3");
		assertThat(fanOutState().get(5)).isEqualTo("1");
		assertThat(fanOutState("3")).endsWith("1", "0", "4", "5", "6");
		assertThat(fanOutState("6")).endsWith("0", "0", "9");
	}

	@Test
	void aNodeThatRefusesWritesKeepsTheEntryInTheLog() {
		group();
		fillLog(1);
		take(1);
		this.redis.set(this.postponed, "no stream");
		assertThatThrownBy(() -> postpone("1-0")).hasMessageContaining("WRONGTYPE");
		this.redis.set(this.list, "no stream");
		assertThatThrownBy(() -> split("1-0", "0")).hasMessageContaining("WRONGTYPE");
		this.redis.set(this.dead, "no stream");
		assertThatThrownBy(() -> run("dead-letter", List.of(this.log, this.dead), "workers", "1-0", "bad", "10"))
			.hasMessageContaining("WRONGTYPE");
		assertThat(this.redis.xpending(this.log, "workers").getCount()).isOne();
	}

	@Test
	void aPostponedEntryIsSplitOnceToo() {
		group();
		fillLog(5);
		take(5);
		postpone("3-0");
		this.redis.xgroupCreate(StreamOffset.from(this.postponed, "0"), "workers");
		assertThat(split("3-0", "0", "1000")).containsExactly("2");
		assertThat(split("3-0", "0", "1000")).containsExactly("0");
		assertThat(this.redis.xrange(this.list, Range.unbounded()))
			.extracting((task) -> task.getBody().get("entry") + " " + task.getBody().get("from"))
			.containsExactly("3-0 0", "3-0 1000");
		assertThat(this.redis.zcard(this.pieces)).isEqualTo(2);
		assertThat(this.redis.xlen(this.postponed) + this.redis.zcard(this.byCommit)).isZero();
	}

	private List<String> postpone(String entry) {
		return run("postpone-entry", List.of(this.log, this.postponed, this.byCommit), "workers", entry);
	}

	/** One entry can have hundreds of tasks. They must not hide the others. */
	@Test
	void theStateListsEntriesWithTasksAndNotTheirTasks() {
		group();
		fillLog(9);
		take(9).forEach((entry) -> this.redis.xack(this.log, "workers", entry.getId()));
		for (int task = 0; task < 12; task++) {
			this.redis.zadd(this.pieces, 2 + task / 4, "task " + task);
		}
		assertThat(state()).containsExactly("12", "0", "9-0", "9-0", "0", "2", "3", "4");
		this.redis.zadd(this.pieces, 6, "of a fourth entry");
		assertThat(state()).as("three are listed at once").containsExactly("13", "0", "9-0", "9-0", "0", "2", "3", "4");
		assertThat(fanOutState("4")).endsWith("0", "0", "6");
	}

	private void finish(StreamMessage<String, String> piece) {
		run("finish-task", List.of(this.list, this.pieces), "workers", piece.getId());
	}

	@Test
	void anUnfinishedTaskMovesToTheEndOfTheQueueOnce() {
		group();
		fillLog(1);
		take(1);
		split("1-0", "0", "1000");
		this.redis.xgroupCreate(StreamOffset.from(this.list, "0"), "workers");
		this.redis.xreadgroup(Consumer.from("workers", "w"), StreamOffset.lastConsumed(this.list));
		String first = this.redis.xrange(this.list, Range.unbounded()).get(0).getId();
		assertThat(run("requeue-task", List.of(this.list, this.pieces), "workers", first)).containsExactly("1");
		assertThat(run("requeue-task", List.of(this.list, this.pieces), "workers", first)).containsExactly("0");
		List<StreamMessage<String, String>> pieces = this.redis.xrange(this.list, Range.unbounded());
		assertThat(pieces).extracting((piece) -> piece.getBody().get("from")).containsExactly("1000", "0");
		assertThat(pieces.get(1).getBody()).containsEntry("entry", "1-0").containsEntry("until", "1000");
		assertThat(this.redis.zscore(this.pieces, pieces.get(1).getId())).isOne();
		assertThat(this.redis.zcard(this.pieces)).isEqualTo(2);
		assertThat(this.redis.xpending(this.list, "workers").getCount()).isOne();
	}

	/** A replica that was promoted may lack the delivery of a task that it has. */
	@Test
	void anUnfinishedTaskIsQueuedAgainEvenIfTheGroupDoesNotKnowThatItWasHandedOut() {
		group();
		fillLog(1);
		take(1);
		split("1-0", "0");
		this.redis.xgroupCreate(StreamOffset.from(this.list, "0"), "workers");
		StreamMessage<String, String> task = this.redis.xrange(this.list, Range.unbounded()).get(0);
		assertThat(run("requeue-task", List.of(this.list, this.pieces), "workers", task.getId())).containsExactly("1");
		finish(task);
		assertThat(this.redis.xrange(this.list, Range.unbounded())).singleElement()
			.satisfies((queued) -> assertThat(queued.getBody()).isEqualTo(task.getBody()));
		assertThat(this.redis.zcard(this.pieces)).isOne();
	}

	@Test
	void aTaskThatWasPutAsideIsATaskAgain() {
		group();
		fillLog(1);
		take(1);
		split("1-0", "0");
		this.redis.xgroupCreate(StreamOffset.from(this.list, "0"), "workers");
		StreamMessage<String, String> task = takeTask();
		Map<String, String> again = new HashMap<>(task.getBody());
		again.put("tried", "1");
		for (int time = 0; time < 2; time++) {
			assertThat(run("dead-letter", List.of(this.list, this.dead, this.pieces), "workers", task.getId(), "bad",
					"10"))
				.containsExactly("1");
			assertThat(this.redis.xlen(this.list)).isZero();
			String letter = this.redis.xrange(this.dead, Range.unbounded()).get(0).getId();
			assertThat(retry(letter)).containsExactly("1");
			assertThat(retry(letter)).containsExactly("0");
			assertThat(this.redis.xlen(this.dead)).isZero();
			task = takeTask();
			assertThat(task.getBody()).containsExactlyInAnyOrderEntriesOf(again);
			assertThat(this.redis.zscore(this.pieces, task.getId())).isOne();
		}
	}

	private StreamMessage<String, String> takeTask() {
		return this.redis.xreadgroup(Consumer.from("workers", "w"), StreamOffset.lastConsumed(this.list)).get(0);
	}

	@Test
	void anEntryThatWasPutAsideIsHandedOutAgain() {
		group();
		fillLog(2);
		take(2);
		run("dead-letter", List.of(this.log, this.dead), "workers", "1-0", "bad", "10");
		assertThat(this.redis.xpending(this.log, "workers").getCount()).isOne();
		assertThat(retry(this.redis.xrange(this.dead, Range.unbounded()).get(0).getId())).containsExactly("1");
		assertThat(abandoned(64, "-", "+")).contains("1-0");
	}

	@Test
	void aPostponedEntryThatWasPutAsideIsPostponedAgain() {
		group();
		fillLog(1);
		take(1);
		postpone("1-0");
		this.redis.xgroupCreate(StreamOffset.from(this.postponed, "0"), "workers");
		StreamMessage<String, String> entry = this.redis
			.xreadgroup(Consumer.from("workers", "w"), StreamOffset.lastConsumed(this.postponed))
			.get(0);
		run("dead-letter", List.of(this.postponed, this.dead, this.byCommit), "workers", entry.getId(), "bad", "10");
		assertThat(this.redis.xlen(this.postponed) + this.redis.zcard(this.byCommit)).isZero();
		assertThat(retry(this.redis.xrange(this.dead, Range.unbounded()).get(0).getId())).containsExactly("1");
		assertThat(this.redis.xrange(this.postponed, Range.unbounded())).singleElement()
			.satisfies((again) -> assertThat(again.getBody()).containsAllEntriesOf(entry.getBody()));
		assertThat(this.redis.zcard(this.byCommit)).isOne();
		assertThat(this.redis.exists(this.list)).isZero();
	}

	@Test
	void aPostponedPostThatWasPutAsideIsNotCalledDone() {
		group();
		this.redis.xadd(this.log, new XAddArgs().id("1-0"), "nonce", "n", "type", "post", "post", "P");
		take(1);
		postpone("1-0");
		assertThat(way("1", "P").subList(3, 6)).as("at work, tasks, dead").containsExactly("0", "1", "0");
		this.redis.xgroupCreate(StreamOffset.from(this.postponed, "0"), "workers");
		StreamMessage<String, String> entry = this.redis
			.xreadgroup(Consumer.from("workers", "w"), StreamOffset.lastConsumed(this.postponed))
			.get(0);
		run("dead-letter", List.of(this.postponed, this.dead, this.byCommit), "workers", entry.getId(), "bad", "10");
		assertThat(way("1", "P").subList(3, 6)).as("at work, tasks, dead").containsExactly("0", "0", "1");
	}

	private List<String> way(String millis, String post) {
		return run("way-of-post", List.of(this.log, this.pieces, this.byCommit, this.dead), millis, post, "workers");
	}

	private List<String> retry(String letter) {
		return run("retry-dead-letter",
				List.of(this.dead, this.log, this.list, this.pieces, this.postponed, this.byCommit), letter, "workers",
				"nobody", "60000");
	}

	@Test
	void aPendingEntryThatTheLogLostIsPutAsideOnce() {
		group();
		fillLog(3);
		take(3);
		this.redis.xdel(this.log, "2-0");
		assertThat(abandoned(64, "-", "+")).containsExactly("-", "3-0", "1-0", "3-0");
		assertThat(abandoned(64, "-", "+")).containsExactly("-", "3-0", "1-0", "3-0");
		assertThat(this.redis.xrange(this.dead, Range.unbounded())).singleElement()
			.satisfies((letter) -> assertThat(letter.getBody()).containsEntry("entry", "2-0"));
		assertThat(this.redis.xpending(this.log, "workers").getCount()).isEqualTo(2);
	}

	private List<String> abandoned(int most, String begin, String end) {
		return run("abandoned-entries", List.of(this.log, this.dead), "workers", "0", Integer.toString(most), "10",
				"nobody", begin, end);
	}

	private List<String> moveClaims(String from, String to, String... ids) {
		return run("move-claims", List.of(this.log),
				Stream.concat(Stream.of("workers", from, to), Stream.of(ids)).toArray(String[]::new));
	}

	@Test
	void entriesOfDeadConsumersComeBeforeThoseThatWereLeftForLater() {
		group();
		fillLog(6);
		take(6);
		assertThat(moveClaims("w", "nobody", "1-0", "2-0", "3-0", "5-0")).containsExactly("4");
		assertThat(abandoned(64, "-", "+")).containsExactly("(5-0", "+", "4-0", "6-0", "1-0", "2-0", "3-0", "5-0");
		assertThat(abandoned(4, "-", "+")).containsExactly("(2-0", "+", "4-0", "6-0", "1-0", "2-0");
		assertThat(abandoned(2, "(1-0", "6-0")).as("has no room for them").containsExactly("(1-0", "6-0", "4-0", "6-0");
	}

	@Test
	void entriesThatWereLeftForLaterAreFoundInTurn() {
		group();
		fillLog(4);
		take(4);
		moveClaims("w", "nobody", "1-0", "2-0", "3-0");
		this.redis.xack(this.log, "workers", "4-0");
		assertThat(abandoned(2, "-", "+")).containsExactly("(2-0", "+", "1-0", "2-0");
		assertThat(abandoned(2, "(2-0", "4-0")).containsExactly("(3-0", "4-0", "3-0");
		append(5);
		take(1);
		moveClaims("w", "nobody", "5-0");
		assertThat(abandoned(2, "(3-0", "4-0")).as("a new round, with those that came meanwhile")
			.containsExactly("(2-0", "5-0", "1-0", "2-0");
	}

	@Test
	void aConsumerRenewsAndLeavesOnlyWhatItHas() {
		group();
		fillLog(2);
		take(2);
		assertThat(moveClaims("w", "w", "1-0", "2-0", "9-0")).containsExactly("2");
		assertThat(moveClaims("other", "nobody", "1-0")).containsExactly("0");
		assertThat(this.redis.xpending(this.log, "workers").getConsumerMessageCount()).containsOnlyKeys("w");
	}

	@Test
	void aDeadConsumerWithoutPendingEntriesIsRemoved() {
		group();
		fillLog(2);
		for (String consumer : List.of("busy", "done")) {
			this.redis.xreadgroup(Consumer.from("workers", consumer), XReadArgs.Builder.count(1),
					StreamOffset.lastConsumed(this.log));
		}
		this.redis.xack(this.log, "workers", "2-0");
		assertThat(run("drop-consumers", List.of(this.log), "workers", "60000")).containsExactly("0");
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.until(() -> run("drop-consumers", List.of(this.log), "workers", "1").equals(List.of("1")));
		assertThat(this.redis.xinfoConsumers(this.log, "workers").toString()).contains("busy").doesNotContain("done");
		assertThat(run("drop-consumers", List.of(this.log), "workers", "1")).containsExactly("0");
	}

}
