package live.retwis.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
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
 * Two instances lose the master that has the commit log. Redis puts a replica in its
 * place by itself. Entries that the replica had not received are cut from the log, and a
 * reader who saw one of them gets a reset.
 *
 * @param servers the data nodes
 * @param instances the instances
 * @param random random numbers of this run
 */
record MasterLoss(ReplicatedServers servers, Instances instances, Random random) implements AutoCloseable {

	/** Settings of a master that loses nothing when it comes back. */
	static final String[] DURABLE = { "appendonly yes", "appendfsync always" };

	private static final Logger log = LoggerFactory.getLogger(MasterLoss.class);

	private static final int POSTS = 100;

	/** Bytes of the commands of a few posts. */
	private static final int UNHEARD = 4000;

	private static final Duration LIMIT = Duration.ofSeconds(20);

	/**
	 * The doctor looks at a suspicious key a second time after this time and a second.
	 */
	private static final String LEASE = "--retwis.locks.lease=1s";

	/** The log must not be trimmed, because it is compared with what the readers saw. */
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

	/**
	 * The master fails, comes back as a replica, and later takes the place of its
	 * successor.
	 */
	void failOverAndBack(Consumer<RedisProcess> end, Consumer<RedisProcess> start) {
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
	 * The master dies several times, each time with writes that no replica has received.
	 * @param replicas the replicas of the master at that moment
	 * @param writes waits for writes that no replica has received
	 * @return the acknowledged posts that were lost
	 */
	Set<String> unheard(int times, Supplier<List<RedisProcess>> replicas, Consumer<Workload> writes) {
		WorkloadHistory history = under((workload) -> {
			for (int i = 0; i < times; i++) {
				workload.awaitPosts(POSTS);
				List<RedisProcess> deaf = replicas.get();
				RedisProcess master = this.servers.masterOf(Keys.LOG);
				workload.cut(master, () -> {
					deaf.forEach(RedisProcess::pause);
					// A stopped server reads what was sent to it when it continues.
					this.servers.commands().clientKill(KillArgs.Builder.typeSlave());
					writes.accept(workload);
					master.kill();
					deaf.forEach(RedisProcess::resume);
					this.servers.awaitFailOver(master);
				});
				workload.awaitPosts(POSTS);
				master.restart();
				this.servers.awaitWhole();
			}
		});
		return history.lost();
	}

	/** Waits until the master has written more. None of it needs to be acknowledged. */
	void awaitWrites() {
		long heard = written();
		Awaitility.await("writes that no replica has heard of").atMost(LIMIT).until(() -> written() > heard + UNHEARD);
	}

	/** What the master has written, in bytes of commands. */
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
			history.assertWholeExceptTheCut();
			log.info("{} acknowledged posts, {} of them lost; {} of {} streams were reset",
					history.acknowledged().size(), history.lost().size(),
					history.readings().stream().filter(ReaderLog::hasReset).count(), history.readings().size());
			return history;
		}
	}

	private RedisProcess replace(Workload workload, Consumer<RedisProcess> end) {
		RedisProcess master = this.servers.masterOf(Keys.LOG);
		AtomicLong lost = new AtomicLong();
		workload.cut(master, () -> {
			end.accept(master);
			lost.set(System.nanoTime());
			this.servers.awaitFailOver(master);
		});
		long replaced = System.nanoTime();
		workload.awaitPosts(1);
		long next = System.nanoTime();
		log.info("Replaced after {} ms, the next post {} ms later", Duration.ofNanos(replaced - lost.get()).toMillis(),
				Duration.ofNanos(next - replaced).toMillis());
		workload.awaitPosts(POSTS);
		return master;
	}

	/** Checks that every rule holds after all waiting work is done. */
	void examine() {
		assertThat(SiteProcess.doctor(this.servers.settings(), "--wait", LEASE, LockServers.shared().setting()))
			.contains("every rule holds");
	}

	@Override
	public void close() {
		this.instances.close();
	}

}
