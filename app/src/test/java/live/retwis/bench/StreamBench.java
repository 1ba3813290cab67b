package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

import live.retwis.bench.CostPlot.Cost;
import live.retwis.bench.StreamLoad.Figures;
import live.retwis.bench.StreamLoad.Plan;
import live.retwis.bench.StreamServers.StreamServer;
import live.retwis.testing.ChildProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * How many deliveries a second streams hold, beside nginx with nchan: servers and Redis
 * on one core, the readers on another.
 */
class StreamBench {

	private static final int LOAD_CORE = 1;

	/** An event of about 660 bytes, as a post makes one. */
	private static final int EVENT = 626;

	private static final double SECOND = 1000;

	/** On one core a fresh JVM compiles for about half a minute. */
	private static final int WARM_UPS = 10;

	/** Rates that are tried are so far apart. */
	private static final double STEP = 1.12;

	private final int seconds = Integer.getInteger("bench.seconds", 4);

	private final int publishers = Integer.getInteger("bench.publishers", 1);

	private final Path directory = Path.of("target", "bench", "streams");

	@Test
	void deliveriesASecondBesideNchan() throws IOException {
		try (StreamServers servers = new StreamServers(this.directory)) {
			Crowd author = Crowd.make(servers.redisPort(), "auth", 1, List.of(), 0);
			StreamServer nchan = servers.nchan();
			StreamServer single = servers.site("a write for each event", "--retwis.live.coalesce=false");
			StreamServer shared = servers.site("writes shared while behind");
			List<Contestant> contestants = List.of(new Contestant(nchan, "/sub", List.of(publish())),
					new Contestant(single, "/live/public", author.posts()),
					new Contestant(shared, "/live/public", author.posts()));
			for (Contestant contestant : contestants) {
				warmUp(contestant);
			}
			for (int streams : new int[] { 1000, 10_000 }) {
				for (Contestant contestant : contestants) {
					System.out.printf(Locale.ROOT, "%d streams, %s: %,.0f deliveries/s held%n", streams,
							contestant.server().name(), held(contestant, streams));
				}
			}
			for (int round = 0; round < 3; round++) {
				for (Contestant contestant : contestants) {
					Figures figures = measure(plan(contestant, 5000, 10));
					System.out.printf(Locale.ROOT, "5000 streams, 10 posts/s, %s: %s%n", contestant.server().name(),
							figures.line());
				}
			}
		}
	}

	@Test
	void homesBesideEveryone() throws IOException {
		int authors = 1000;
		int homes = 10_000;
		int follows = 50;
		try (StreamServers servers = new StreamServers(this.directory)) {
			Crowd writing = Crowd.make(servers.redisPort(), "auth", authors, List.of(), 0);
			Crowd reading = Crowd.make(servers.redisPort(), "read", homes, writing.users(), follows);
			StreamServer site = servers.site("homes");
			Contestant all = new Contestant(site, "/live/public", writing.posts());
			warmUp(all);
			for (int round = 0; round < 3; round++) {
				Figures everyone = measure(plan(all, homes, 5));
				Figures home = measure(new Plan(site.pid(), site.port(), reading.homes(), homes, 100,
						100L * this.seconds, Long.MAX_VALUE, this.publishers, writing.posts()));
				System.out.printf(Locale.ROOT, "everyone %s | homes %s%n", everyone.line(), home.line());
			}
		}
	}

	/**
	 * All of these streams but so many are of users who follow nobody, so that a post is
	 * none of their business; then all of them want it.
	 */
	@Test
	void whatAPostCostsWithMoreAndMoreStreams() throws IOException {
		int interested = 500;
		int most = 19_000;
		try (StreamServers servers = new StreamServers(this.directory)) {
			Crowd author = Crowd.make(servers.redisPort(), "auth", 1, List.of(), 0);
			Crowd others = Crowd.make(servers.redisPort(), "read", most, List.of(), 0);
			StreamServer site = servers.site("growing");
			Contestant everyone = new Contestant(site, "/live/public", author.posts());
			warmUp(everyone);
			List<Cost> costs = new ArrayList<>();
			for (int streams : new int[] { 1000, 2000, 5000, 10_000, 15_000, most }) {
				Figures some = measure(some(site, author, others, streams, interested));
				Figures all = measure(plan(everyone, streams, 50_000.0 / streams));
				costs.add(new Cost(streams, millisEach(some), millisEach(all)));
				System.out.println(costs.get(costs.size() - 1).line() + " | " + some.line() + " | " + all.line());
			}
			Files.writeString(this.directory.resolve("streams.svg"), CostPlot.svg(costs, interested));
		}
	}

