package live.retwis.bench;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import live.retwis.archive.ArchiveMover;
import live.retwis.archive.ArchivedPost;
import live.retwis.archive.PostArchive;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.locks.nodes.testing.bench.Figure;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.PostgresServer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The archive on PostgreSQL: how fast posts move there, what stays of them in Redis, and
 * how long pages take that are read from there, beside the same pages from Redis.
 * {@code -Dbench.moved} (200,000) posts move, {@code -Dbench.archived} (10,000,000) are
 * there before pages are read. All runs in this JVM and on this machine.
 */
@ExtendWith(RedisExtension.class)
class ArchiveBench {

	private static final int BATCH = 1000;

	/** Posts that one statement inserts. */
	private static final int CHUNK = 500_000;

	private static final int POSTS_OF_AN_AUTHOR = 1000;

	private static final int FOLLOWED = 2000;

	/** Posts of the author whose pages are read. */
	private static final int DEEP = 110_000;

	/** Users who like posts, each as many. */
	private static final int LIKERS = 1000;

	private static final int TAGS = 500;

	/** Words of a post, and how many different ones there are. */
	private static final int WORDS = 12;

	private static final int VOCABULARY = 20_000;

	private static final int PAGE = 20;

	private static final Duration WARM_UP = Duration.ofSeconds(20);

	private static final Duration SAMPLED = Duration.ofSeconds(10);

	private static final Duration BOUND = Duration.ofMinutes(30);

	private static final String FORGET_FETCHED = "for _, key in ipairs(redis.call('KEYS', '" + Keys.ARCHIVED
			+ "*')) do redis.call('UNLINK', key) end return 0";

	private static final int SAMPLES = 400;

	private static final int WARM = 100;

	/** Sorts behind all ids. */
	private static final String LAST = "Z".repeat(13);

	private static final long DAY = Duration.ofDays(1).toMillis();

	private static final String BODY = "a post of about as many characters as people write ".repeat(2) + "on averag";

	private final int moved = Integer.getInteger("bench.moved", 200_000);

	private final int archived = Integer.getInteger("bench.archived", 10_000_000);

	private final long now = System.currentTimeMillis();

	private final Random random = new Random(7);

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("archive", "Old posts", "ArchiveBench");

	@Test
	void movingAndReading(@OwnRedis TestRedis redis) {
		try (PostgresServer database = PostgresServer.start("shared_buffers=1GB", "max_wal_size=4GB");
				Site site = site(redis, database)) {
			RedisClient client = RedisClient.create(RedisURI.create(redis.host(), redis.port()));
			try (StatefulRedisConnection<String, String> connection = client.connect()) {
				move(site, connection, database);
				read(site, connection, database);
			}
			finally {
				client.shutdown();
			}
		}
	}

	/**
	 * What stays in Redis of posts with two likes, a reply and a tag each. The reply to a
	 * post is another one of the posts.
	 */
	@Test
	void memoryOfPostsWithLikesRepliesAndTags(@OwnRedis TestRedis redis) {
		RedisClient client = RedisClient.create(RedisURI.create(redis.host(), redis.port()));
		try (PostgresServer database = PostgresServer.start();
				StatefulRedisConnection<String, String> connection = client.connect()) {
			long empty;
			long full;
			try (Site site = site(redis, database)) {
				empty = used(connection);
				fill(connection, this.moved, (i) -> usedPost(connection, i));
				full = used(connection);
				site.bean(ArchiveMover.class).moveAll().block(BOUND);
			}
			double daysAgo = this.now - 2.0 * DAY;
			fill(connection, this.moved, (i) -> {
				String post = id("0B" + pad(i, 11));
				for (String list : List.of(Keys.likes(post), Keys.replies(post))) {
					connection.async().set(Keys.listInUse(list), Long.toString((long) daysAgo));
					connection.async().zadd(Keys.ARCHIVE_LISTS, daysAgo, list);
				}
				return connection.async().del(Keys.ARCHIVE_MOVER);
			});
			try (Site site = site(redis, database)) {
				Awaitility.await("the lists move")
					.atMost(BOUND)
					.until(() -> site.redis().zcard(Keys.ARCHIVE_LISTS) == 0);
			}
			double posts = this.moved;
			REPORT.add("Redis for a post with two likes, a reply and a tag, before it moved", "bytes",
					(full - empty) / posts);
			REPORT.add("the same after it moved", "bytes", (used(connection) - empty) / posts);
			REPORT.add("of the memory, after such posts moved", "%",
					100.0 * (used(connection) - empty) / (full - empty));
			for (String kind : List.of("liked:", "tag:", "posts:", "post:", "likes:", "replies:")) {
				REPORT.add("after such a post moved, in " + kind + "*", "bytes", memory(connection, kind) / posts);
			}
		}
		finally {
			client.shutdown();
		}
	}

