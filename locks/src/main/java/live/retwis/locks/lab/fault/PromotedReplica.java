package live.retwis.locks.lab.fault;

import java.time.Duration;
import java.util.Map;

import live.retwis.locks.lab.node.LabNode;
import live.retwis.locks.lab.node.Standby;
import live.retwis.locks.nodes.Poll;

/**
 * A node that is killed (SIGKILL), and whose replica Sentinel promotes: who asks for the
 * node is led there as soon as a Sentinel tells so. When this is undone the node is its
 * first server again, started anew, and has no replica.
 */
public final class PromotedReplica implements Fault {

	/** Sentinel takes about two seconds. */
	private static final Duration BOUND = Duration.ofSeconds(10);

	private final FrozenReplica replica;

	private boolean complete;

	public PromotedReplica(FrozenReplica replica) {
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
		Standby standby = this.replica.standby();
		LabNode node = standby.node();
		String before = node.runId();
		String told = String.join(", ", standby.addresses());
		long start = System.nanoTime();
		node.kill();
		this.complete = Poll.until(BOUND, standby::isPromoted);
		long millis = (System.nanoTime() - start) / 1_000_000;
		if (this.complete) {
			standby.takeOver();
		}
		return Map.of("run_id before", before, "run_id", node.runId(), "Sentinels told", told, "Sentinels tell",
				String.join(", ", standby.addresses()), "ms without a master", String.valueOf(millis));
	}

	/** Whether Sentinel did so within ten seconds. */
	public boolean isComplete() {
		return this.complete;
	}

	@Override
	public Map<String, String> undo() {
		Standby standby = this.replica.standby();
		standby.close();
		standby.node().restart();
		return Map.of("run_id", standby.node().runId());
	}

}
