package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import live.retwis.bench.StreamLoad.Figures;
import live.retwis.bench.StreamLoad.Plan;
import live.retwis.bench.StreamServers.StreamServer;
import live.retwis.locks.nodes.testing.bench.Figure;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deliveries per second to streams, compared with nginx and nchan. Servers and Redis
 * share one core, and the readers run on another.
 */
class StreamBench {

	private static final Logger log = LoggerFactory.getLogger(StreamBench.class);

	/** Bytes of content. The event of a post has about 660 bytes. */
	private static final int EVENT = 626;

	private static final double SECOND = 1000;

	/** Warm-up rounds. On one core a new JVM compiles for about half a minute. */
	private static final int WARM_UPS = 10;

	/** Deliveries per second of the first try. */
	private static final double LEAST = 80_000;

	/** The search ends after this many failed rates in a row. */
	private static final int MISSES = 2;

	/** Each rate is higher than the one before by this factor. */
	private static final double STEP = 1.15;

	private final int seconds = Integer.getInteger("bench.seconds", 4);

	private final int publishers = Integer.getInteger("bench.publishers", 1);

	private final List<Integer> sizes = Stream.of(System.getProperty("bench.streams", "1000,10000").split(","))
		.map(Integer::valueOf)
		.toList();

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("streams", "Streams", "StreamBench");

	private final Path directory = Path.of("target", "bench", "streams");

	@Test
	void deliveriesASecondBesideNchan() throws IOException {
		try (StreamServers servers = new StreamServers(this.directory);
				LoadProcess load = new LoadProcess(this.directory)) {
			LoadCrowd author = LoadCrowd.make(servers.redisPort(), "auth", 1, List.of(), 0);
			StreamServer nchan = servers.nchan();
			StreamServer single = servers.site("a write for each event", "--retwis.live.writer=single");
			StreamServer framework = servers.site("the web framework", "--retwis.live.writer=framework");
			StreamServer shared = servers.site("writes shared while behind");
			List<Contestant> contestants = List.of(new Contestant(nchan, "/sub", List.of(publish())),
					new Contestant(framework, "/live/public", author.posts()),
					new Contestant(single, "/live/public", author.posts()),
					new Contestant(shared, "/live/public", author.posts()));
			for (Contestant contestant : contestants) {
				warmUp(load, contestant);
			}
			for (int streams : this.sizes) {
				compare(load, contestants, streams);
			}
			Map<String, List<Double>> p99s = new LinkedHashMap<>();
			for (int round = 0; round < 3; round++) {
				for (Contestant contestant : contestants) {
					Figures figures = load.run(plan(contestant, 5000, 10));
					p99s.computeIfAbsent(contestant.server().name(), (name) -> new ArrayList<>()).add(figures.p99());
				}
			}
			p99s.forEach((name, rounds) -> REPORT
				.add(Figure.of("5,000 streams, 10 posts a second, " + name + ": p99", "ms", rounds)));
		}
	}

	@Test
	void homesBesideEveryone() throws IOException {
		int authors = 1000;
		int homes = 10_000;
		int follows = 50;
		try (StreamServers servers = new StreamServers(this.directory);
				LoadProcess load = new LoadProcess(this.directory)) {
			LoadCrowd writing = LoadCrowd.make(servers.redisPort(), "auth", authors, List.of(), 0);
			LoadCrowd reading = LoadCrowd.make(servers.redisPort(), "read", homes, writing.users(), follows);
			StreamServer site = servers.site("homes");
			Contestant all = new Contestant(site, "/live/public", writing.posts());
			warmUp(load, all);
			List<Double> ofAll = new ArrayList<>();
			List<Double> ofHomes = new ArrayList<>();
			for (int round = 0; round < 3; round++) {
				Figures everyone = load.run(plan(all, homes, 5));
				Figures home = load.run(new Plan(site.pid(), site.port(), reading.homes(), homes, 100,
						100L * this.seconds, Long.MAX_VALUE, this.publishers, writing.posts()));
				ofAll.add(everyone.p99());
				ofHomes.add(home.p99());
			}
			REPORT.add(Figure.of("10,000 streams of /live/public, 5 posts a second: p99", "ms", ofAll));
			REPORT.add(Figure.of("10,000 home streams, 100 posts a second of " + authors + " authors: p99", "ms",
					ofHomes));
		}
	}

