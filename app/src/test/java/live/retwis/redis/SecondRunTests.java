package live.retwis.redis;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import io.lettuce.core.ScriptOutputType;
import live.retwis.testing.Site;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A script runs again when its answer was lost. The second time it changes nothing. It
 * answers as the first time, unless its caller has to know that it was the second time.
 */
class SecondRunTests {

	/** What these do a second time is shown by the tests of the log and the archive. */
	private static final Set<String> OF_THE_LOG_AND_THE_ARCHIVE = Set.of("abandoned-entries", "add-to-timeline",
			"announce-timeline", "append", "archive-places", "begin-timeline", "change-list", "dead-letter",
			"declare-intent", "delete-archived", "drop-archived", "drop-consumers", "drop-list", "fanout-state",
			"finish-task", "forget-archived", "keep-lab-run", "log-time", "look-at-key", "mark-archived",
			"merge-into-timeline", "move-claims", "note-way", "older-release", "open-log", "postpone-entry",
			"public-page", "publish", "read-key", "read-list", "remove-from-timeline", "renew-fence", "requeue-task",
			"restore-list", "retry-dead-letter", "set-archived-size", "set-boundary", "split-fanout", "swap-value",
			"take-intents", "time", "trim-log", "use-list", "way-of-post");

	private static final String USER = "HSET user password old auth 1 state active";

	private static final String POST = "HSET post author U body text";

	private static final String DELETED = "HSET post deleted mark";

	private static final String FENCE = "SET fence owner";

	/** Those whose caller has to know whether this run has changed something. */
	private static final List<Case> DIFFERENT = List.of(new Case("add-if-room", "list", "10 5 P"),
			new Case("keep-device", "devices", "D new 5 10 60 1", "HSET devices D old"),
			new Case("keep-session", "sessions", "S hash 1 5 Firefox 10 60"),
			new Case("remove-follower", "shards shard", "0 U 5", "ZADD shard 5 U"),
			new Case("remove-following", "list", "U", "ZADD list 5 U"),
			new Case("remove-member", "list", "P", "ZADD list 5 P"),
			new Case("set-profile", "user picture", "Ada bio", USER));

	private static final List<Case> SAME = List.of(new Case("add-follower", "shards shard next", "U 5 10"),
			new Case("add-notification", "list read", "10 5 like", "SET read 9"),
			new Case("add-repost", "reposts", "U R 10"),
			new Case("add-to-list", "list", "2 5 P", "ZADD list 3 old 4 new"),
			new Case("add-within-limit", "list", "U 5 10"),
			new Case("anonymize-report", "reports", "U random", "HSET reports U spam"),
			new Case("close-account", "user fence", "1 owner 5", USER, FENCE),
			new Case("commit-username", "name fence", "U owner", FENCE),
			new Case("count-followers", "shards one two", "-", "HSET shards last 1", "ZADD two 5 U"),
			new Case("count-tag", "tags posts", "tag P 5 2 60 10 60", "ZADD tags 3 one 4 two"),
			new Case("create-hash", "post", "author U created 5 nonce N"),
			new Case("delete-post", "post", "U mark tag", POST), new Case("discard-hash", "post", "- author U", POST),
			new Case("discard-picture", "user picture", "hash data", "HSET user picture hash", "SET picture data"),
			new Case("discard-value", "value", "- V", "SET value V"),
			new Case("end-session", "session", "-", "SET session U_1"),
			new Case("forget-body", "post", "-", POST, DELETED),
			new Case("forget-devices", "devices", "D 2 60", "HSET devices D old E other"),
			new Case("forget-followers", "shards", "60", "HSET shards removed 5"),
			new Case("forget-post", "post", "60 -", POST, DELETED),
			new Case("keep-report", "posts reports", "prefix 10 10 P U 5 spam"),
			new Case("keep-session", "sessions", "S hash 2 5 Firefox 1 60", "HSET sessions S hash_2_3_3_Chrome",
					"HSET sessions T other_2_3_3_Chrome"),
			new Case("note-visit", "user", "5", USER), new Case("note-words", "user", "ada", USER),
			new Case("read-notifications", "list read", "6 1", "ZADD list 5 like 7 reply"),
			new Case("remove-exactly", "list", "P 5", "ZADD list 5 P"),
			new Case("remove-repost", "reposts", "U R", "HSET reposts U R"),
			new Case("replace-password", "user", "old new", USER),
			new Case("retire-user", "user picture", "60", USER, "HSET user state deleted", "SET picture data"),
			new Case("rotate-auth", "user fence", "1 owner mark new", USER, FENCE),
			new Case("set-count", "post", "likes 3 likes replies", POST), new Case("set-expiry", "post", "60000", POST),
			new Case("set-profile", "user picture", "Ada bio hash data", USER),
			new Case("set-suspended", "user fence", "owner suspended 5", USER, FENCE),
			new Case("settle-words", "user", "former new", USER, "HSET user words former"),
			new Case("trending-tags", "sum one two", "1 60", "ZADD one 3 tag", "ZADD two 4 other"));

