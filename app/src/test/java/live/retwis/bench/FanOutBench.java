package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import live.retwis.bench.FanOutServers.Instance;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.bench.Figure;
import live.retwis.redis.Keys;
import live.retwis.testing.SeededFollowers;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Measures the cost of a post with many followers, for its author and for everybody else.
 * Instances of the packaged site and Redis run on this machine. The results are medians
 * of {@code -Dbench.rounds} (5) rounds, measured in turn. {@code -Dbench.followers}
 * (100,000) is the number of followers.
 */
@TestInstance(Lifecycle.PER_CLASS)
class FanOutBench {

	private static final Duration LIMIT = Duration.ofSeconds(120);

	private static final int FLUSH = 500;

	/** Posts of one round. The slowest one percent is reported. */
	private static final int POSTS = 300;

	private final int rounds = Integer.getInteger("bench.rounds", 5);

	private final int followers = Integer.getInteger("bench.followers", 100_000);

	private final Path directory = Path.of("target", "bench");

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("fan-out", "Fan-out", "FanOutBench");

	private RedisProcess redis;

	private RedisClient client;

	private FanOutServers servers;

	@BeforeAll
	void start() throws IOException {
		Files.createDirectories(this.directory);
		this.redis = RedisProcess.start(RedisProcessOptions.DEFAULT);
		this.client = RedisClient.create(RedisURI.create("127.0.0.1", this.redis.port()));
		this.servers = FanOutServers.on(this.redis, this.client, this.directory);
	}

	@AfterAll
	void stop() throws IOException {
		this.servers.close();
		this.client.shutdown();
		this.redis.close();
	}

	private static void add(String what, String unit, List<Double> rounds) {
		REPORT.add(Figure.of(what, unit, rounds));
	}

	/** The rounds of one side divided by those of the other that came just before. */
	private static Figure ratio(String what, List<Double> rounds, List<Double> others) {
		return Figure.of(what, "×",
				IntStream.range(0, rounds.size()).mapToObj((round) -> rounds.get(round) / others.get(round)).toList());
	}

	/** An author without followers, and one with so many that the posts are pulled. */
	@Test
	void whatAPostCostsItsAuthor() {
		try (Instance instance = this.servers.launch("posting")) {
			Visitor nobody = Visitor.registered(instance.origin());
			Visitor pulled = Visitor.registered(instance.origin());
			this.servers.plant(pulled.id(), this.followers).close();
			List<Double> none = new ArrayList<>();
			List<Double> many = new ArrayList<>();
			for (int i = 0; i <= this.rounds; i++) {
				double first = p99(nobody);
				double second = p99(pulled);
				if (i > 0) {
					none.add(first);
					many.add(second);
				}
			}
			add("POST /posts p99, nobody follows", "ms", none);
			add("POST /posts p99, " + this.followers + " follow", "ms", many);
			REPORT.add(ratio("POST /posts p99, " + this.followers + " beside no followers", many, none).atMost(1.5));
		}
	}

	private static double p99(Visitor author) {
		long[] nanos = new long[POSTS];
		for (int i = 0; i < POSTS; i++) {
			long start = System.nanoTime();
			author.post("post " + i);
			nanos[i] = System.nanoTime() - start;
		}
		Arrays.sort(nanos);
		return nanos[(int) Math.ceil(POSTS * 0.99) - 1] / 1e6;
	}

	/**
	 * Compared with the same writes without the site, and with what another client
	 * notices.
	 */
	@Test
	void whatItCostsToWriteTheTimelinesOfAllFollowers() throws Exception {
		try (Instance instance = this.servers.launch("writing", FanOutServers.PUSH_ALL)) {
			Visitor author = Visitor.registered(instance.origin());
			String first = author.post("first");
			this.servers.settle();
			long committed = this.servers.commands().zscore("posts:" + author.id(), first).longValue();
			try (SeededFollowers fans = this.servers.plant(author.id(), this.followers)) {
				fans.read(first, committed);
				List<Double> bare = new ArrayList<>();
				List<Double> ours = new ArrayList<>();
				List<Double> delays = new ArrayList<>();
				for (int i = 0; i <= this.rounds; i++) {
					double loop = millis(() -> writeBare(fans.ids(), committed));
					AtomicLong worst = new AtomicLong();
					double site = besidePings(worst, () -> millis(() -> {
						author.post("to all");
						this.servers.settle();
					}));
					if (i > 0) {
						bare.add(loop);
						ours.add(site);
						delays.add(worst.get() / 1e6);
					}
				}
				add(this.followers + " ZADD in a bare pipelined loop", "ms", bare);
				add(this.followers + " timelines written by one instance", "ms", ours);
				REPORT.add(ratio("timelines written by one instance, beside the bare loop", ours, bare).atMost(2));
				REPORT.add(Figure.of("longest that another command waited meanwhile", "ms", delays).atMost(20));
			}
		}
	}

	private void writeBare(List<String> ids, long committed) {
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			connection.setAutoFlushCommands(false);
			List<RedisFuture<Long>> answers = new ArrayList<>(ids.size());
			for (int i = 0; i < ids.size(); i++) {
				answers.add(connection.async()
					.zadd(Keys.homeTimeline(ids.get(i)), committed, "0BARE" + committed % 100_000_000));
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
	 * A reader follows fifty authors. All are pulled for one reader and pushed for the
	 * other.
	 */
	@Test
	void whatAHomePageWithManyPulledAuthorsCosts() throws IOException {
		try (Instance pushing = this.servers.launch("home", FanOutServers.PUSH_ALL)) {
			Visitor plain = reader(pushing.origin());
			Visitor merged;
			try (Instance pulling = this.servers.launch("pulled-home", "--retwis.timeline.push-limit=0")) {
				merged = reader(pulling.origin());
			}
			PageLoad load = new PageLoad(1, this.directory.resolve("wrk.log"));
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
			add("/home, 50 authors pushed", "µs", ofPlain);
			add("/home, 50 authors pulled and merged in", "µs", ofMerged);
			REPORT.add(ratio("/home, pulled beside pushed", ofMerged, ofPlain).atMost(2));
		}
	}

	private Visitor reader(String origin) {
		Visitor reader = Visitor.registered(origin);
		List<Visitor> authors = IntStream.range(0, 50).mapToObj((i) -> Visitor.registered(origin)).toList();
		authors.forEach(reader::follow);
		for (int i = 0; i < 6; i++) {
			authors.forEach((author) -> author.post("a post of about as many characters as people write on average"));
		}
		this.servers.settle();
		return reader;
	}

	private static double rate(PageLoad load, String origin, Visitor reader) throws IOException {
		try (PageLoad.Running running = load
			.start(new PageLoad.Target("home", origin + "/home", reader.cookieHeader(), 20), Duration.ofSeconds(4))) {
			return running.figures().rate();
		}
	}

	@Test
	void whatMoreInstancesDeliver() throws IOException {
		List<LinePlot.Point> points = new ArrayList<>();
		new TimelineDelivery(this.servers, this.rounds).measure((instances, delivered) -> {
			REPORT.add(delivered);
			points.add(new LinePlot.Point(instances, delivered.value()));
		});
		REPORT.draw(
				LinePlot.svg("instances", "timelines written a ms", List.of(new LinePlot.Line("", "#14967a", points))));
	}

}
