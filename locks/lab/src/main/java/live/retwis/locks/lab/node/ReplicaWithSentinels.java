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

import live.retwis.locks.lab.proxy.ReplicationPipe;
import live.retwis.locks.nodes.Poll;
import live.retwis.locks.nodes.RedisOptions;
import live.retwis.locks.nodes.RedisProcess;
import org.jspecify.annotations.Nullable;
import reactor.netty.resources.LoopResources;

/**
 * A replica of a node, which follows it through a pipe of the lab's own, and three
 * Sentinels that promote the replica when the node is gone. To be closed; the node is its
 * first server again then.
 */
public final class ReplicaWithSentinels implements AutoCloseable {

	private static final int SENTINELS = 3;

	/** The Sentinels tell of each other every two seconds. */
	private static final Duration START = Duration.ofSeconds(10);

	private static final Duration PATIENCE = Duration.ofSeconds(1);

	/** Long enough for a busy machine not to look like one that is down. */
	private static final int DOWN_AFTER_MILLIS = 500;

	/**
	 * Each Sentinel is that much slower than the one before to find the node down: who is
	 * second calls for the election, and the others have not voted for themselves yet.
	 */
	private static final int STAGGER_MILLIS = 300;

	/**
	 * An election in which nobody has a majority is repeated after twice that; the
	 * default is three minutes.
	 */
	private static final int FAILOVER_MILLIS = 2000;

	/** By which the Sentinels know the node. */
	private static final String NAME = "node";

	private final LabNode node;

	private final ReplicationPipe pipe;

	/** The replica first. */
	private final List<RedisProcess> processes = new CopyOnWriteArrayList<>();

	/** The node's own server while the replica plays the node. */
	private @Nullable RedisProcess former;

	private ReplicaWithSentinels(LabNode node, LoopResources loops) {
		this.node = node;
		this.pipe = ReplicationPipe.to(node.port(), loops);
	}

	/**
	 * Starts it and waits until the replica has what its node has, and the Sentinels know
	 * both and each other: some two seconds.
	 * @param node whose
	 * @param loops whose threads pass on what is replicated
	 * @param processRegistry where the processes are recorded
	 */
	public static ReplicaWithSentinels start(LabNode node, LoopResources loops, ProcessRegistry processRegistry) {
		ReplicaWithSentinels replicaWithSentinels = new ReplicaWithSentinels(node, loops);
		try {
			replicaWithSentinels.start(Files.createTempDirectory(processRegistry.directory(), "standby-"),
					processRegistry);
			return replicaWithSentinels;
		}
		catch (IOException ex) {
			replicaWithSentinels.close();
			throw new UncheckedIOException("No directory for a replica", ex);
		}
		catch (RuntimeException ex) {
			replicaWithSentinels.close();
			throw ex;
		}
	}

	private void start(Path directory, ProcessRegistry processRegistry) {
		// A master waits five seconds for more replicas otherwise.
		this.node.ask("CONFIG", "SET", "repl-diskless-sync-delay", "0");
		add(RedisProcess.start(RedisOptions.DEFAULT.withDirectory(directory.resolve("replica"))
			.with("maxmemory-policy noeviction", "replicaof 127.0.0.1 " + this.pipe.port())), processRegistry);
		await("the replica is in sync", () -> info(replica()).contains("master_link_status:up"));
		IntStream.rangeClosed(1, SENTINELS)
			.parallel()
			.forEach((number) -> add(sentinel(number, directory.resolve("sentinel-" + number)), processRegistry));
		await("the Sentinels know the replica and each other",
				() -> sentinels().stream().allMatch(ReplicaWithSentinels::isComplete));
	}

	private RedisProcess sentinel(int number, Path directory) {
		return RedisProcess.start(RedisOptions.DEFAULT.withDirectory(directory)
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

	/** Nothing when it does not answer, or answers an error. */
	private static List<String> ask(RedisProcess server, String... command) {
		try {
			return new NodeProbe(server.port(), PATIENCE).ask(command);
		}
		catch (IOException | IllegalStateException ex) {
			return List.of();
		}
	}

	/** Whose it is. */
	public LabNode node() {
		return this.node;
	}

	/**
	 * From here on the replica hears nothing of what its node is told. That lasts for
	 * some ten seconds after the start: then a Sentinel may notice that the replica has
	 * the pipe for its master, and correct that.
	 */
	public void freeze() {
		this.pipe.freeze();
	}

	/** How many bytes the replica was not told since then. */
	public long withheld() {
		return this.pipe.withheld();
	}

	/** Whether the replica has a key. */
	public boolean replicaHas(String key) {
		return ask(replica(), "EXISTS", key).equals(List.of("1"));
	}

	/** Where the node is, as the Sentinels tell clients; one answer for each. */
	public List<String> addresses() {
		return sentinels().stream()
			.map((sentinel) -> String.join(":", ask(sentinel, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME)))
			.toList();
	}

	/** Whether a Sentinel tells that the replica is the master, and it agrees. */
	public boolean isPromoted() {
		return addresses().contains("127.0.0.1:" + replica().port()) && info(replica()).contains("role:master");
	}

	/** Whoever asks for the node reaches the replica from now on. */
	public void takeOver() {
		this.former = this.node.playedBy(replica());
	}

	/** Ends the replica and the Sentinels. Does nothing the second time. */
	@Override
	public void close() {
		RedisProcess own = this.former;
		if (own != null) {
			this.node.playedBy(own);
			this.former = null;
		}
		// The Sentinels first, which would make something of a replica that is gone.
		List<RedisProcess> all = new ArrayList<>(this.processes);
		Collections.reverse(all);
		all.forEach(RedisProcess::close);
		this.pipe.close();
	}

}
