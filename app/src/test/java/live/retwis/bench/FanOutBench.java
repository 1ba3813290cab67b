package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.locks.nodes.RedisOptions;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.testing.TestPorts;
import live.retwis.redis.Keys;
import live.retwis.testing.ChildProcess;
import live.retwis.testing.Fans;
import live.retwis.testing.LockServers;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * What a post costs its author and everybody else when many follow: instances of the
 * packaged site and Redis on this machine, {@code -Dbench.rounds} (5) rounds of each in
 * turn, medians. {@code -Dbench.followers} (100,000) changes how many follow.
 */
@TestInstance(Lifecycle.PER_CLASS)
class FanOutBench {

	private static final Duration LIMIT = Duration.ofSeconds(120);

	private static final int SHARD = 10_000;

	private static final int FLUSH = 500;

	/** Posts of one round, of which the slowest per cent is told. */
	private static final int POSTS = 300;

	private final int rounds = Integer.getInteger("bench.rounds", 5);

	private final int followers = Integer.getInteger("bench.followers", 100_000);

	private final Path directory = Path.of("target", "bench");

	private final StringBuilder table = new StringBuilder();

	private RedisProcess redis;

	private LockServers locks;

	private RedisClient client;

	private RedisCommands<String, String> commands;

	@BeforeAll
	void start() throws IOException {
		Files.createDirectories(this.directory);
		this.redis = RedisProcess.start(RedisOptions.DEFAULT);
		this.locks = new LockServers(3);
		this.client = RedisClient.create(RedisURI.create("127.0.0.1", this.redis.port()));
		this.commands = this.client.connect().sync();
	}

	@AfterAll
	void stop() throws IOException {
		this.client.shutdown();
		this.locks.close();
		this.redis.close();
		Files.writeString(this.directory.resolve("fan-out.md"), this.table);
		System.out.println(this.table);
	}

	private Instance launch(String name, String... settings) {
		int port = TestPorts.next();
		List<String> all = new ArrayList<>(List.of("-jar", Path.of("target", "retwis-live.jar").toString(),
				"--server.port=" + port, "--management.server.port=" + TestPorts.next(), "--retwis.embedded=false",
				"--spring.data.redis.port=" + this.redis.port(), "--retwis.limits.enabled=false",
				"--retwis.live.drain=0s", this.locks.setting()));
		all.addAll(List.of(settings));
		return new Instance("http://127.0.0.1:" + port,
				ChildProcess.start(this.directory.resolve(name + ".log"), ChildProcess.java(all)));
	}

	private void awaitAnswer(Instance instance) {
		Awaitility.await("the start")
			.atMost(LIMIT)
			.ignoreExceptions()
			.until(() -> Visitor.at(instance.origin()).get("/timeline").status() == 200);
	}

