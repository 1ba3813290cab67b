package live.retwis.locks.lab.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.Poll;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.Uninterrupted;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import org.jspecify.annotations.Nullable;

/**
 * A replica of a node, and three Sentinels that promote the replica when the node is
 * gone. The replica follows its node through a pipe of the lab. To be closed. The node is
 * its first server again then.
 */
public final class ReplicaWithSentinels implements AutoCloseable {

	private static final int SENTINELS = 3;

	/**
	 * The longest wait for the start. The Sentinels tell of each other every two seconds.
	 */
	private static final Duration START = Duration.ofSeconds(10);

	private static final Duration PATIENCE = Duration.ofSeconds(1);

	/**
	 * When a Sentinel takes a node for down. It is long enough for a busy machine not to
	 * look like one that is down.
	 */
	private static final int DOWN_AFTER_MILLIS = 500;

	/**
	 * By how much later each Sentinel finds the node down than the one before. The second
	 * one then calls for the election, while the others have not voted for themselves
	 * yet.
	 */
	private static final int STAGGER_MILLIS = 300;

	/**
	 * An election without a majority is repeated after twice that time. The default is
	 * three minutes.
	 */
	private static final int FAILOVER_MILLIS = 2000;

	/** The name by which the Sentinels know the node. */
	private static final String NAME = "node";

	private final LabNode node;

	private final FaultProxy pipe;

	/** Keeps from the replica what its node is told; null until it is frozen. */
	private @Nullable Interception freeze;

	/** The processes; the replica is the first. */
	private final List<RedisProcess> processes = new CopyOnWriteArrayList<>();

	/** The node's own server, while the replica plays the node. */
	private @Nullable RedisProcess former;

	private ReplicaWithSentinels(LabNode node) {
		this.node = node;
		this.pipe = FaultProxy.ofBytes("127.0.0.1", node.port());
	}

	/**
	 * Starts all processes. Waits until the replica has the data of its node, and the
	 * Sentinels know both servers and each other: some two seconds.
	 * @param node whose replica it is
	 * @param processRegistry where the processes are recorded
	 */
	public static ReplicaWithSentinels start(LabNode node, ProcessRegistry processRegistry) {
		ReplicaWithSentinels replicaWithSentinels = new ReplicaWithSentinels(node);
		try {
			replicaWithSentinels.start(Files.createTempDirectory(processRegistry.directory(), "standby-"),
					processRegistry);
			return replicaWithSentinels;
		}
		catch (IOException ex) {
			Uninterrupted.run(replicaWithSentinels::close);
			throw new UncheckedIOException("No directory for a replica", ex);
		}
		catch (RuntimeException ex) {
			Uninterrupted.run(replicaWithSentinels::close);
			throw ex;
		}
	}

	private void start(Path directory, ProcessRegistry processRegistry) {
		// Otherwise a master waits five seconds for more replicas.
		this.node.ask("CONFIG", "SET", "repl-diskless-sync-delay", "0");
		add(RedisProcess.start(RedisProcessOptions.DEFAULT.withDirectory(directory.resolve("replica"))
			.with("maxmemory 64mb", "maxmemory-policy noeviction", "replicaof 127.0.0.1 " + this.pipe.port())),
				processRegistry);
		await("the replica is in sync", () -> info(replica()).contains("master_link_status:up"));
		IntStream.rangeClosed(1, SENTINELS)
			.parallel()
			.forEach((number) -> add(sentinel(number, directory.resolve("sentinel-" + number)), processRegistry));
		await("the Sentinels know the replica and each other",
				() -> sentinels().stream().allMatch(ReplicaWithSentinels::isComplete));
	}

	private RedisProcess sentinel(int number, Path directory) {
		return RedisProcess.start(RedisProcessOptions.DEFAULT.withDirectory(directory)
			.with("sentinel monitor " + NAME + " 127.0.0.1 " + this.node.port() + " " + (SENTINELS / 2 + 1),
					"sentinel down-after-milliseconds " + NAME + " "
							+ (DOWN_AFTER_MILLIS + (number - 1) * STAGGER_MILLIS),
					"sentinel failover-timeout " + NAME + " " + FAILOVER_MILLIS));
	}

	private void add(RedisProcess process, ProcessRegistry processRegistry) {
		this.processes.add(process);
		processRegistry.record(process.pid());
	}

	private static void await(String what, BooleanSupplier state) {
		if (!Poll.until(START, state)) {
			throw new IllegalStateException("It did not come about that " + what);
		}
	}

	private RedisProcess replica() {
		return this.processes.get(0);
	}

	private List<RedisProcess> sentinels() {
		return this.processes.subList(1, this.processes.size());
	}

	private static boolean isComplete(RedisProcess sentinel) {
		return String.join("", ask(sentinel, "SENTINEL", "CKQUORUM", NAME)).startsWith("OK " + SENTINELS)
				&& !ask(sentinel, "SENTINEL", "REPLICAS", NAME).isEmpty();
	}

	private static String info(RedisProcess server) {
		return String.join("", ask(server, "INFO", "replication"));
	}

	/** The answer; empty when there is none, or when it is an error. */
	private static List<String> ask(RedisProcess server, String... command) {
		try {
			return new RawRedisClient(server.port(), PATIENCE).ask(command);
		}
		catch (IOException | IllegalStateException ex) {
			return List.of();
		}
	}

	/** The node whose replica this is. */
	public LabNode node() {
		return this.node;
	}

	/**
	 * From now on the replica hears nothing of what its node is told. That holds for some
	 * ten seconds after the start. Later a Sentinel may notice that the pipe is the
	 * replica's master, and correct that.
	 */
	public void freeze() {
		this.freeze = this.pipe.loseReplies();
	}

	/** How many bytes were kept from the replica since then. */
	public long withheld() {
		return (this.freeze != null) ? this.freeze.bytes() : 0;
	}

	/** Whether the replica has a key. */
	public boolean replicaHas(String key) {
		return ask(replica(), "EXISTS", key).equals(List.of("1"));
	}

	/** Where the node is, as the Sentinels tell clients. One answer for each Sentinel. */
	public List<String> addresses() {
		return sentinels().stream()
			.map((sentinel) -> String.join(":", ask(sentinel, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME)))
			.toList();
	}

	/** Whether a Sentinel says that the replica is the master, and the replica agrees. */
	public boolean isPromoted() {
		return addresses().contains("127.0.0.1:" + replica().port()) && info(replica()).contains("role:master");
	}

	/** Leads whoever asks for the node to the replica, from now on. */
	public void takeOver() {
		this.former = this.node.playedBy(replica());
	}

	/** Ends the replica and the Sentinels. A second call does nothing. */
	@Override
	public void close() {
		RedisProcess own = this.former;
		if (own != null) {
			this.node.playedBy(own);
			this.former = null;
		}
		// The Sentinels end first. Otherwise they would act when the replica is gone.
		List<RedisProcess> all = new ArrayList<>(this.processes);
		Collections.reverse(all);
		try {
			all.forEach(RedisProcess::close);
		}
		finally {
			this.pipe.close();
		}
	}

}
