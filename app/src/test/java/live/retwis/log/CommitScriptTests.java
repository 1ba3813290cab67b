package live.retwis.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.LuaScript;
import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The scripts that write to the log and announce the entries, on a real Redis, each test
 * with its own keys.
 */
class CommitScriptTests {

	private final Site site = Site.shared();

	private final RedisClusterCommands<String, String> redis = this.site.redis();

	private final String tag = "{test:" + UUID.randomUUID() + "}";

	private final String log = this.tag + ":log";

	private final String list = this.tag + ":list";

	private final String pieces = this.tag + ":pieces";

	private List<String> run(String script, List<String> keys, String... args) {
		return Objects
			.requireNonNull(this.site.bean(DataNodeCommands.class).run(LuaScript.named(script), keys, args).block());
	}

	private List<String> publish(String nonce, String post, String digest, String publicSize) {
		return publish(nonce, post, digest, publicSize, "");
	}

	private List<String> publish(String nonce, String post, String digest, String publicSize, String pulled) {
		this.redis.zadd(intents(), 1, "post " + nonce);
		return run("publish",
				List.of(this.log, this.list, this.tag + ":once", this.pieces, intents(), this.tag + ":closed"),
				this.tag + ":bus", nonce, post, "U", digest, publicSize, "60", pulled, "post " + nonce,
				"delivery " + nonce, "10000", "");
	}

	private String intents() {
		return this.tag + ":intents";
	}

	@Test
	void noPostOfADeletedAccountIsPublished() {
		this.redis.zadd(this.tag + ":closed", Double.POSITIVE_INFINITY, "U");
		assertThat(publish("n", "P", "d", "10")).isEmpty();
		assertThat(this.redis.exists(this.log, this.list, this.tag + ":once")).isZero();
		assertThat(this.redis.zrange(intents(), 0, -1)).as("the intent removes the post later")
			.containsExactly("post n");
	}

	@Test
	void aPostIsPublishedOnlyWithItsIntentAndThenLeavesAnIntentToDeliverIt() {
		assertThat(run("publish",
				List.of(this.log, this.list, this.tag + ":once", this.pieces, intents(), this.tag + ":closed"),
				this.tag + ":bus", "n", "P", "U", "d", "10", "60", "", "post n", "delivery n", "10000", ""))
			.isEmpty();
		assertThat(this.redis.exists(this.log, this.list, this.tag + ":once", intents())).isZero();
		List<String> made = publish("n", "P", "d", "10");
		assertThat(this.redis.zrangeWithScores(intents(), 0, -1)).singleElement().satisfies((intent) -> {
			assertThat(intent.getValue()).isEqualTo("delivery n");
			assertThat((long) intent.getScore()).isEqualTo(Long.parseLong(made.get(0).split("-")[0]) + 10_000);
		});
	}

	private List<String> append(String intent, String... fields) {
		List<String> args = new ArrayList<>(List.of(this.tag + ":bus", "n", intent, "60000"));
		args.addAll(List.of(fields));
		return run("append", List.of(this.log, intents(), this.tag + ":closed"), args.toArray(String[]::new));
	}

	@Test
	void anEntryThatFinishesAnIntentIsAppendedOnce() {
		run("declare-intent", List.of(intents()), "intent", "10000");
		assertThat(append("intent", "auth", "user", "U")).hasSize(2);
		assertThat(append("intent", "auth", "user", "U")).isEmpty();
		assertThat(append("", "auth", "user", "U")).hasSize(2);
		assertThat(this.redis.xlen(this.log)).isEqualTo(2);
		assertThat(this.redis.exists(intents())).isZero();
	}

	@Test
	void anAccountDeletionIsLoggedOnceAndRememberedForAWhile() {
		String closed = this.tag + ":closed";
		this.redis.zadd(closed, 1, "long cleared away");
		run("declare-intent", List.of(intents()), "again", "10000");
		assertThat(append("", "closed", "user", "U")).hasSize(2);
		assertThat(append("again", "closed", "user", "U")).containsExactly("told");
		assertThat(this.redis.exists(intents())).isZero();
		assertThat(this.redis.zscore(closed, "U")).isInfinite();
		List<String> freed = append("", "freed", "user", "U", "facts", "name");
		assertThat(this.redis.zscore(closed, "U")).isEqualTo(Double.parseDouble(freed.get(0).split("-")[0]));
		assertThat(this.redis.zrange(closed, 0, -1)).containsExactly("U");
		assertThat(this.redis.xlen(this.log)).isEqualTo(2);
	}

