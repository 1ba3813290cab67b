package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.redis.Keys;
import live.retwis.testing.ClusterServers;
import live.retwis.testing.NodeConnections;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a post costs the master that has the keys of {@code {live}}, on a cluster of three
 * masters. This bounds the posts a second of a whole site: more masters do not help. It
 * is measured in CPU time of that master, less the time that it takes without posts. Each
 * of {@code -Dbench.authors} (20) users makes {@code -Dbench.posts} (150) posts, one
 * after the other, and has {@code -Dbench.followers} (19) of the others as followers.
 */
class LiveShardBench {

	private static final int FEWEST_SECONDS = 5;

	private final int authors = Integer.getInteger("bench.authors", 20);

	private final int posts = Integer.getInteger("bench.posts", 150);

	private final int followers = Integer.getInteger("bench.followers", 19);

	private final StringBuilder report = new StringBuilder();

	@Test
	void whatAPostCostsTheMasterOfTheLog() throws IOException {
		try (ClusterServers servers = ClusterServers.start(); Site first = start(servers)) {
			List<Visitor> visitors = IntStream.range(0, this.authors)
				.mapToObj((i) -> Visitor.registered(first))
				.toList();
			for (int i = 0; i < this.authors; i++) {
				for (int j = 1; j <= Math.min(this.followers, this.authors - 1); j++) {
					visitors.get((i + j) % this.authors).follow(visitors.get(i));
				}
			}
			measure(servers, visitors, 1);
			try (Site second = start(servers)) {
				assertThat(Visitor.of(second).get("/timeline").status()).isEqualTo(200);
				measure(servers, visitors, 2);
			}
		}
		Path directory = Path.of("target", "bench");
		Files.createDirectories(directory);
		Files.writeString(directory.resolve("live-shard.md"), this.report);
		System.out.println(this.report);
	}

	private static Site start(ClusterServers servers) {
		return Site.startOn(servers.settings());
	}

	private void measure(ClusterServers servers, List<Visitor> visitors, int instances) {
		post(visitors, 20);
		List<RedisProcess> masters = servers.masters();
		RedisProcess live = servers.masterOf(Keys.PUBLIC_TIMELINE);
		Duration idle = Duration.ofSeconds(FEWEST_SECONDS);
		double before = cpu(live);
		LockSupport.parkNanos(idle.toNanos());
		double idleShare = (cpu(live) - before) / FEWEST_SECONDS;
		List<Double> used = masters.stream().map(LiveShardBench::cpu).toList();
		before = cpu(live);
		long start = System.nanoTime();
		post(visitors, this.posts);
		double seconds = (System.nanoTime() - start) / 1e9;
		double made = visitors.size() * (double) this.posts;
		double micros = 1e6 * (cpu(live) - before - idleShare * seconds) / made;
		double all = IntStream.range(0, masters.size()).mapToDouble((i) -> cpu(masters.get(i)) - used.get(i)).sum();
		this.report.append(String.format(Locale.ROOT,
				"%d instances: %,.0f posts at %,.0f a second. The master of {live} takes %.1f µs of CPU for each, so one "
						+ "core of it takes %,.0f a second. Without posts it takes %.1f %% of a core. All masters: %.1f µs.%n",
				instances, made, made / seconds, micros, 1e6 / micros, 100 * idleShare, 1e6 * all / made));
	}

	private static void post(List<Visitor> visitors, int each) {
		List<Thread> threads = visitors.stream()
			.map((visitor) -> new Thread(
					() -> IntStream.range(0, each).forEach((i) -> visitor.post("post number " + i + " of an author"))))
			.toList();
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			try {
				thread.join(TimeUnit.MINUTES.toMillis(5));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			assertThat(thread.isAlive()).as("posting has ended").isFalse();
		}
	}

	/** CPU seconds that a server has used. */
	private static double cpu(RedisProcess server) {
		return NodeConnections.ask(server,
				(node) -> node.info("cpu")
					.lines()
					.filter((line) -> line.matches("used_cpu_(user|sys):.*"))
					.mapToDouble((line) -> Double.parseDouble(line.substring(line.indexOf(':') + 1).strip()))
					.sum());
	}

}