	/**
	 * First, all but a few streams belong to users who follow nobody, so they do not want
	 * the post. Then all streams want it.
	 */
	@Test
	void whatAPostCostsWithMoreAndMoreStreams() throws IOException {
		int interested = 500;
		int most = 19_000;
		try (StreamServers servers = new StreamServers(this.directory);
				LoadProcess load = new LoadProcess(this.directory)) {
			LoadCrowd author = LoadCrowd.make(servers.redisPort(), "auth", 1, List.of(), 0);
			LoadCrowd others = LoadCrowd.make(servers.redisPort(), "read", most, List.of(), 0);
			StreamServer site = servers.site("growing");
			Contestant everyone = new Contestant(site, "/live/public", author.posts());
			warmUp(load, everyone);
			List<Cost> costs = new ArrayList<>();
			for (int streams : new int[] { 1000, 2000, 5000, 10_000, 15_000, most }) {
				Figures some = load.run(some(site, author, others, streams, interested));
				Figures all = load.run(plan(everyone, streams, 50_000.0 / streams));
				costs.add(new Cost(streams, millisEach(some), millisEach(all)));
				String name = String.format(Locale.ROOT, "processor time of a post, %,d streams, ", streams);
				REPORT.add(name + interested + " want it", "ms", millisEach(some));
				REPORT.add(name + "all want it", "ms", millisEach(all));
			}
			REPORT.draw(LinePlot.svg("open streams", "CPU ms of the instance for a post", List.of(
					new LinePlot.Line("every stream wants the post", "#d0544a",
							costs.stream().map((cost) -> new LinePlot.Point(cost.streams(), cost.all())).toList()),
					new LinePlot.Line(interested + " streams want it", "#14967a",
							costs.stream().map((cost) -> new LinePlot.Point(cost.streams(), cost.some())).toList()))));
		}
	}

	private Plan some(StreamServer site, LoadCrowd author, LoadCrowd others, int streams, int interested) {
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
			LoadCrowd authors = LoadCrowd.make(servers.redisPort(), "auth", 2000, List.of(), 0);
			StreamServer site = servers.site("idle");
			Plan alone = idle(site, LoadCrowd.make(servers.redisPort(), "lone", homes, authors.users(), 0));
			Plan social = idle(site, LoadCrowd.make(servers.redisPort(), "read", homes, authors.users(), follows));
			heapWith(site, alone);
			long none = Heap.of(site.process()).bytes();
			double each = (heapWith(site, alone) - none) / (double) homes;
			double more = (heapWith(site, social) - none) / (double) homes - each;
			REPORT.add(Figure.once("an idle home stream: heap", "bytes", each).atMost(12_000));
			REPORT.add(Figure.once("each follow of an idle home stream: heap", "bytes", more / follows).atMost(16));
		}
	}

	private static Plan idle(StreamServer site, LoadCrowd crowd) {
		return new Plan(site.pid(), site.port(), crowd.homes(), crowd.users().size(), 1, 0, 1, 0, List.of("-"));
	}

	/** Size of the live objects while the streams are open. They are closed on return. */
	private long heapWith(StreamServer site, Plan plan) throws IOException {
		long bytes;
		try (LoadProcess load = new LoadProcess(this.directory)) {
			load.begin(plan);
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

	private void warmUp(LoadProcess load, Contestant contestant) throws IOException {
		for (int i = 0; i < WARM_UPS; i++) {
			load.run(plan(contestant, 1000, 100));
		}
	}

	/** Tries higher and higher rates. Servers that failed a rate take no further part. */
	private void compare(LoadProcess load, List<Contestant> contestants, int streams) throws IOException {
		Map<Contestant, Double> held = new LinkedHashMap<>();
		Map<Contestant, Integer> misses = new HashMap<>();
		for (double wanted = LEAST; misses.values().stream().filter((many) -> many == MISSES).count() < contestants
			.size(); wanted *= STEP) {
			for (Contestant contestant : contestants) {
				if (misses.getOrDefault(contestant, 0) < MISSES) {
					Figures figures = load.run(plan(contestant, streams, wanted / streams));
					log.info("{}, {} streams, wanted {}/s: {}", contestant.server().name(), streams, Math.round(wanted),
							figures.line());
					if (figures.holds(SECOND)) {
						held.put(contestant, figures.rate());
						misses.put(contestant, 0);
					}
					else {
						misses.merge(contestant, 1, Integer::sum);
					}
				}
			}
		}
		double nchan = held.getOrDefault(contestants.get(0), Double.NaN);
		held.forEach((contestant, rate) -> {
			String name = String.format(Locale.ROOT, "%,d streams, authors at a time: %d, %s: deliveries held", streams,
					this.publishers, contestant.server().name());
			REPORT.add(name, "/s", rate);
			if (contestant != contestants.get(0)) {
				REPORT.add(Figure.once(name + ", of nchan", "×", rate / nchan).atLeast(1));
			}
		});
	}

	/** A plan in which all streams want every post. */
	private Plan plan(Contestant contestant, int streams, double rate) {
		long posts = Math.round(rate * this.seconds);
		return new Plan(contestant.server().pid(), contestant.server().port(), List.of(contestant.path()), streams,
				rate, posts, posts * streams, this.publishers, contestant.posts());
	}

	/**
	 * A server of the comparison.
	 *
	 * @param server the server
	 * @param path path of its streams
	 * @param posts requests that make events
	 */
	private record Contestant(StreamServer server, String path, List<String> posts) {
	}

	/**
	 * The cost of a post.
	 *
	 * @param streams number of open streams
	 * @param some CPU ms for a post that some of the streams want
	 * @param all CPU ms for a post that all streams want
	 */
	private record Cost(int streams, double some, double all) {
	}

}