	private static Site site(TestRedis redis, PostgresServer database) {
		return Site.start(redis, Stream.concat(database.settings().stream(), Stream.of("--retwis.archive.every=10h"))
			.toArray(String[]::new));
	}

	private RedisFuture<?> usedPost(StatefulRedisConnection<String, String> connection, int number) {
		RedisAsyncCommands<String, String> commands = connection.async();
		String post = id("0B" + pad(number, 11));
		String reply = id("0B" + pad((number + 1) % this.moved, 11));
		double millis = this.now - 100.0 * DAY - number;
		post(connection, "0A" + pad(number / POSTS_OF_AN_AUTHOR, 11), post, (long) millis);
		commands.hset(Keys.post(post), Map.of("reply_to", id("0B" + pad((number + this.moved - 1) % this.moved, 11)),
				"reply_username", "somebody", "likes", "2", "replies", "1"));
		for (int liker = 0; liker < 2; liker++) {
			String user = id("0C" + pad((2 * number + liker) % LIKERS, 11));
			commands.zadd(Keys.likes(post), millis, user);
			commands.zadd(Keys.liked(user), millis, post);
		}
		commands.zadd(Keys.replies(post), millis, reply);
		return commands.zadd(Keys.tag("tag" + number % TAGS), millis, post);
	}

	/** MEMORY USAGE of all keys that begin with this. */
	private static long memory(StatefulRedisConnection<String, String> connection, String kind) {
		return ScanIterator.scan(connection.sync(), ScanArgs.Builder.matches(kind + "*").limit(1000))
			.stream()
			.mapToLong((key) -> Objects.requireNonNullElse(connection.sync().memoryUsage(key), 0L))
			.sum();
	}

	/** Half of the posts move alone, the other half while somebody reads. */
	private void move(Site site, StatefulRedisConnection<String, String> connection, PostgresServer database) {
		Visitor author = Visitor.registered(site);
		fill(connection, PAGE, (i) -> post(connection, author.id(), "0F" + pad(i, 11), this.now - i * 60_000L));
		Visitor stranger = Visitor.of(site);
		Function<BooleanSupplier, Double> reader = (more) -> pagesPerSecond(stranger, "/@" + author.name(), more);
		reader.apply(within(WARM_UP));
		long empty = used(connection);
		fillOld(connection, 0);
		long full = used(connection);
		long start = System.nanoTime();
		site.bean(ArchiveMover.class).moveAll().block(BOUND);
		REPORT.add(Figure.once("posts moved to the archive", "/s", perSecond(this.moved / 2, start)).atLeast(5000));
		REPORT.add("Redis for a post before it moved", "bytes", (full - empty) / (this.moved / 2.0));
		REPORT.add("Redis for a post after it moved", "bytes", (used(connection) - empty) / (this.moved / 2.0));
		REPORT.add(Figure
			.once("of the memory, after posts moved", "%", 100.0 * (used(connection) - empty) / (full - empty))
			.atMost(2));
		fillOld(connection, this.moved / 2);
		double before = reader.apply(within(SAMPLED));
		start = System.nanoTime();
		CompletableFuture<Void> moving = site.bean(ArchiveMover.class).moveAll().toFuture();
		double beside = reader.apply(() -> !moving.isDone());
		double rate = perSecond(this.moved / 2, start);
		moving.join();
		double after = reader.apply(within(SAMPLED));
		size(database, "posts", "PostgreSQL for a post that has moved, its words and indexes included");
		size(database, "tags", "PostgreSQL for a tag of a post, indexes included");
		REPORT.add(Figure.once("posts moved beside one reader", "/s", rate).atLeast(5000));
		REPORT.add(Figure.of("profile pages of a reader alone, before and after", "/s", List.of(before, after)));
		REPORT.add("profile pages of a reader beside a move", "/s", beside);
		REPORT
			.add(Figure.once("pages beside a move, of those alone", "×", beside / ((before + after) / 2)).atLeast(0.9));
	}

	private void fillOld(StatefulRedisConnection<String, String> connection, int first) {
		fill(connection, this.moved / 2, (i) -> post(connection, "0A" + pad((first + i) / POSTS_OF_AN_AUTHOR, 11),
				"0B" + pad(first + i, 11), this.now - 100 * DAY - i, body(i)));
	}

	/** A text with other words in each post, and every tenth time a tag. */
	private String body(int number) {
		String words = this.random.ints(WORDS, 0, VOCABULARY)
			.mapToObj((word) -> "word" + word)
			.collect(Collectors.joining(" "));
		return (number % 10 == 0) ? words + " #tag" + this.random.nextInt(TAGS) : words;
	}

