package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.bench.LoadCrowd.User;
import live.retwis.bench.StreamLoad.Figures;
import live.retwis.bench.StreamLoad.Plan;
import live.retwis.bench.StreamServers.StreamServer;
import live.retwis.locks.nodes.testing.bench.Figure;
import live.retwis.redis.Keys;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The highest rate at which an instance still answers 99 of 100 requests within 50 ms,
 * while 2,000 home streams are open. Of 20 requests, 14 are home pages, 3 public
 * timelines, 2 profiles and one is a post. Requests come at their times, whether or not
 * the server keeps up, and delays count from those times. Posts go into the home
 * timelines of about 200 followers. Server and Redis share one core.
 * {@code -Dbench.before=<jar>} measures another build in turn, {@code
 * -Dbench.rounds} (3) is how often the rate is looked for, and {@code -Dbench.seconds}
 * (5) how long each rate is kept up.
 */
class MixedLoadBench {

	private static final Logger log = LoggerFactory.getLogger(MixedLoadBench.class);

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("mixed-load", "All that people do at once", "MixedLoadBench");

	private static final int READERS = 2000;

	private static final int AUTHORS = 200;

	private static final int FOLLOWS = 20;

	/** Posts that are there before the measurement. */
	private static final int POSTS = 4000;

	private static final int CONNECTIONS = 200;

	private static final double MOST_P99 = 50;

	/** Requests per second of the first try. */
	private static final double LEAST = 1000;

	/** Each rate is higher than the one before by this factor. */
	private static final double STEP = 1.1;

	/** The search ends after this many failed rates in a row. */
	private static final int MISSES = 2;

	private static final int WARM_UPS = 6;

	private final int rounds = Integer.getInteger("bench.rounds", 3);

	private final int seconds = Integer.getInteger("bench.seconds", 5);

	private final Random random = new Random(3);

	@Test
	void requestsASecondWithAP99Under50Milliseconds() throws IOException {
		Path directory = BenchReport.directory().resolve("mixed-load");
		try (StreamServers servers = new StreamServers(directory); LoadProcess load = new LoadProcess(directory)) {
			LoadCrowd authors = LoadCrowd.make(servers.redisPort(), "auth", AUTHORS, List.of(), 0);
			LoadCrowd readers = LoadCrowd.make(servers.redisPort(), "read", READERS, authors.users(), FOLLOWS);
			List<StreamServer> sites = new ArrayList<>(List.of(servers.site("this build")));
			SiteJar.BEFORE.ifPresent((jar) -> sites.add(servers.site("the build before", jar)));
			List<String> mix = mix(authors, readers);
			for (StreamServer site : sites) {
				load.run(new Plan(site.pid(), site.port(), readers.homes(), READERS, 500, POSTS / sites.size(), 0,
						CONNECTIONS, authors.posts()));
				for (int i = 0; i < WARM_UPS; i++) {
					load.run(plan(site, readers, mix, LEAST));
				}
				checkPages(site, authors.users().get(0), readers.users().get(0));
			}
			checkFanOut(servers, authors.users().get(0));
			Map<StreamServer, List<Double>> held = new LinkedHashMap<>();
			for (int i = 0; i < this.rounds; i++) {
				for (StreamServer site : sites) {
					held.computeIfAbsent(site, (key) -> new ArrayList<>()).add(highest(load, site, readers, mix));
				}
			}
			held.forEach((site, rates) -> REPORT.add(Figure
				.of(site.name() + ": requests with a p99 under 50 ms, 2,000 streams open, with fan-out", "/s", rates)));
		}
	}

	private static void checkPages(StreamServer site, User author, User reader) {
		Visitor visitor = Visitor.at("http://127.0.0.1:" + site.port());
		visitor.plant("auth", reader.cookie(), "/");
		for (String path : List.of("/home", "/timeline", "/@" + author.name())) {
			assertThat(visitor.get(path).body()).as(path).contains("<article", "/@" + reader.name());
		}
	}

	/**
	 * The newest post of an author has come to all followers who have a home timeline.
	 */
	private static void checkFanOut(StreamServers servers, User author) {
		RedisClient client = RedisClient.create("redis://127.0.0.1:" + servers.redisPort());
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			RedisCommands<String, String> redis = connection.sync();
			String post = redis.zrevrange(Keys.postsOf(author.id()), 0, 0).get(0);
			List<String> timelines = redis.zrange(Keys.followers(author.id()), 0, -1)
				.stream()
				.map(Keys::homeTimeline)
				.filter((timeline) -> redis.exists(timeline) == 1)
				.toList();
			assertThat(timelines).as("home timelines of followers").isNotEmpty();
			Awaitility.await("the fan-out")
				.atMost(Duration.ofSeconds(60))
				.untilAsserted(() -> assertThat(timelines)
					.allSatisfy((timeline) -> assertThat(redis.zscore(timeline, post)).isNotNull()));
		}
		finally {
			client.shutdown();
		}
	}

	private double highest(LoadProcess load, StreamServer site, LoadCrowd readers, List<String> mix)
			throws IOException {
		double held = 0;
		int misses = 0;
		for (double rate = LEAST; misses < MISSES; rate *= STEP) {
			Plan plan = plan(site, readers, mix, rate);
			Figures figures = load.run(plan);
			boolean holds = figures.posts() == plan.posts() && figures.answered99() < MOST_P99;
			log.info("{}, {} a second: {} of {}, p99 {} ms", site.name(), Math.round(rate), figures.posts(),
					plan.posts(), figures.answered99());
			held = holds ? rate : held;
			misses = holds ? 0 : misses + 1;
		}
		return held;
	}

	private Plan plan(StreamServer site, LoadCrowd readers, List<String> mix, double rate) {
		return new Plan(site.pid(), site.port(), readers.homes(), READERS, rate, Math.round(rate * this.seconds), 0,
				CONNECTIONS, mix);
	}

	/** Requests of many users, in a random order. */
	private List<String> mix(LoadCrowd authors, LoadCrowd readers) {
		List<String> mix = new ArrayList<>();
		for (User reader : readers.users()) {
			int kind = this.random.nextInt(20);
			if (kind < 14) {
				mix.add(reader.page("/home"));
			}
			else if (kind < 17) {
				mix.add(reader.page("/timeline"));
			}
			else if (kind < 19) {
				mix.add(reader.page("/@" + any(authors).name()));
			}
			else {
				mix.add(any(authors).post());
			}
		}
		return mix;
	}

	private User any(LoadCrowd crowd) {
		return crowd.users().get(this.random.nextInt(crowd.users().size()));
	}

}
