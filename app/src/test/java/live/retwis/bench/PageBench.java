package live.retwis.bench;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import live.retwis.bench.BenchReport.Round;
import live.retwis.bench.PageLoad.Figures;
import live.retwis.bench.PageLoad.Target;
import live.retwis.locks.nodes.RedisOptions;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.testing.ChildProcess;
import live.retwis.testing.LockServers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Requests per second and p99 of the two busiest pages, compared with a bare WebFlux
 * handler. Servers and Redis share one core, and the load runs on another. Only one
 * server is under load at a time. {@code -Dbench.rounds} (5) is the number of rounds,
 * {@code -Dbench.seconds} (5) the length of a round, and {@code -Dbench.jvm} (none) has
 * JVM arguments for both servers.
 */
class PageBench {

	private static final int SERVER_CORE = 0;

	private static final int LOAD_CORE = 1;

	private static final Duration START = Duration.ofSeconds(90);

	private static final Duration WARM_UP = Duration.ofSeconds(5);

	private static final int WARM_UPS = 3;

	private final int rounds = Integer.getInteger("bench.rounds", 5);

	private final Duration round = Duration.ofSeconds(Integer.getInteger("bench.seconds", 5));

	private final List<String> jvm = Stream.of(System.getProperty("bench.jvm", "").split(" "))
		.filter((argument) -> !argument.isBlank())
		.toList();

	private final Path directory = Path.of("target", "bench");

	private final PageLoad load = new PageLoad(LOAD_CORE, this.directory.resolve("wrk.log"));

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	@Test
	void pagesBesideABareHandler() throws IOException, InterruptedException {
		require("wrk", "taskset");
		Files.createDirectories(this.directory);
		PinnedProcess.move(ProcessHandle.current().pid(), LOAD_CORE, this.directory.resolve("taskset.log"));
		int bare = TestPorts.next();
		int site = TestPorts.next();
		int recorded = TestPorts.next();
		try (RedisProcess redis = RedisProcess.start(RedisOptions.DEFAULT); LockServers locks = new LockServers(3)) {
			PinnedProcess.move(redis.pid(), SERVER_CORE, this.directory.resolve("taskset.log"));
			String cookie = BenchTown.fill(redis.port(), locks);
			try (ChildProcess bareServer = java("bare.log", "-cp", System.getProperty("java.class.path"),
					BareServer.class.getName(), Integer.toString(bare));
					ChildProcess siteServer = site("site.log", site, redis, locks);
					ChildProcess recordedServer = site("recorded.log", recorded, redis, locks,
							"--retwis.xray.enabled=true", "--retwis.xray.users=*")) {
				List<Long> ofSite = List.of(siteServer.pid(), redis.pid());
				Contestant withXray = new Contestant(
						new Target("/home, X-ray not asked for", url(recorded, "/home"), cookie, 20),
						List.of(recordedServer.pid(), redis.pid()));
				Contestant ceiling = new Contestant(new Target("bare", url(bare, "/"), "", 0),
						List.of(bareServer.pid()));
				Contestant timeline = new Contestant(new Target("/timeline", url(site, "/timeline"), "", 50), ofSite);
				Contestant home = new Contestant(new Target("/home", url(site, "/home"), cookie, 20), ofSite);
				run(List.of(ceiling, timeline, home, withXray));
				BenchReport report = new BenchReport("bare", ceiling.rounds());
				report.add("/timeline, 50 posts", timeline.rounds(), 0.4);
				report.add("/home, signed in, 20 posts", home.rounds(), 0.3);
				BenchReport ofXray = new BenchReport("/home, X-ray disabled", home.rounds());
				ofXray.add("/home, X-ray enabled, not asked for", withXray.rounds(), 0.97);
				report.write(this.directory, "pages");
				ofXray.write(this.directory, "xray");
				System.out.println(ofXray);
				System.out.println(report);
			}
		}
	}

	private ChildProcess site(String log, int port, RedisProcess redis, LockServers locks, String... settings) {
		List<String> all = new ArrayList<>(List.of("-jar", Path.of("target", "retwis-live.jar").toString(),
				"--server.port=" + port, "--management.server.port=" + TestPorts.next(), "--retwis.embedded=false",
				"--spring.data.redis.port=" + redis.port(), locks.setting()));
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
				System.out.printf("%s: %.0f/s, p99 %.1f ms, %.0f µs%n", contestant.target().name(), measured.rate(),
						measured.p99(), measured.cpuMicros());
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
		HttpResponse<String> answer = get(target);
		int articles = answer.body().split("<article ", -1).length - 1;
		if (answer.statusCode() != 200 || articles != target.articles() || !answer.body().startsWith("<!DOCTYPE")) {
			throw new IllegalStateException(
					target.name() + " answered " + answer.statusCode() + " with " + articles + " articles");
		}
	}

	private HttpResponse<String> get(Target target) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target.url())).timeout(Duration.ofSeconds(10));
		if (!target.cookie().isEmpty()) {
			request.header("Cookie", target.cookie());
		}
		return this.client.send(request.build(), BodyHandlers.ofString());
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

		Duration cpu() throws IOException {
			Duration sum = Duration.ZERO;
			for (long pid : this.processes) {
				sum = sum.plus(PinnedProcess.cpu(pid));
			}
			return sum;
		}

	}

}