	private static void size(PostgresServer database, String table, String what) {
		REPORT.add(what, "bytes", Double.parseDouble(
				database.sql("select pg_total_relation_size('" + table + "') / count(*) from " + table).get(0)));
	}

	private static BooleanSupplier within(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		return () -> System.nanoTime() - end < 0;
	}

	private static double perSecond(int count, long start) {
		return count / ((System.nanoTime() - start) / 1e9);
	}

	private static double pagesPerSecond(Visitor reader, String path, BooleanSupplier more) {
		long start = System.nanoTime();
		int pages = 0;
		while (more.getAsBoolean()) {
			assertThat(reader.get(path).postIds()).hasSize(PAGE);
			pages++;
		}
		return perSecond(pages, start);
	}

	private void read(Site site, StatefulRedisConnection<String, String> connection, PostgresServer database) {
		Visitor old = Visitor.registered(site);
		Visitor young = Visitor.registered(site);
		insert(database, old.id(), old.name(), DEEP, "C");
		long mark = this.now - 100 * DAY;
		site.redis().zadd(Keys.postsOf(old.id()), (double) mark, "+");
		site.redis().zadd(Keys.postsOf(old.id()), (double) DEEP, "#");
		int others = (this.archived - DEEP) / POSTS_OF_AN_AUTHOR;
		for (int begin = 0; begin < others * POSTS_OF_AN_AUTHOR; begin += CHUNK) {
			int end = Math.min(begin + CHUNK, others * POSTS_OF_AN_AUTHOR) - 1;
			database.sql("insert into posts (id, author, committed, pulled, username, created, body) select 'D' || "
					+ "lpad(i::text, 12, '0'), '0E' || lpad((i / " + POSTS_OF_AN_AUTHOR + ")::text, 11, '0'), " + mark
					+ " - (i % " + POSTS_OF_AN_AUTHOR + ") * 60000, false, 'somebody', 1, '" + BODY
					+ "' from generate_series(" + begin + ", " + end + ") i");
		}
		database.sql("analyze posts");
		fetch(site, connection);
		size(database, "posts",
				String.format(Locale.ROOT, "PostgreSQL for a post of %,d, without words", this.archived));
		fill(connection, 2000, (i) -> post(connection, young.id(), "F" + pad(i, 12), this.now - DAY - i * 60_000L));
		Visitor reader = Visitor.registered(site);
		fill(connection, FOLLOWED, (i) -> {
			String author = id("0E" + pad(i * (others / FOLLOWED), 11));
			connection.async().hset(Keys.user(author), Map.of("username", "u" + i, "auth", "1", "created", "1"));
			connection.async().zadd(Keys.postsOf(author), (double) mark, "+");
			connection.async().zadd(Keys.postsOf(author), (double) POSTS_OF_AN_AUTHOR, "#");
			return connection.async().zadd(Keys.following(reader.id()), 1.0 + i, author);
		});
		Visitor stranger = Visitor.of(site);
		double hot = p99(stranger, "/@" + young.name(), Keys.postsOf(young.id()),
				() -> new Cursor(this.now - DAY - this.random.nextInt(1900) * 60_000L, LAST));
		REPORT.add("a page of a profile from Redis: p99", "ms", hot);
		RenderedPosts memory = site.bean(RenderedPosts.class);
		double hotUnread = p99(stranger, "/@" + young.name(), Keys.postsOf(young.id()), () -> {
			memory.reset();
			return new Cursor(this.now - DAY - this.random.nextInt(1900) * 60_000L, LAST);
		});
		REPORT.add("a page of a profile from Redis, its texts not in memory: p99", "ms", hotUnread);
		for (int page : List.of(1, 50, 5000)) {
			double cold = p99(stranger, "/@" + old.name(), Keys.postsOf(old.id()),
					() -> new Cursor(mark - (page * (long) PAGE + this.random.nextInt(PAGE * 20)) * 1000, LAST));
			String name = String.format(Locale.ROOT, "page %,d past the seam, %,d archived posts in all: p99", page,
					this.archived);
			REPORT.add(name, "ms", cold);
			REPORT.add(Figure.once(name + ", of a page from Redis", "×", cold / hot).atMost(3));
			double unread = p99(stranger, "/@" + old.name(), Keys.postsOf(old.id()), () -> {
				memory.reset();
				site.redis().eval(FORGET_FETCHED, ScriptOutputType.INTEGER);
				return new Cursor(mark - (page * (long) PAGE + this.random.nextInt(PAGE * 20)) * 1000, LAST);
			});
			REPORT.add(name + ", its texts not in memory", "ms", unread);
			REPORT.add(Figure.once(name + ", its texts not in memory, of a page from Redis", "×", unread / hotUnread)
				.atMost(3));
		}
		double home = p99(reader, "/home", Keys.homeTimeline(reader.id()),
				() -> new Cursor(mark - this.random.nextInt(900) * 60_000L, LAST));
		REPORT.add("a home page in the archive, " + FOLLOWED + " followed: p99", "ms", home);
	}