	private void settle() {
		Awaitility.await("the end of the fan-out")
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(2))
			.atMost(LIMIT)
			.until(this::isSettled);
	}

	private boolean isSettled() {
		String head = this.commands.xrevrange(Keys.LOG, Range.unbounded(), Limit.from(1)).get(0).getId();
		return this.commands.zcard(Keys.UNFINISHED) == 0
				&& this.commands.xinfoGroups(Keys.LOG).toString().contains(head)
				&& this.commands.xpending(Keys.LOG, "fanout").getCount() == 0;
	}

	private void row(String what, double measured, String unit, double ratio, double most) {
		this.table.append(String.format(Locale.ROOT, "| %s | %,.1f %s | %.2f × | %s |%n", what, measured, unit, ratio,
				Double.isNaN(most) ? "" : "≤ " + most + (ratio <= most ? ", holds" : ", **no**")));
	}

	private static double median(List<Double> values) {
		return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
	}

	/** Of an author whom nobody follows, of one who is pulled, of one who is pushed. */
	@Test
	void whatAPostCostsItsAuthor() {
		try (Instance pulling = launch("pulling");
				Instance pushing = launch("pushing", "--retwis.timeline.push-limit=10000000")) {
			awaitAnswer(pulling);
			awaitAnswer(pushing);
			Visitor nobody = Visitor.registered(pulling.origin());
			Visitor pulled = Visitor.registered(pulling.origin());
			Visitor pushed = Visitor.registered(pushing.origin());
			plant(pulled.id(), this.followers).close();
			plant(pushed.id(), this.followers).close();
			List<Double> none = new ArrayList<>();
			List<Double> many = new ArrayList<>();
			List<Double> everybody = new ArrayList<>();
			for (int i = 0; i <= this.rounds; i++) {
				double first = p99(nobody, POSTS);
				double second = p99(pulled, POSTS);
				double third = p99OfSettled(pushed, 20);
				if (i > 0) {
					none.add(first);
					many.add(second);
					everybody.add(third);
				}
			}
			double base = median(none);
			row("POST /posts p99, nobody follows", base, "ms", 1, Double.NaN);
			row("POST /posts p99, " + this.followers + " pull", median(many), "ms", median(many) / base, 1.5);
			row("POST /posts, slowest of 20, pushed to " + this.followers, median(everybody), "ms",
					median(everybody) / base, 1.5);
		}
	}

	private double p99OfSettled(Visitor author, int posts) {
		return p99(author, posts, this::settle);
	}

	private static double p99(Visitor author, int posts) {
		return p99(author, posts, () -> {
		});
	}

	private static double p99(Visitor author, int posts, Runnable between) {
		long[] nanos = new long[posts];
		for (int i = 0; i < posts; i++) {
			long start = System.nanoTime();
			author.post("post " + i);
			nanos[i] = System.nanoTime() - start;
			between.run();
		}
		Arrays.sort(nanos);
		return nanos[(int) Math.ceil(posts * 0.99) - 1] / 1e6;
	}

	private Fans plant(String author, int count) {
		return Fans.plant("127.0.0.1", this.redis.port(), author, count, SHARD);
	}

	/** Beside the same writes without a site, and what another client notices. */
	@Test
	void whatItCostsToWriteTheTimelinesOfAllFollowers() throws Exception {
		try (Instance instance = launch("writing", "--retwis.timeline.push-limit=10000000")) {
			awaitAnswer(instance);
			Visitor author = Visitor.registered(instance.origin());
			String first = author.post("first");
			settle();
			long committed = this.commands.zscore("posts:" + author.id(), first).longValue();
			try (Fans fans = plant(author.id(), this.followers)) {
				fans.read(first, committed);
				List<Double> bare = new ArrayList<>();
				List<Double> ours = new ArrayList<>();
				List<Double> delays = new ArrayList<>();
				for (int i = 0; i <= this.rounds; i++) {
					double loop = millis(() -> writeBare(fans.ids(), committed));
					AtomicLong worst = new AtomicLong();
					double site = besidePings(worst, () -> millis(() -> {
						author.post("to all");
						settle();
					}));
					if (i > 0) {
						bare.add(loop);
						ours.add(site);
						delays.add(worst.get() / 1e6);
					}
				}
				double base = median(bare);
				row(this.followers + " ZADD in a bare pipelined loop", base, "ms", 1, Double.NaN);
				row(this.followers + " timelines written by one instance", median(ours), "ms", median(ours) / base, 2);
				row("longest that another command waited meanwhile", median(delays), "ms", median(delays) / 20, 1);
			}
		}
	}

	private void writeBare(List<String> ids, long committed) {
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			connection.setAutoFlushCommands(false);
			List<RedisFuture<Long>> answers = new ArrayList<>(ids.size());
			for (int i = 0; i < ids.size(); i++) {
				answers.add(connection.async()
					.zadd("timeline:" + ids.get(i), committed, "0BARE" + committed % 100_000_000));
				if (i % FLUSH == FLUSH - 1) {
					connection.flushCommands();
				}
			}
			connection.flushCommands();
			LettuceFutures.awaitAll(LIMIT.toMillis(), TimeUnit.MILLISECONDS, answers.toArray(RedisFuture<?>[]::new));
		}
	}

	private static double millis(Runnable step) {
		long start = System.nanoTime();
		step.run();
		return (System.nanoTime() - start) / 1e6;
	}

	private double besidePings(AtomicLong worst, DoubleSupplier step) throws InterruptedException {
		AtomicBoolean over = new AtomicBoolean();
		Thread pings = new Thread(() -> {
			try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
				connection.sync().ping();
				while (!over.get()) {
					long start = System.nanoTime();
					connection.sync().get("nothing");
					worst.accumulateAndGet(System.nanoTime() - start, Math::max);
				}
			}
		});
		pings.start();
		try {
			return step.getAsDouble();
		}
		finally {
			over.set(true);
			pings.join(LIMIT.toMillis());
		}
	}

	/**
	 * Fifty followed authors, all pulled for the one reader and all pushed to the other.
	 */
	@Test
	void whatAHomePageWithManyPulledAuthorsCosts() throws IOException {
		try (Instance pushing = launch("home", "--retwis.timeline.push-limit=10000000")) {
			awaitAnswer(pushing);
			Visitor plain = reader(pushing.origin());
			Visitor merged;
			try (Instance pulling = launch("pulled-home", "--retwis.timeline.push-limit=0")) {
				awaitAnswer(pulling);
				merged = reader(pulling.origin());
			}
			Load load = new Load(1, this.directory.resolve("wrk.log"));
			List<Double> ofPlain = new ArrayList<>();
			List<Double> ofMerged = new ArrayList<>();
			for (int i = 0; i <= this.rounds; i++) {
				double first = rate(load, pushing.origin(), plain);
				double second = rate(load, pushing.origin(), merged);
				if (i > 0) {
					ofPlain.add(1e6 / first);
					ofMerged.add(1e6 / second);
				}
			}
			double base = median(ofPlain);
			row("/home, 50 authors pushed", base, "µs", 1, Double.NaN);
			row("/home, 50 authors pulled and merged in", median(ofMerged), "µs", median(ofMerged) / base, 2);
		}
	}

	private Visitor reader(String origin) {
		Visitor reader = Visitor.registered(origin);
		List<Visitor> authors = IntStream.range(0, 50).mapToObj((i) -> Visitor.registered(origin)).toList();
		authors.forEach(reader::follow);
		for (int i = 0; i < 6; i++) {
			authors.forEach((author) -> author.post("a post of about as many characters as people write on average"));
		}
		settle();
		return reader;
	}

	private static double rate(Load load, String origin, Visitor reader) throws IOException {
		try (Load.Running running = load.start(new Load.Target("home", origin + "/home", reader.cookieHeader(), 20),
				Duration.ofSeconds(4))) {
			return running.figures().rate();
		}
	}

	/** Posts of ten authors with 5,000 followers each, delivered by some instances. */
	@Test
	void whatMoreInstancesDeliver() {
		List<Instance> instances = new ArrayList<>();
		try {
			instances.add(launch("instance-0", "--retwis.timeline.push-limit=10000000"));
			awaitAnswer(instances.get(0));
			String origin = instances.get(0).origin();
			List<Visitor> authors = IntStream.range(0, 10).mapToObj((i) -> Visitor.registered(origin)).toList();
			authors.forEach((author) -> {
				String first = author.post("first");
				settle();
				try (Fans fans = plant(author.id(), 5_000)) {
					fans.read(first, this.commands.zscore("posts:" + author.id(), first).longValue());
				}
			});
			double base = 0;
			for (int count : List.of(1, 2, 4)) {
				while (instances.size() < count) {
					instances.add(launch("instance-" + instances.size(), "--retwis.timeline.push-limit=10000000"));
					awaitAnswer(instances.get(instances.size() - 1));
				}
				List<Double> rates = new ArrayList<>();
				for (int i = 0; i <= this.rounds; i++) {
					double took = millis(() -> {
						Stream.of(1, 2).forEach((turn) -> authors.forEach((author) -> author.post("to all")));
						settle();
					});
					if (i > 0) {
						rates.add(20 * 5_000 / took);
					}
				}
				base = (base == 0) ? median(rates) : base;
				row("timelines written a millisecond, instances: " + count, median(rates), "", median(rates) / base,
						Double.NaN);
			}
		}
		finally {
			instances.forEach(Instance::close);
		}
	}

	private record Instance(String origin, ChildProcess process) implements AutoCloseable {

		@Override
		public void close() {
			this.process.close();
		}

	}

}
