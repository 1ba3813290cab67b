package live.retwis.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
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
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a post costs the master that has the keys of {@code {live}}, on a cluster of three
 * masters. This bounds the posts a second of a whole site: more masters do not help. It
 * is measured twice. First in CPU time of that master, less the time that it takes
 * without posts. Then the master may use {@link #SHARE} of a core only, so that it has
 * all that it can do, and the posts are counted. Each of {@code -Dbench.authors} (20)
 * users makes {@code -Dbench.posts} (150) posts, one after the other, and has
 * {@code -Dbench.followers} (19) of the others as followers. It needs Linux, and root.
 */
class LiveShardBench {

	private static final int FEWEST_SECONDS = 5;

	/** So little that this machine has more posts than the master can take. */
	private static final double SHARE = 0.03;

	private final int authors = Integer.getInteger("bench.authors", 20);

	private final int posts = Integer.getInteger("bench.posts", 150);

	private final int followers = Integer.getInteger("bench.followers", 19);

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("live-shard", "What a post costs the master of the log",
			"LiveShardBench");

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
				try (Site third = start(servers); Site fourth = start(servers)) {
					assertThat(Visitor.of(third).get("/timeline").status()).isEqualTo(200);
					assertThat(Visitor.of(fourth).get("/timeline").status()).isEqualTo(200);
					measure(servers, visitors, 4);
				}
			}
		}
	}

	private static Site start(ClusterServers servers) {
		return Site.startOn(servers.settings());
	}

	private void measure(ClusterServers servers, List<Visitor> visitors, int instances) throws IOException {
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
		String name = "instances: " + instances + ": ";
		REPORT.add(name + "posts", "/s", made / seconds);
		REPORT.add(name + "processor time of the master of {live} for a post", "µs", micros);
		REPORT.add(name + "so posts that one core of it takes", "/s", 1e6 / micros);
		REPORT.add(name + "processor time of that master without posts", "% of a core", 100 * idleShare);
		REPORT.add(name + "processor time of all masters for a post", "µs", 1e6 * all / made);
		saturate(live, visitors, name, idleShare);
	}

	private void saturate(RedisProcess live, List<Visitor> visitors, String name, double idleShare) throws IOException {
		try (ControlGroup slice = ControlGroup.ofCpu(SHARE)) {
			slice.add(live.pid());
			try {
				post(visitors, this.posts / 10);
				long start = System.nanoTime();
				post(visitors, this.posts);
				double rate = visitors.size() * (double) this.posts * 1e9 / (System.nanoTime() - start);
				REPORT.add(name + "posts with " + 100 * SHARE + " % of a core for that master", "/s", rate);
				REPORT.add(name + "periods in which it used up that share", "%", 100 * slice.standstill());
				REPORT.add(name + "posts for a whole core at that rate", "/s", rate / (SHARE - idleShare));
			}
			finally {
				slice.release(live.pid());
			}
		}
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
