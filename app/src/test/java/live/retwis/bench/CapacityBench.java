package live.retwis.bench;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.redis.Keys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Measures the memory that stored data need, by MEMORY USAGE of the keys and by what
 * Redis as a whole uses, in both encodings of sorted sets. It stores {@code
 * -Dbench.users} (100,000) users. One in a hundred has a full timeline.
 */
class CapacityBench {

	private static final int BATCH = 500;

	private static final int FOLLOWS = 20;

	private static final int POSTS = 10;

	private static final int TIMELINE = 800;

	/** Likes of a post. */
	private static final int LIKES = 3;

	/** Posts that a user likes. */
	private static final int LIKED = 300;

	/** One user in this many has a full timeline. The result is extrapolated. */
	private static final int FULL = 100;

	/** Keys of each kind that are measured. */
	private static final int SAMPLES = 1000;

	private final int users = Integer.getInteger("bench.users", 100_000);

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("capacity", "Memory", "CapacityBench");

	@Test
	void whatAnEntryOfEachKindTakes() {
		Measured compact = measure(TIMELINE);
		Measured plain = measure(128);
		row("a user: account and name", Bytes::user, compact, plain);
		row("a follow, on both sides", Bytes::follow, compact, plain);
		row("a post of 110 characters, in its author's list", Bytes::post, compact, plain);
		row("three likes of a post", Bytes::likes, compact, plain);
		row("a like in its user's list of " + LIKED, Bytes::liked, compact, plain);
		row("a full home timeline of " + TIMELINE, Bytes::timeline, compact, plain);
		row("an entry of a home timeline", (bytes) -> bytes.timeline() / TIMELINE, compact, plain);
		REPORT.add("one post put into 100 full timelines, compact", "µs", compact.write());
		REPORT.add("one post put into 100 full timelines, plain", "µs", plain.write());
		String many = "100 million users with " + FOLLOWS + " follows and " + POSTS
				+ " posts each, every tenth with a full timeline, ";
		REPORT.add(many + "compact", "TB", compact.all().many());
		REPORT.add(many + "plain", "TB", plain.all().many());
	}

	private static void row(String what, ToDoubleFunction<Bytes> of, Measured compact, Measured plain) {
		REPORT.add(what + ", compact, by MEMORY USAGE", "bytes", of.applyAsDouble(compact.keys()));
		REPORT.add(what + ", compact, of all memory", "bytes", of.applyAsDouble(compact.all()));
		REPORT.add(what + ", plain, by MEMORY USAGE", "bytes", of.applyAsDouble(plain.keys()));
		REPORT.add(what + ", plain, of all memory", "bytes", of.applyAsDouble(plain.all()));
	}

	private Measured measure(int listpackEntries) {
		try (RedisProcess redis = RedisProcess
			.start(RedisProcessOptions.DEFAULT.with("zset-max-listpack-entries " + listpackEntries))) {
			RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", redis.port()));
			try {
				return measure(client.connect());
			}
			finally {
				client.shutdown();
			}
		}
	}

	private Measured measure(StatefulRedisConnection<String, String> connection) {
		long empty = used(connection);
		fill(connection, this.users, (c, i) -> {
			c.hset("user:" + id(i),
					Map.of("username", "somebody" + i, "name", "somebody" + i, "password",
							"{bcrypt}$2a$10$" + "x".repeat(53), "auth", "1", "state", "active", "created",
							"1795297316550", "active", "1795297316550"));
			return c.set("username:somebody" + i, id(i));
		});
		long users = used(connection);
		fill(connection, this.users * FOLLOWS, (c, i) -> {
			int follower = i / FOLLOWS;
			int followed = (int) ((follower + 1L + (i % FOLLOWS) * 4_999L) % this.users);
			c.zadd("following:" + id(follower), 1795297316550d + i, id(followed));
			return c.zadd("followers:" + id(followed), 1795297316550d + i, id(follower));
		});
		long follows = used(connection);
		int authors = this.users / POSTS;
		fill(connection, this.users, (c, i) -> {
			c.hset("post:" + id(i),
					Map.of("author", id(i % authors), "username", "somebody" + i, "created", "1795297316550", "body",
							"a post of about as many characters as people write ".repeat(2) + "on averag"));
			return c.zadd("posts:" + id(i % authors), 1795297316550d + i, id(i));
		});
		long posts = used(connection);
		fill(connection, this.users * LIKES, (c, i) -> c.zadd("likes:" + id(i / LIKES), 1795297316550d + i, id(i)));
		long likes = used(connection);
		int full = this.users / FULL;
		fill(connection, full * LIKED, (c, i) -> c.zadd("liked:" + id(i / LIKED), 1795297316550d + i, id(i)));
		long liked = used(connection);
		fill(connection, full * TIMELINE,
				(c, i) -> c.zadd(Keys.homeTimeline(id(i / TIMELINE)), 1795297316550d + i, id(i)));
		long timelines = used(connection);
		Bytes all = new Bytes((double) (users - empty) / this.users, (double) (follows - users) / this.users / FOLLOWS,
				(double) (posts - follows) / this.users, (double) (likes - posts) / this.users,
				(double) (liked - likes) / full / LIKED, (double) (timelines - liked) / full);
		Bytes keys = new Bytes(
				usage(connection, this.users, (i) -> "user:" + id(i))
						+ usage(connection, this.users, (i) -> "username:somebody" + i),
				(usage(connection, this.users, (i) -> "following:" + id(i))
						+ usage(connection, this.users, (i) -> "followers:" + id(i))) / FOLLOWS,
				usage(connection, this.users, (i) -> "post:" + id(i))
						+ usage(connection, authors, (i) -> "posts:" + id(i)) / POSTS,
				usage(connection, this.users, (i) -> "likes:" + id(i)),
				usage(connection, full, (i) -> "liked:" + id(i)) / LIKED,
				usage(connection, full, (i) -> Keys.homeTimeline(id(i))));
		return new Measured(keys, all, write(connection, full));
	}

