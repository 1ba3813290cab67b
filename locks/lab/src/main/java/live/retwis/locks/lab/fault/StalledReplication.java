package live.retwis.locks.lab.fault;

import java.util.Map;

import live.retwis.locks.lab.node.LabNode;
import live.retwis.locks.lab.node.ProcessRegistry;
import live.retwis.locks.lab.node.ReplicaWithSentinels;
import org.jspecify.annotations.Nullable;

/**
 * A node has a replica, and three Sentinels watch over both, but the replication stands
 * still. The replica keeps what it had and hears nothing that comes later. Both sides
 * believe that the link is good. The replica and the Sentinels end when this is undone.
 */
public final class StalledReplication implements Fault {

	private final LabNode node;

	private final ProcessRegistry processRegistry;

	private @Nullable ReplicaWithSentinels replicaWithSentinels;

	/**
	 * Makes the fault. Its injection starts the processes and takes some two seconds.
	 * @param node the node that gets a replica
	 * @param processRegistry where the processes are recorded
	 */
	public StalledReplication(LabNode node, ProcessRegistry processRegistry) {
		this.node = node;
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
		ReplicaWithSentinels started = ReplicaWithSentinels.start(this.node, this.processRegistry);
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

	/** How many bytes were kept from the replica. */
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
