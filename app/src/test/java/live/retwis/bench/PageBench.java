package live.retwis.bench;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

import live.retwis.bench.PageLoad.Figures;
import live.retwis.bench.PageLoad.Target;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.locks.nodes.testing.bench.Figure;
import live.retwis.testing.ChildProcess;
import live.retwis.testing.LockServers;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests per second and p99 of the busiest pages, compared with a bare WebFlux handler.
 * Servers and Redis share one core, and the load runs on another. Only one server is
 * under load at a time. {@code -Dbench.rounds} (5) is the number of rounds,
 * {@code -Dbench.seconds} (5) the length of a round, {@code -Dbench.jvm} (none) has JVM
 * arguments for all servers, and {@code -Dbench.before} (none) is the jar of another
 * build, whose home page takes part.
 */
class PageBench {

	private static final Logger log = LoggerFactory.getLogger(PageBench.class);

	private static final int SERVER_CORE = 0;

	private static final int LOAD_CORE = 1;

	private static final Duration START = Duration.ofSeconds(90);

	private static final Duration WARM_UP = Duration.ofSeconds(5);

	private static final int WARM_UPS = 4;

	/** A p99 should be at most this many times the other's. */
	private static final double MOST_P99 = 4;

	private final int rounds = Integer.getInteger("bench.rounds", 5);

	/**
	 * By more than this the processor time of two sites that do the same does not differ,
	 * as a ratio.
	 */
	private static final double MOST_COST_OF_XRAY = 1.05;

	private final Duration round = Duration.ofSeconds(Integer.getInteger("bench.seconds", 5));

	private final List<String> jvm = Stream.of(System.getProperty("bench.jvm", "").split(" "))
		.filter((argument) -> !argument.isBlank())
		.toList();

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("pages", "Pages", "PageBench");

	private final Path directory;

	private final PageLoad load;

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	PageBench() throws IOException {
		this.directory = BenchReport.directory();
		this.load = new PageLoad(LOAD_CORE, this.directory.resolve("wrk.log"));
	}

