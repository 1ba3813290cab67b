package live.retwis.locks.lab.fault;

import java.time.Duration;
import java.util.Map;

import live.retwis.locks.lab.node.ReplicaWithSentinels;
import live.retwis.locks.nodes.Poll;

/**
 * Sentinel promotes the replica of a node that was killed. As soon as a Sentinel says so,
 * whoever asks for the node is led to the replica. When this is undone, the node is its
 * first server again, newly started and without a replica.
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
		return "replica promoted";
	}

	@Override
	public String subject() {
		return this.replica.subject();
	}

	@Override
	public Map<String, String> inject() {
		ReplicaWithSentinels replicaWithSentinels = this.replica.standby();
		String told = String.join(", ", replicaWithSentinels.addresses());
		long start = System.nanoTime();
		this.complete = Poll.until(BOUND, replicaWithSentinels::isPromoted);
		long millis = (System.nanoTime() - start) / 1_000_000;
		if (this.complete) {
			replicaWithSentinels.takeOver();
		}
		return Map.of("run_id", replicaWithSentinels.node().runId(), "Sentinels told", told, "Sentinels tell",
				String.join(", ", replicaWithSentinels.addresses()), "ms of waiting", String.valueOf(millis));
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