	/** The average MEMORY USAGE of a key, with all its members. */
	private static double usage(StatefulRedisConnection<String, String> connection, int count,
			IntFunction<String> key) {
		return IntStream.range(0, SAMPLES)
			.map((i) -> (int) ((long) i * count / SAMPLES))
			.mapToObj(key)
			.mapToLong((name) -> Objects.requireNonNull(connection.sync()
				.dispatch(CommandType.MEMORY, new IntegerOutput<>(StringCodec.UTF8),
						new CommandArgs<>(StringCodec.UTF8).add("USAGE").addKey(name).add("SAMPLES").add(0))))
			.average()
			.orElseThrow();
	}

	/** Redis's own time, in µs, for 100 writes into full timelines. */
	private double write(StatefulRedisConnection<String, String> connection, int full) {
		connection.sync().configResetstat();
		fill(connection, full, (c, i) -> {
			c.zremrangebyrank(Keys.homeTimeline(id(i)), 0, -TIMELINE);
			return c.zadd(Keys.homeTimeline(id(i)), 1799999999999d, "0ZZZZZZZZZZZZ");
		});
		double micros = connection.sync()
			.info("commandstats")
			.lines()
			.filter((line) -> line.startsWith("cmdstat_zadd:") || line.startsWith("cmdstat_zremrangebyrank:"))
			.mapToDouble((line) -> Double.parseDouble(line.replaceAll(".*,usec=(\\d+),.*", "$1")))
			.sum();
		return 100 * micros / full;
	}

	private static long used(StatefulRedisConnection<String, String> connection) {
		return connection.sync()
			.info("memory")
			.lines()
			.filter((line) -> line.startsWith("used_memory_dataset:"))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
			.findFirst()
			.orElseThrow();
	}

	private static void fill(StatefulRedisConnection<String, String> connection, int count, Step step) {
		connection.setAutoFlushCommands(false);
		for (int from = 0; from < count; from += BATCH) {
			List<RedisFuture<?>> answers = IntStream.range(from, Math.min(from + BATCH, count))
				.<RedisFuture<?>>mapToObj((i) -> step.commands(connection.async(), i))
				.toList();
			connection.flushCommands();
			LettuceFutures.awaitAll(30, TimeUnit.SECONDS, answers.toArray(RedisFuture<?>[]::new));
		}
		connection.setAutoFlushCommands(true);
	}

	/** An id as long as real ones, and as different. */
	private static String id(int number) {
		return "0SA%010d".formatted(number * 7919L % 10_000_000_000L);
	}

	private interface Step {

		RedisFuture<?> commands(RedisAsyncCommands<String, String> commands, int number);

	}

	/**
	 * The result of one measurement.
	 *
	 * @param keys by MEMORY USAGE
	 * @param all by what Redis uses
	 * @param write µs for 100 writes
	 */
	private record Measured(Bytes keys, Bytes all, double write) {
	}

	/**
	 * The bytes of one entry of each kind.
	 *
	 * @param user account and name
	 * @param follow entries in both lists
	 * @param post hash, and entry in the author's list
	 * @param likes a post's list of likes
	 * @param liked entry in the list of a user's likes
	 * @param timeline a full home timeline
	 */
	private record Bytes(double user, double follow, double post, double likes, double liked, double timeline) {

		/** Terabytes for 100 million users. */
		double many() {
			return 1e8 * (this.user + FOLLOWS * this.follow + POSTS * this.post + this.timeline / 10) / 1e12;
		}

	}

}
