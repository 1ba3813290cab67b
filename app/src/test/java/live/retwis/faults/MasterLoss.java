package live.retwis.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.lettuce.core.KillArgs;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.redis.Keys;
import live.retwis.testing.LockServers;
import live.retwis.testing.ReplicatedServers;
import live.retwis.testing.SiteProcess;
import org.awaitility.Awaitility;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two instances, and the loss of the master that has the commit log: Redis puts a replica
 * in its place, and nobody helps. What the replica had not heard is cut from the log;
 * whoever saw any of it is told to start anew.
 *
 * @param servers where the data is
 * @param instances over it
 * @param random of this run
 */
record MasterLoss(ReplicatedServers servers, Instances instances, Random random) implements AutoCloseable {

	/** What a master needs that is to forget nothing when it comes back. */
	static final String[] DURABLE = { "appendonly yes", "appendfsync always" };

	private static final Logger log = LoggerFactory.getLogger(MasterLoss.class);

	private static final int POSTS = 100;

	/** Bytes of the commands of a few posts. */
	private static final int UNHEARD = 4000;

	private static final Duration LIMIT = Duration.ofSeconds(20);

	/** The doctor looks twice, this long apart and a second. */
	private static final String LEASE = "--retwis.locks.lease=1s";

	/** What was seen is compared with the log in the end, which is not to be trimmed. */
	private static final String WHOLE_LOG = "--retwis.live.replay-entries=1000000";

	static MasterLoss of(ReplicatedServers servers, String... more) {
		List<String> settings = new ArrayList<>(List.of(more));
		settings.add(LEASE);
		settings.add(WHOLE_LOG);
		long seed = Long.getLong("chaos.seed", System.nanoTime());
		log.info("-Dchaos.seed={}", seed);
		return new MasterLoss(servers, Instances.startOn(servers.settings(), settings.toArray(String[]::new)),
				new Random(seed));
	}

	/** The master goes, comes back as a replica, and takes the place of its successor. */
	void thereAndBack(Consumer<RedisProcess> end, Consumer<RedisProcess> start) {
		under((workload) -> {
			RedisProcess first = replace(workload, end);
			start.accept(first);
			this.servers.awaitWhole();
			workload.awaitPosts(POSTS);
			RedisProcess second = replace(workload, end);
			assertThat(second).isNotSameAs(first);
			start.accept(second);
			this.servers.awaitWhole();
			workload.awaitPosts(POSTS);
		});
	}

	/**
	 * The master dies again and again, each time with writes that no replica has heard
	 * of.
	 * @param replicas of the master, at that moment
	 * @return the acknowledged posts that were lost with it
	 */
	Set<String> unheard(int times, Supplier<List<RedisProcess>> replicas) {
		WorkloadHistory history = under((workload) -> {
			for (int i = 0; i < times; i++) {
				workload.awaitPosts(POSTS);
				List<RedisProcess> deaf = replicas.get();
				deaf.forEach(RedisProcess::pause);
				// What is sent to one that is stopped, it reads when it goes on.
				this.servers.commands().clientKill(KillArgs.Builder.typeSlave());
				long heard = written();
				Awaitility.await("writes that no replica has heard of")
					.atMost(LIMIT)
					.until(() -> written() > heard + UNHEARD);
				RedisProcess master = this.servers.masterOf(Keys.LOG);
				master.kill();
				deaf.forEach(RedisProcess::resume);
				this.servers.awaitFailOver(master);
				workload.awaitPosts(POSTS);
				master.restart();
				this.servers.awaitWhole();
			}
		});
		return history.lost();
	}

	/** By the master, in bytes of commands. */
	private long written() {
		return this.servers.commands()
			.info("replication")
			.lines()
			.filter((line) -> line.startsWith("master_repl_offset:"))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
			.findFirst()
			.orElseThrow();
	}

	private WorkloadHistory under(Consumer<Workload> faults) {
		WorkloadPeople people = WorkloadPeople.register(this.instances.balancer(), this.random);
		StoredLog stored = this.servers::commands;
		try (Workload workload = Workload.start(people, this.instances.balancer(), stored, this.random, 8, 20)) {
			workload.awaitPosts(POSTS);
			faults.accept(workload);
			WorkloadHistory history = workload.settle(stored);
			history.assertWholeButForTheCut();
			log.info("{} acknowledged posts, {} of them lost; {} of {} streams were reset",
					history.acknowledged().size(), history.lost().size(),
					history.readings().stream().filter(ReaderLog::hasReset).count(), history.readings().size());
			return history;
		}
	}

	private RedisProcess replace(Workload workload, Consumer<RedisProcess> end) {
		RedisProcess master = this.servers.masterOf(Keys.LOG);
		end.accept(master);
		long lost = System.nanoTime();
		this.servers.awaitFailOver(master);
		long replaced = System.nanoTime();
		workload.awaitPosts(1);
		long next = System.nanoTime();
		log.info("Replaced after {} ms, the next post {} ms later", Duration.ofNanos(replaced - lost).toMillis(),
				Duration.ofNanos(next - replaced).toMillis());
		workload.awaitPosts(POSTS);
		return master;
	}

	/** Every rule holds when all is done that was left to do. */
	void examine() {
		assertThat(SiteProcess.doctor(this.servers.settings(), "--wait", LEASE, LockServers.shared().setting()))
			.contains("every rule holds");
	}

	@Override
	public void close() {
		this.instances.close();
	}

}
