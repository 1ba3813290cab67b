package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.bench.PageLoad.Target;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.locks.nodes.testing.bench.Figure;
import live.retwis.testing.ChildProcess;
import live.retwis.testing.LockServers;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * How many more pages an instance serves with two event loops than with one. Instance,
 * Redis and load share the machine, so two loops have less than two cores. How much of
 * the machine is in use with one loop tells what more a second one can bring at most.
 * {@code -Dbench.rounds} (5) is the number of rounds, {@code -Dbench.seconds} (5) the
 * length of a round.
 */
class EventLoopBench {

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("event-loops", "Event loops", "EventLoopBench");

	private static final int CORES = Runtime.getRuntime().availableProcessors();

	private static final Duration START = Duration.ofSeconds(90);

	private static final int WARM_UPS = 3;

	/** Of {@code /proc/stat}. */
	private static final double TICKS_A_SECOND = 100;

	private final int rounds = Integer.getInteger("bench.rounds", 5);

	private final Duration round = Duration.ofSeconds(Integer.getInteger("bench.seconds", 5));

	private final Path directory = BenchReport.directory();

	private final PageLoad load = PageLoad.onAnyCore(this.directory.resolve("wrk.log"));

	EventLoopBench() throws IOException {
	}

	@Test
	void twoEventLoopsBesideOne() throws IOException {
		int one = TestPorts.next();
		int two = TestPorts.next();
		try (RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT);
				LockServers locks = new LockServers(3)) {
			BenchTown town = BenchTown.fill(redis.port(), locks);
			try (ChildProcess single = site(1, one, redis, locks); ChildProcess both = site(2, two, redis, locks)) {
				measure("/timeline, logged out, 50 posts", "/timeline", "", 50, one, two);
				measure("/home, 20 posts", "/home", town.cookie(), 20, one, two);
			}
		}
	}

	private ChildProcess site(int loops, int port, RedisProcess redis, LockServers locks) {
		ChildProcess process = ChildProcess.start(this.directory.resolve("loops-" + loops + ".log"),
				ChildProcess.java(List.of("-XX:+UseSerialGC", "-XX:ActiveProcessorCount=" + loops, "-jar",
						SiteJar.OF_THIS_BUILD.toString(), "--server.port=" + port,
						"--management.server.port=" + TestPorts.next(), "--retwis.embedded=false",
						"--spring.data.redis.port=" + redis.port(), "--retwis.limits.enabled=false", locks.setting())));
		Awaitility.await("the start")
			.atMost(START)
			.ignoreExceptions()
			.until(() -> Visitor.at("http://127.0.0.1:" + port).get("/timeline").status() == 200);
		return process;
	}

	private void measure(String name, String path, String cookie, int articles, int one, int two) throws IOException {
		List<Target> targets = IntStream.of(one, two)
			.mapToObj((port) -> new Target(name, "http://127.0.0.1:" + port + path, cookie, articles))
			.toList();
		for (int i = 0; i < WARM_UPS; i++) {
			for (Target target : targets) {
				measure(target);
			}
		}
		List<Round> single = new ArrayList<>();
		List<Round> both = new ArrayList<>();
		for (int i = 0; i < this.rounds; i++) {
			single.add(measure(targets.get(0)));
			both.add(measure(targets.get(1)));
		}
		REPORT.add(Figure.of(name + ": requests, one event loop", "/s", single.stream().map(Round::rate).toList()));
		REPORT.add(Figure.of(name + ": requests, two event loops", "/s", both.stream().map(Round::rate).toList()));
		REPORT.add(Figure
			.of(name + ": requests with two of one", "×",
					IntStream.range(0, this.rounds).mapToObj((i) -> both.get(i).rate() / single.get(i).rate()).toList())
			.atLeast(1.8));
		REPORT.add(
				Figure.of(name + ": cores in use with one event loop", "", single.stream().map(Round::cores).toList()));
		REPORT.add(Figure.of(name + ": requests with two of one that the machine can give at most", "×",
				single.stream().map((round) -> CORES / round.cores()).toList()));
	}

	private Round measure(Target target) throws IOException {
		double before = idleSeconds();
		long began = System.nanoTime();
		try (PageLoad.Running running = this.load.start(target, this.round)) {
			double rate = running.figures().rate();
			double took = (System.nanoTime() - began) / 1e9;
			return new Round(rate, CORES - (idleSeconds() - before) / took);
		}
	}

	/** How long all cores together have had nothing to do. */
	private static double idleSeconds() throws IOException {
		try (Stream<String> lines = Files.lines(Path.of("/proc/stat"))) {
			String[] all = lines.findFirst().orElseThrow().trim().split(" +");
			return Long.parseLong(all[4]) / TICKS_A_SECOND;
		}
	}

	/**
	 * The figures of one round.
	 *
	 * @param rate requests per second
	 * @param cores cores in use, by everything on the machine
	 */
	private record Round(double rate, double cores) {
	}

}