	@Test
	void pagesBesideABareHandler() throws IOException, InterruptedException {
		require("wrk", "taskset");
		PinnedProcess.move(ProcessHandle.current().pid(), LOAD_CORE, this.directory.resolve("taskset.log"));
		int bare = TestPorts.next();
		int site = TestPorts.next();
		int plain = TestPorts.next();
		int recorded = TestPorts.next();
		int earlier = TestPorts.next();
		try (RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT);
				LockServers locks = new LockServers(3)) {
			PinnedProcess.move(redis.pid(), SERVER_CORE, this.directory.resolve("taskset.log"));
			BenchTown town = BenchTown.fill(redis.port(), locks);
			try (ChildProcess bareServer = java("bare.log", "-cp", System.getProperty("java.class.path"),
					BareServer.class.getName(), Integer.toString(bare));
					ChildProcess siteServer = site("site.log", site, redis, locks);
					ChildProcess plainServer = site("plain.log", plain, redis, locks);
					ChildProcess recordedServer = site("recorded.log", recorded, redis, locks,
							"--retwis.xray.enabled=true", "--retwis.xray.users=*");
					@Nullable
					ChildProcess earlierServer = SiteJar.BEFORE
						.map((jar) -> site(jar, "before.log", earlier, redis, locks))
						.orElse(null)) {
				List<Long> ofSite = List.of(siteServer.pid(), redis.pid());
				Contestant ceiling = new Contestant(new Target("bare, 10 kB", url(bare, "/"), "", 0),
						List.of(bareServer.pid()));
				Contestant timeline = new Contestant(
						new Target("/timeline, logged out, 50 posts", url(site, "/timeline"), "", 50), ofSite);
				Contestant home = new Contestant(new Target("/home, 20 posts", url(site, "/home"), town.cookie(), 20),
						ofSite);
				Contestant profile = new Contestant(new Target("a profile, logged in, 20 posts",
						url(site, "/@" + town.author()), town.cookie(), 20), ofSite);
				Contestant conversation = new Contestant(new Target("a conversation, logged in, 21 posts",
						url(site, "/posts/" + town.post()), town.cookie(), 21), ofSite);
				// Both serve this page alone: a server that has served others runs other
				// code for it.
				Contestant withoutXray = new Contestant(
						new Target("/home, no other page", url(plain, "/home"), town.cookie(), 20),
						List.of(plainServer.pid(), redis.pid()));
				Contestant withXray = new Contestant(new Target("/home, no other page, X-ray enabled and not asked for",
						url(recorded, "/home"), town.cookie(), 20), List.of(recordedServer.pid(), redis.pid()));
				Contestant compressed = new Contestant(
						new Target("/home, compressed", url(site, "/home"), town.cookie(), 20, true), ofSite);
				List<Contestant> all = new ArrayList<>(
						List.of(ceiling, timeline, home, profile, conversation, withoutXray, withXray, compressed));
				Optional<List<Long>> ofEarlier = Optional.ofNullable(earlierServer)
					.map((server) -> List.of(server.pid(), redis.pid()));
				Optional<Contestant> before = ofEarlier.map((processes) -> new Contestant(
						new Target("/home by the build before", url(earlier, "/home"), town.cookie(), 20), processes));
				Optional<Contestant> beforeCompressed = ofEarlier
					.map((processes) -> new Contestant(new Target("/home by the build before, compressed",
							url(earlier, "/home"), town.cookie(), 20, true), processes));
				before.ifPresent(all::add);
				beforeCompressed.ifPresent(all::add);
				Optional<PhpStack> php = PhpStack.start(SERVER_CORE, this.directory, redis.port(), town.timeline());
				Optional<Contestant> classic = php.map((stack) -> new Contestant(
						new Target("/home by PHP-FPM, 20 posts", stack.url(), town.cookie(), 20),
						Stream.concat(stack.pids().stream(), Stream.of(redis.pid())).toList()));
				classic.ifPresent(all::add);
				try {
					run(all);
				}
				finally {
					php.ifPresent(PhpStack::close);
				}
				ceiling.report(REPORT);
				timeline.report(REPORT, ceiling, 0.6);
				home.report(REPORT, ceiling, 0.5);
				profile.report(REPORT, ceiling, 0.45);
				conversation.report(REPORT, ceiling, 0.45);
				withoutXray.report(REPORT);
				withXray.report(REPORT, withoutXray, 0.97);
				compressed.report(REPORT);
				classic.ifPresent((stack) -> home.compare(REPORT, stack));
				before.ifPresent((build) -> withoutXray.compare(REPORT, build));
				beforeCompressed.ifPresent((build) -> compressed.compare(REPORT, build));
				assertThat(median(withXray.ratios(withoutXray, Round::cpuMicros)))
					.as("processor time of a page with X-ray that nobody asks for")
					.isLessThan(MOST_COST_OF_XRAY);
			}
		}
	}

	private static double median(List<Double> values) {
		return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
	}

	private ChildProcess site(String log, int port, RedisProcess redis, LockServers locks, String... settings) {
		return site(SiteJar.OF_THIS_BUILD, log, port, redis, locks, settings);
	}

	private ChildProcess site(Path jar, String log, int port, RedisProcess redis, LockServers locks,
			String... settings) {
		List<String> all = new ArrayList<>(
				List.of("-jar", jar.toString(), "--server.port=" + port, "--management.server.port=" + TestPorts.next(),
						"--retwis.embedded=false", "--spring.data.redis.port=" + redis.port(), locks.setting()));
		all.addAll(List.of(settings));
		return java(log, all.toArray(String[]::new));
	}

	private ChildProcess java(String log, String... arguments) {
		List<String> all = new ArrayList<>(this.jvm);
		all.addAll(List.of(arguments));
		return PinnedProcess.start(SERVER_CORE, this.directory.resolve(log), ChildProcess.java(all));
	}

	private static String url(int port, String path) {
		return "http://127.0.0.1:" + port + path;
	}

	private static void require(String... programs) {
		for (String program : programs) {
			if (Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
				.noneMatch((folder) -> Files.isExecutable(Path.of(folder, program)))) {
				throw new IllegalStateException("The benchmark needs " + program
						+ " on the PATH (Debian, Ubuntu: apt-get install wrk util-linux).");
			}
		}
	}

	/** The servers take turns, so that other work on the machine affects all of them. */
	private void run(List<Contestant> contestants) throws IOException, InterruptedException {
		for (Contestant contestant : contestants) {
			awaitAnswer(contestant.target());
		}
		for (int i = 0; i < WARM_UPS; i++) {
			for (Contestant contestant : contestants) {
				warmUp(contestant.target());
			}
		}
		for (int i = 0; i < this.rounds; i++) {
			for (Contestant contestant : contestants) {
				Round measured = measure(contestant, this.round);
				contestant.rounds().add(measured);
				log.info("{}: {}/s, p99 {} ms, {} µs", contestant.target().name(), Math.round(measured.rate()),
						measured.p99(), Math.round(measured.cpuMicros()));
			}
		}
	}

	/** A server that has just started on one core may refuse some of 100 clients. */
	private void warmUp(Target target) {
		try (PageLoad.Running running = this.load.start(target, WARM_UP)) {
			running.end();
		}
	}

	private Round measure(Contestant contestant, Duration time) throws IOException, InterruptedException {
		Duration before = contestant.cpu();
		try (PageLoad.Running running = this.load.start(contestant.target(), time)) {
			Awaitility.await("the middle of the round").pollDelay(time.dividedBy(2)).atMost(time).until(() -> true);
			check(contestant.target());
			Figures figures = running.figures();
			double micros = contestant.cpu().minus(before).toNanos() / 1000.0;
			return new Round(figures.rate(), figures.p99(), micros / (figures.rate() * time.toSeconds()));
		}
	}

	/** Checks that the answer under load is the complete page. */
	private void check(Target target) throws IOException, InterruptedException {
		HttpResponse<InputStream> answer = get(target);
		String page = text(answer.body(), target.compressed());
		int articles = page.split("<article ", -1).length - 1;
		if (answer.statusCode() != 200 || articles != target.articles() || !page.startsWith("<!DOCTYPE")) {
			throw new IllegalStateException(
					target.name() + " answered " + answer.statusCode() + " with " + articles + " articles");
		}
	}

	private static String text(InputStream body, boolean compressed) throws IOException {
		try (InputStream page = compressed ? new GZIPInputStream(body) : body) {
			return new String(page.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	private HttpResponse<InputStream> get(Target target) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target.url())).timeout(Duration.ofSeconds(10));
		if (!target.cookie().isEmpty()) {
			request.header("Cookie", target.cookie());
		}
		if (target.compressed()) {
			request.header("Accept-Encoding", "gzip");
		}
		return this.client.send(request.build(), BodyHandlers.ofInputStream());
	}

	private void awaitAnswer(Target target) {
		Awaitility.await(target.name() + "; see the logs in " + this.directory.toAbsolutePath())
			.atMost(START)
			.pollInterval(Duration.ofMillis(200))
			.ignoreExceptions()
			.until(() -> {
				check(target);
				return true;
			});
	}

	/**
	 * The figures of one round.
	 *
	 * @param rate requests per second
	 * @param p99 milliseconds
	 * @param cpuMicros processor time of server and Redis for one request, in µs; if the
	 * machine does other work, it varies less than the rate
	 */
	private record Round(double rate, double p99, double cpuMicros) {
	}

	/**
	 * A server of the comparison.
	 *
	 * @param target the requested page
	 * @param processes processes that answer
	 * @param rounds figures so far
	 */
	private record Contestant(Target target, List<Long> processes, List<Round> rounds) {

		Contestant(Target target, List<Long> processes) {
			this(target, processes, new ArrayList<>());
		}

		void report(BenchReport report) {
			String name = this.target.name();
			report.add(Figure.of(name + ": requests", "/s", all(Round::rate)));
			report.add(Figure.of(name + ": p99", "ms", all(Round::p99)));
			report.add(Figure.of(name + ": processor time of a request", "µs", all(Round::cpuMicros)));
		}

		/**
		 * Adds the comparison, too.
		 * @param least part of the other's requests that is aimed for
		 */
		void report(BenchReport report, Contestant other, double least) {
			report(report);
			String name = this.target.name() + ": ";
			String of = " of " + other.target().name();
			report.add(Figure.of(name + "requests" + of, "×", ratios(other, Round::rate)).atLeast(least));
			report.add(Figure.of(name + "p99" + of, "×", ratios(other, Round::p99)).atMost(MOST_P99));
		}

		/** Adds how many times the other's requests this is, and the other's figures. */
		void compare(BenchReport report, Contestant other) {
			other.report(report);
			report.add(Figure.of(this.target.name() + ": requests of " + other.target().name(), "×",
					ratios(other, Round::rate)));
		}

		private List<Double> all(ToDoubleFunction<Round> figure) {
			return this.rounds.stream().mapToDouble(figure).boxed().toList();
		}

		/** Compares the rounds that came one after the other. */
		private List<Double> ratios(Contestant other, ToDoubleFunction<Round> figure) {
			return IntStream.range(0, this.rounds.size())
				.mapToObj((round) -> figure.applyAsDouble(this.rounds.get(round))
						/ figure.applyAsDouble(other.rounds().get(round)))
				.toList();
		}

		Duration cpu() throws IOException {
			Duration sum = Duration.ZERO;
			for (long pid : this.processes) {
				sum = sum.plus(PinnedProcess.cpu(pid));
			}
			return sum;
		}

	}

}
