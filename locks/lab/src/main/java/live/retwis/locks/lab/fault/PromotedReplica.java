package live.retwis.locks.lab.fault;

import java.time.Duration;
import java.util.Map;

import live.retwis.locks.lab.node.LabNode;
import live.retwis.locks.lab.node.ReplicaWithSentinels;
import live.retwis.locks.nodes.Poll;

/**
 * A node is killed (SIGKILL), and Sentinel promotes its replica. As soon as a Sentinel
 * says so, whoever asks for the node is led to the replica. When this is undone, the node
 * is its first server again, newly started and without a replica.
 */
public final class PromotedReplica implements Fault {

	/** The longest wait. Sentinel takes about two seconds. */
	private static final Duration BOUND = Duration.ofSeconds(10);

	private final StalledReplication replica;

	private boolean complete;

	public PromotedReplica(StalledReplication replica) {
		this.replica = replica;
	}

	@Override
	public String name() {
		return "killed, replica promoted";
	}

	@Override
	public String subject() {
		return this.replica.subject();
	}

	@Override
	public Map<String, String> inject() {
		ReplicaWithSentinels replicaWithSentinels = this.replica.standby();
		LabNode node = replicaWithSentinels.node();
		String before = node.runId();
		String told = String.join(", ", replicaWithSentinels.addresses());
		long start = System.nanoTime();
		node.kill();
		this.complete = Poll.until(BOUND, replicaWithSentinels::isPromoted);
		long millis = (System.nanoTime() - start) / 1_000_000;
		if (this.complete) {
			replicaWithSentinels.takeOver();
		}
		return Map.of("run_id before", before, "run_id", node.runId(), "Sentinels told", told, "Sentinels tell",
				String.join(", ", replicaWithSentinels.addresses()), "ms without a master", String.valueOf(millis));
	}

	/** Whether Sentinel promoted the replica within ten seconds. */
	public boolean isComplete() {
		return this.complete;
	}

	@Override
	public Map<String, String> undo() {
		ReplicaWithSentinels replicaWithSentinels = this.replica.standby();
		replicaWithSentinels.close();
		replicaWithSentinels.node().restart();
		return Map.of("run_id", replicaWithSentinels.node().runId());
	}

}