	/** What the posts of a page cost while only the archive has them, and afterwards. */
	private void fetch(Site site, StatefulRedisConnection<String, String> connection) {
		PostArchive archive = site.bean(PostArchive.class);
		percentiles("from the archive alone", archive::findUncached);
		long before = used(connection);
		percentiles("from the archive, kept in Redis then", archive::find);
		REPORT.add("Redis for a post that was fetched", "bytes",
				(used(connection) - before) / (double) site.keys(Keys.ARCHIVED + "*").size());
		percentiles("kept in Redis", archive::find);
	}

	private void percentiles(String what, Function<String, Mono<ArchivedPost>> find) {
		double[] millis = new double[SAMPLES];
		for (int i = -WARM; i < SAMPLES; i++) {
			int first = (i + WARM) * PAGE;
			long start = System.nanoTime();
			assertThat(Flux.range(first, PAGE)
				.map((number) -> "C" + pad(number, 12))
				.flatMap(find)
				.count()
				.block(Duration.ofSeconds(30))).isEqualTo(PAGE);
			if (i >= 0) {
				millis[i] = (System.nanoTime() - start) / 1e6;
			}
		}
		Arrays.sort(millis);
		REPORT.add(PAGE + " posts " + what + ": median", "ms", millis[SAMPLES / 2]);
		REPORT.add(PAGE + " posts " + what + ": p99", "ms", millis[SAMPLES * 99 / 100]);
	}

	private void insert(PostgresServer database, String author, String name, int posts, String letter) {
		database.sql("insert into posts (id, author, committed, pulled, username, created, body) select '" + letter
				+ "' || lpad(i::text, 12, '0'), '" + author + "', " + (this.now - 100 * DAY) + " - i * 1000, false, '"
				+ name + "', 1, '" + BODY + "' from generate_series(0, " + (posts - 1) + ") i");
	}

	private static double p99(Visitor visitor, String path, String key, Supplier<Cursor> cursors) {
		double[] millis = new double[SAMPLES];
		for (int i = -WARM; i < SAMPLES; i++) {
			String address = path + "?before=" + cursors.get().text(key);
			long start = System.nanoTime();
			assertThat(visitor.get(address).postIds()).as(address).hasSize(PAGE);
			if (i >= 0) {
				millis[i] = (System.nanoTime() - start) / 1e6;
			}
		}
		Arrays.sort(millis);
		return millis[SAMPLES * 99 / 100];
	}

	private static RedisFuture<?> post(StatefulRedisConnection<String, String> connection, String author, String post,
			long millis) {
		return post(connection, author, post, millis, BODY);
	}

	private static RedisFuture<?> post(StatefulRedisConnection<String, String> connection, String author, String post,
			long millis, String body) {
		RedisAsyncCommands<String, String> commands = connection.async();
		commands.hset(Keys.post(id(post)),
				Map.of("author", id(author), "username", "somebody", "created", Long.toString(millis), "body", body));
		return commands.zadd(Keys.postsOf(id(author)), (double) millis, id(post));
	}

	private static String id(String text) {
		return (text + "0".repeat(13)).substring(0, 13);
	}

	private static String pad(int number, int width) {
		return String.format(Locale.ROOT, "%0" + width + "d", number);
	}

	private static void fill(StatefulRedisConnection<String, String> connection, int count,
			IntFunction<RedisFuture<?>> command) {
		connection.setAutoFlushCommands(false);
		for (int begin = 0; begin < count; begin += BATCH) {
			RedisFuture<?>[] sent = new RedisFuture<?>[Math.min(BATCH, count - begin)];
			for (int i = 0; i < sent.length; i++) {
				sent[i] = command.apply(begin + i);
			}
			connection.flushCommands();
			LettuceFutures.awaitAll(60, TimeUnit.SECONDS, sent);
		}
		connection.setAutoFlushCommands(true);
	}

	private static long used(StatefulRedisConnection<String, String> connection) {
		return connection.sync()
			.info("memory")
			.lines()
			.filter((line) -> line.startsWith("used_memory:"))
			.mapToLong((line) -> Long.parseLong(line.substring("used_memory:".length()).strip()))
			.sum();
	}

}
