package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

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

	/** Rates that are tried are so far apart. */
	private static final double STEP = 1.12;

	private final int seconds = Integer.getInteger("bench.seconds", 4);

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
					Figures figures = measure(contestant.server(), contestant.plan(5000, 10, this.seconds, 5000));
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
			warmUp(new Contestant(site, "/live/public", writing.posts()));
			for (int round = 0; round < 3; round++) {
				Figures everyone = measure(site,
						new Contestant(site, "/live/public", writing.posts()).plan(homes, 5, this.seconds, homes));
				Figures home = measure(site, new Plan(site.port(), reading.homes(), homes, 100, 100L * this.seconds,
						Long.MAX_VALUE, writing.posts()));
				System.out.printf(Locale.ROOT, "everyone %s | homes %s%n", everyone.line(), home.line());
			}
		}
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
		return new Plan(site.port(), crowd.homes(), crowd.users().size(), 1, 0, 1, List.of("-"));
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
		for (int i = 0; i < 4; i++) {
			measure(contestant.server(), contestant.plan(1000, 80, 4, 1000));
		}
	}

	/** The highest rate that was held, in deliveries a second. */
	private double held(Contestant contestant, int streams) throws IOException {
		double best = 0;
		int misses = 0;
		for (double deliveries = 60_000; misses < 2; deliveries *= STEP) {
			Figures figures = measure(contestant.server(),
					contestant.plan(streams, deliveries / streams, this.seconds, streams));
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

	private Figures measure(StreamServer server, Plan plan) throws IOException {
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

		Plan plan(int streams, double rate, int seconds, long eventsEach) {
			long count = Math.round(rate * seconds);
			return new Plan(this.server.port(), List.of(this.path), streams, rate, count, count * eventsEach,
					this.posts);
		}

	}

}
