package live.retwis.locks.lab.fault;

import java.util.Map;

import live.retwis.locks.lab.node.LabNode;
import live.retwis.locks.lab.node.ProcessRegistry;
import live.retwis.locks.lab.node.ReplicaWithSentinels;
import org.jspecify.annotations.Nullable;
import reactor.netty.resources.LoopResources;

/**
 * A node that has a replica, under the eyes of three Sentinels, but whose replication
 * stands still: the replica keeps what there was, and hears of nothing that comes later.
 * Both sides take the link for good. The replica and the Sentinels end when this is
 * undone.
 */
public final class FrozenReplica implements Fault {

	private final LabNode node;

	private final LoopResources loops;

	private final ProcessRegistry processRegistry;

	private @Nullable ReplicaWithSentinels replicaWithSentinels;

	/**
	 * Begins with its injection, which takes some two seconds.
	 * @param node which is to have a replica
	 * @param loops whose threads pass on what is replicated
	 * @param processRegistry where the processes are recorded
	 */
	public FrozenReplica(LabNode node, LoopResources loops, ProcessRegistry processRegistry) {
		this.node = node;
		this.loops = loops;
		this.processRegistry = processRegistry;
	}

	@Override
	public String name() {
		return "replica that hears nothing";
	}

	@Override
	public String subject() {
		return this.node.name();
	}

	@Override
	public Map<String, String> inject() {
		ReplicaWithSentinels started = ReplicaWithSentinels.start(this.node, this.loops, this.processRegistry);
		this.replicaWithSentinels = started;
		started.freeze();
		return Map.of("Sentinels tell", String.join(", ", started.addresses()));
	}

	/** The replica and the Sentinels. */
	ReplicaWithSentinels standby() {
		ReplicaWithSentinels started = this.replicaWithSentinels;
		if (started == null) {
			throw new IllegalStateException(this.node.name() + " has no replica yet");
		}
		return started;
	}

	/** How many bytes the replica was not told. */
	public long withheld() {
		return standby().withheld();
	}

	/** Whether the replica has the key of a lock. */
	public boolean knows(String resource) {
		return standby().replicaHas("lock:" + resource);
	}

	@Override
	public Map<String, String> undo() {
		ReplicaWithSentinels started = this.replicaWithSentinels;
		if (started == null) {
			return Map.of();
		}
		Map<String, String> proof = Map.of("bytes that the replica was not told", String.valueOf(started.withheld()));
		started.close();
		return proof;
	}

}