	private Plan some(StreamServer site, Crowd author, Crowd others, int streams, int interested) {
		List<String> paths = new ArrayList<>(others.homes().subList(0, streams - interested));
		paths.addAll(Collections.nCopies(interested, "/live/@" + author.users().get(0).name()));
		long posts = 100L * this.seconds;
		return new Plan(site.pid(), site.port(), paths, streams, 100, posts, posts * interested, this.publishers,
				author.posts());
	}

	private static double millisEach(Figures figures) {
		if (figures.received() != figures.expected()) {
			throw new IllegalStateException("Not every event came: " + figures.line());
		}
		return (double) figures.cpu() / figures.posts();
	}

	@Test
	void whatAnIdleHomeCosts() throws IOException {
		int homes = 4000;
		int follows = 400;
		try (StreamServers servers = new StreamServers(this.directory)) {
			Crowd authors = Crowd.make(servers.redisPort(), "auth", 2000, List.of(), 0);
			StreamServer site = servers.site("idle");
			Plan alone = idle(site, Crowd.make(servers.redisPort(), "lone", homes, authors.users(), 0));
			Plan social = idle(site, Crowd.make(servers.redisPort(), "read", homes, authors.users(), follows));
			heapWith(site, alone);
			long none = Heap.of(site.process()).bytes();
			double each = (heapWith(site, alone) - none) / (double) homes;
			double more = (heapWith(site, social) - none) / (double) homes - each;
			System.out.printf(Locale.ROOT, "an idle home stream: %,.0f bytes of heap, and %.1f for each follow%n", each,
					more / follows);
		}
	}

	private static Plan idle(StreamServer site, Crowd crowd) {
		return new Plan(site.pid(), site.port(), crowd.homes(), crowd.users().size(), 1, 0, 1, 0, List.of("-"));
	}

	/** Live objects while the streams are open; on return they are not any more. */
	private long heapWith(StreamServer site, Plan plan) throws IOException {
		Path file = this.directory.resolve("plan");
		plan.write(file);
		long bytes;
		try (ChildProcess load = PinnedProcess.start(LOAD_CORE, this.directory.resolve("load.log"), ChildProcess.java(
				List.of("-cp", System.getProperty("java.class.path"), StreamLoad.class.getName(), file.toString())))) {
			bytes = awaitStreams(site, plan.streams());
		}
		awaitStreams(site, 0);
		return bytes;
	}

	private static long awaitStreams(StreamServer site, int streams) {
		return Awaitility.await("open streams: " + streams)
			.atMost(Duration.ofSeconds(120))
			.pollInterval(Duration.ofSeconds(1))
			.until(() -> Heap.of(site.process()), (heap) -> heap.streams() == streams)
			.bytes();
	}

	private static String publish() {
		String text = StreamLoad.STAMP + "%012d" + "x".repeat(EVENT - StreamLoad.STAMP.length() - 12);
		return "POST /pub HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: " + EVENT
				+ "\r\n\r\n" + text;
	}

	private void warmUp(Contestant contestant) throws IOException {
		for (int i = 0; i < WARM_UPS; i++) {
			measure(plan(contestant, 1000, 100));
		}
	}

	/** The highest rate that was held, in deliveries a second. */
	private double held(Contestant contestant, int streams) throws IOException {
		double best = 0;
		int misses = 0;
		for (double deliveries = 60_000; misses < 2; deliveries *= STEP) {
			Figures figures = measure(plan(contestant, streams, deliveries / streams));
			System.out.printf(Locale.ROOT, "  %s, %d streams, wanted %,.0f/s: %s%n", contestant.server().name(),
					streams, deliveries, figures.line());
			if (figures.holds(SECOND)) {
				best = figures.rate();
				misses = 0;
			}
			else {
				misses++;
			}
		}
		return best;
	}

	/** All of its streams want every post. */
	private Plan plan(Contestant contestant, int streams, double rate) {
		long posts = Math.round(rate * this.seconds);
		return new Plan(contestant.server().pid(), contestant.server().port(), List.of(contestant.path()), streams,
				rate, posts, posts * streams, this.publishers, contestant.posts());
	}

	private Figures measure(Plan plan) throws IOException {
		Path file = this.directory.resolve("plan");
		Path log = this.directory.resolve("load.log");
		plan.write(file);
		try (ChildProcess load = PinnedProcess.start(LOAD_CORE, log, ChildProcess.java(List.of("-XX:+UseSerialGC",
				"-cp", System.getProperty("java.class.path"), StreamLoad.class.getName(), file.toString())))) {
			load.await(Duration.ofSeconds(180));
		}
		List<String> lines = Files.readAllLines(log);
		return Figures.parse(lines.get(lines.size() - 1));
	}

	/**
	 * One of those that are compared.
	 *
	 * @param server who serves
	 * @param path of its streams
	 * @param posts requests that make events
	 */
	private record Contestant(StreamServer server, String path, List<String> posts) {
	}

}