	private final Site site = Site.shared();

	@Test
	void eachScriptHasACase() throws IOException {
		Resource[] files = new PathMatchingResourcePatternResolver().getResources("classpath:/lua/*.lua");
		assertThat(Stream.concat(SAME.stream(), DIFFERENT.stream()).map(Case::script).distinct())
			.containsExactlyInAnyOrderElementsOf(Arrays.stream(files)
				.map((file) -> Objects.requireNonNull(file.getFilename()).replace(".lua", ""))
				.filter((script) -> !OF_THE_LOG_AND_THE_ARCHIVE.contains(script))
				.toList());
	}

	@TestFactory
	Stream<DynamicTest> theSecondRunChangesNothingAndAnswersAsTheFirst() {
		return SAME.stream().map((given) -> given.test(() -> {
			Runs runs = twice(given);
			assertThat(runs.second()).isEqualTo(runs.first());
		}));
	}

	@TestFactory
	Stream<DynamicTest> theSecondRunChangesNothingAndSaysThatItWasTheSecond() {
		return DIFFERENT.stream().map((given) -> given.test(() -> {
			Runs runs = twice(given);
			assertThat(runs.second()).isNotEqualTo(runs.first());
		}));
	}

	/** Runs the script twice, with keys of its own. */
	private Runs twice(Case given) {
		String tag = "{test:" + UUID.randomUUID() + "}:";
		for (String command : given.before()) {
			String[] words = words(command);
			this.site.redis()
				.eval("redis.call(ARGV[1], KEYS[1], unpack(ARGV, 2)) return {}", ScriptOutputType.MULTI,
						new String[] { tag + words[1] },
						Stream.concat(Stream.of(words[0]), Arrays.stream(words).skip(2)).toArray(String[]::new));
		}
		List<String> keys = Arrays.stream(words(given.keys())).map(tag::concat).toList();
		List<String> first = run(given, keys);
		assertThat(first).as("not refused").isNotEqualTo(List.of("0"));
		List<byte[]> between = dump(keys);
		List<String> second = run(given, keys);
		assertThat(dump(keys)).as("what is stored after the second run").usingRecursiveComparison().isEqualTo(between);
		return new Runs(first, second);
	}

	private List<byte[]> dump(List<String> keys) {
		return keys.stream().map(this.site.redis()::dump).toList();
	}

	private List<String> run(Case given, List<String> keys) {
		return Objects.requireNonNull(this.site.bean(DataNodeCommands.class)
			.run(LuaScript.named(given.script()), keys, words(given.arguments()))
			.block());
	}

	private static String[] words(String line) {
		return Arrays.stream(line.split(" "))
			.map((word) -> word.equals("-") ? "" : word.replace('_', ' '))
			.toArray(String[]::new);
	}

	/** The answers to two runs. */
	private record Runs(List<String> first, List<String> second) {
	}

	/**
	 * A script with its keys and arguments, separated by spaces. In each text "-" stands
	 * for an empty word, and "_" for a space in a word.
	 *
	 * @param before commands that make what is there
	 */
	private record Case(String script, String keys, String arguments, String... before) {

		DynamicTest test(Executable test) {
			return DynamicTest.dynamicTest(this.script + " " + this.arguments, test);
		}

	}

}