	private List<String> take(String most) {
		return run("take-intents", List.of(intents()), most, "10000", "taken ", "600000");
	}

	@Test
	void onlyOneInstanceTakesOverAnIntentWhoseTimeIsOver() {
		run("declare-intent", List.of(intents()), "later", "10000");
		assertThat(take("10")).isEmpty();
		this.redis.zadd(intents(), 1, "first");
		this.redis.zadd(intents(), 2, "second");
		this.redis.zadd(intents(), 3, "taken third");
		assertThat(take("2")).containsExactly("taken first", "taken second");
		assertThat(take("2")).containsExactly("taken third");
		assertThat(take("2")).isEmpty();
		assertThat(append("first", "auth", "user", "U")).as("a late append is refused").isEmpty();
		assertThat(append("taken first", "auth", "user", "U")).hasSize(2);
		assertThat(this.redis.zrange(intents(), 0, -1)).containsExactlyInAnyOrder("taken second", "taken third",
				"later");
	}

	@Test
	void aFormThatIsSentTwiceIsCommittedOnceAndGetsTheSameAnswer() {
		List<String> first = publish("n1", "P1", "d1", "10");
		assertThat(first).hasSize(4).endsWith("n1", "P1", "d1");
		assertThat(publish("n2", "P2", "d2", "10")).isEqualTo(first);
		assertThat(this.redis.xlen(this.log)).isOne();
		assertThat(this.redis.zrange(this.list, 0, -1)).containsExactly("P1");
		assertThat(this.redis.zscore(this.list, "P1")).isEqualTo(Double.parseDouble(first.get(0).split("-")[0]));
		assertThat(this.redis.ttl(this.tag + ":once")).isBetween(1L, 60L);
		assertThat(this.redis.xrange(this.log, Range.unbounded())).extracting(StreamMessage::getBody)
			.containsExactly(Map.of("nonce", "n1", "n", "1", "type", "post", "post", "P1", "user", "U"));
	}

	@Test
	void aPulledPostIsMarkedInItsEntryAndItsAuthorIsListedAsPulled() {
		publish("n1", "P1", "d1", "10", "");
		this.redis.del(this.tag + ":once");
		assertThat(this.redis.exists(this.pieces)).isZero();
		publish("n2", "P2", "d2", "10", "1");
		assertThat(this.redis.zrange(this.pieces, 0, -1)).containsExactly("U");
		assertThat(this.redis.xrange(this.log, Range.unbounded())).extracting((entry) -> entry.getBody().get("pulled"))
			.containsExactly(null, "1");
	}

	@Test
	void thePublicListIsTrimmedBeforeAPostIsAdded() {
		for (int i = 0; i < 6; i++) {
			publish("n" + i, "P" + i, "d", "3");
			this.redis.del(this.tag + ":once");
			assertThat(this.redis.zcard(this.list)).isEqualTo(Math.min(3, i + 1));
		}
		assertThat(this.redis.zrange(this.list, 0, -1)).hasSize(3).contains("P5");
	}

	@Test
	void aListHoldsAMemberOnceAndKeepsTheNewest() {
		for (int i = 1; i <= 5; i++) {
			assertThat(addToTimeline(i * 10, "m" + i)).containsExactly("1");
			assertThat(addToTimeline(i * 10, "m" + i)).containsExactly("1");
		}
		assertThat(this.redis.zrange(this.list, 0, -1)).containsExactly("m3", "m4", "m5");
		assertThat(addToTimeline(5, "too old")).containsExactly("0");
		assertThat(addToTimeline(35, "between")).containsExactly("1");
		assertThat(this.redis.zrange(this.list, 0, -1)).containsExactly("between", "m4", "m5");
		assertThat(addToTimeline(99, "m4")).containsExactly("1");
		assertThat(this.redis.zscore(this.list, "m4")).isEqualTo(40);
	}

	private List<String> addToTimeline(long score, String member) {
		return run("add-to-list", List.of(this.list), "3", Long.toString(score), member);
	}

	@Test
	void anEmptyLogGetsItsFirstEntry() {
		List<String> first = run("open-log", List.of(this.log), "n1");
		assertThat(first).endsWith("n1");
		assertThat(run("open-log", List.of(this.log), "n2")).isEqualTo(first);
		assertThat(this.redis.xlen(this.log)).isOne();
	}

	@Test
	void aScriptThatRedisDoesNotKnowIsSentAgain() {
		assertThat(addToTimeline(1, "before")).containsExactly("1");
		this.redis.scriptFlush();
		assertThat(addToTimeline(2, "after")).containsExactly("1");
	}

}
