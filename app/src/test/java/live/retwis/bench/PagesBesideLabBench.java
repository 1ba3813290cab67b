package live.retwis.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.bench.Figure;
import live.retwis.testing.LockServers;
import live.retwis.testing.SiteProcess;
import live.retwis.testing.Visitor;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long {@code /timeline} takes while the same instance plays a run of the lab with 20
 * rounds, and while it looks for what breaks a design. The requests come one after the
 * other, at most 50 a second, for {@code -Dbench.seconds} (20), and
 * {@code -Dbench.rounds} (3) times in turn with those of an instance that does nothing
 * else.
 */
class PagesBesideLabBench {

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("pages-beside-lab", "Pages beside the lab",
			"PagesBesideLabBench");

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

	private static final int WARM_UPS = 2;

	private static final String ALONE = "1, nothing else";

	private static final String RUNNING = "2, beside a run of 20 rounds";

	private static final String SEARCHING = "3, beside a search";

	/** The p99 beside the lab, as a multiple of that without. */
	private static final double MOST = 2;

	private static final String[] RUN = { "scenario", "1", "engine", "redisson", "nodes", "5", "lease", "1000",
			"node_timeout", "50", "seed", "7", "rounds", "20", "fence", "engine" };

	/** Nothing breaks it, so the search goes on to its end. */
	private static final String[] DESIGN = { "nodes", "5", "quorum", "3", "order", "one-by-one", "vote", "second-look",
			"validity", "yes", "drift", "yes", "clock", "steady", "release", "own-key", "fence", "owner" };

	private final int rounds = Integer.getInteger("bench.rounds", 3);

	private final Duration round = Duration.ofSeconds(Integer.getInteger("bench.seconds", 20));

	@Test
	void pagesBesideTheLab() throws IOException {
		try (RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT);
				LockServers locks = new LockServers(3);
				SiteProcess site = SiteProcess.launch(redis.port(), locks.setting(), "--retwis.lab.enabled=true")
					.ready()) {
			Visitor author = Visitor.registered(site.origin());
			for (int i = 0; i < 20; i++) {
				author.post("post " + i);
			}
			for (int i = 0; i < WARM_UPS; i++) {
				measure(site);
			}
			Map<String, List<Histogram>> measured = new TreeMap<>();
			for (int i = 0; i < this.rounds; i++) {
				add(measured, ALONE, measure(site));
				Visitor player = Visitor.registered(site.origin());
				player.get("/lab");
				assertThat(player.submit("/lab/runs", RUN).location()).isEqualTo("/lab#live");
				add(measured, RUNNING, measure(site));
				player.submit("/lab/stop");
				player.get("/lab/design");
				assertThat(player.submit("/lab/design", DESIGN).status()).isEqualTo(303);
				add(measured, SEARCHING, measure(site));
			}
			measured.forEach((when, delays) -> {
				REPORT.add(Figure.of(when + ": p99", "ms", p99(delays)));
				REPORT
					.add(Figure.of(when + ": slowest", "ms", delays.stream().map((one) -> millis(one, 100)).toList()));
			});
			REPORT.add(ratio(RUNNING, measured).atMost(MOST));
			REPORT.add(ratio(SEARCHING, measured).atMost(MOST));
		}
	}

	private static void add(Map<String, List<Histogram>> measured, String when, Histogram delays) {
		measured.computeIfAbsent(when, (key) -> new ArrayList<>()).add(delays);
	}

	private static Figure ratio(String when, Map<String, List<Histogram>> measured) {
		List<Double> beside = p99(measured.getOrDefault(when, List.of()));
		List<Double> alone = p99(measured.getOrDefault(ALONE, List.of()));
		return Figure.of(when + ": p99, of that with nothing else", "×",
				IntStream.range(0, beside.size()).mapToObj((round) -> beside.get(round) / alone.get(round)).toList());
	}

	private static List<Double> p99(List<Histogram> delays) {
		return delays.stream().map((one) -> millis(one, 99)).toList();
	}

	private static double millis(Histogram delays, double percentile) {
		return delays.getValueAtPercentile(percentile) / 1000.0;
	}

	/** Delays in µs. */
	private Histogram measure(SiteProcess site) {
		Visitor reader = Visitor.at(site.origin());
		Histogram delays = new Histogram(3);
		long end = System.nanoTime() + this.round.toNanos();
		while (System.nanoTime() < end) {
			long began = System.nanoTime();
			assertThat(reader.get("/timeline").status()).isEqualTo(200);
			delays.recordValue((System.nanoTime() - began) / 1000);
			LockSupport.parkNanos(began + PAUSE - System.nanoTime());
		}
		return delays;
	}

}
