package live.retwis.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.testing.bench.Figure;
import live.retwis.testing.Answer;
import live.retwis.testing.LockServers;
import live.retwis.testing.SharedData;
import live.retwis.testing.SiteProcess;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the rate limits cost while every command of the data node takes long: two
 * instances, of which one has limits, answer in turn, {@code -Dbench.requests} (20) times
 * for each delay. Counting waits at most {@code retwis.limits.timeout}.
 */
class SlowDataNodeBench {

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("slow-data-node", "Limits beside a slow data node",
			"SlowDataNodeBench");

	private static final String[] LIMITS = { "--retwis.limits.enabled=true", "--retwis.limits.posts=1000000/1m",
			"--retwis.limits.searches=1000000/1m", "--spring.data.redis.timeout=10s" };

	private static final String[] NO_LIMITS = { "--retwis.limits.enabled=false", "--spring.data.redis.timeout=10s" };

	private final int requests = Integer.getInteger("bench.requests", 20);

	@Test
	void limitsBesideASlowDataNode() throws IOException {
		try (RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT);
				FaultProxy way = FaultProxy.to("127.0.0.1", redis.port());
				LockServers locks = new LockServers(3);
				SiteProcess limited = launch(way, locks, LIMITS);
				SiteProcess unlimited = launch(way, locks, NO_LIMITS)) {
			Visitor one = Visitor.registered(limited.origin());
			Visitor other = Visitor.registered(unlimited.origin());
			for (int millis : List.of(0, 20, 50, 150, 300)) {
				try (Interception slow = way.delay(Duration.ofMillis(millis))) {
					compare(millis, "a post", one, other, (visitor) -> visitor.submit("/posts", "body", "slow"));
					compare(millis, "a search", one, other, (visitor) -> visitor.get("/search?q=slow"));
					compare(millis, "/timeline", one, other, (visitor) -> visitor.get("/timeline"));
					assertThat(slow.met()).isPositive();
				}
			}
		}
	}

	private static SiteProcess launch(FaultProxy way, LockServers locks, String... settings) {
		List<String> all = new ArrayList<>(List.of(settings));
		all.add(locks.setting());
		return SiteProcess.launchWithDefaults(SharedData.settings("127.0.0.1", way.port()), all.toArray(String[]::new))
			.ready();
	}

	private void compare(int millis, String what, Visitor limited, Visitor unlimited,
			Function<Visitor, Answer> request) {
		List<Double> with = new ArrayList<>();
		List<Double> without = new ArrayList<>();
		for (int i = 0; i < this.requests; i++) {
			with.add(time(limited, request));
			without.add(time(unlimited, request));
		}
		String when = what + ", each command " + millis + " ms: ";
		REPORT.add(Figure.of(when + "with limits", "ms", with));
		REPORT.add(Figure.of(when + "without", "ms", without));
	}

	private static double time(Visitor visitor, Function<Visitor, Answer> request) {
		long began = System.nanoTime();
		Answer answer = request.apply(visitor);
		double millis = (System.nanoTime() - began) / (double) TimeUnit.MILLISECONDS.toNanos(1);
		assertThat(answer.status()).as(answer.body()).isIn(200, 303);
		return millis;
	}

}
