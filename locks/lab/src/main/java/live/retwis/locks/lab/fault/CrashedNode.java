package live.retwis.locks.lab.fault;

import java.util.Map;

import live.retwis.locks.lab.node.LabNode;

/**
 * A node is killed (SIGKILL). It is started again when this is undone, unless a replica
 * answers in its place.
 */
public final class CrashedNode implements Fault {

	private final LabNode node;

	private final boolean forgets;

	private String runId = "";

	private CrashedNode(LabNode node, boolean forgets) {
		this.node = node;
		this.forgets = forgets;
	}

	/** The node keeps what its settings let it keep. */
	public CrashedNode(LabNode node) {
		this(node, false);
	}

	/** The node also loses its files. */
	public static CrashedNode forgetting(LabNode node) {
		return new CrashedNode(node, true);
	}

	@Override
	public String name() {
		return this.forgets ? "crashed, data lost" : "crashed";
	}

	@Override
	public String subject() {
		return this.node.name();
	}

	@Override
	public Map<String, String> inject() {
		this.runId = this.node.runId();
		this.node.kill();
		if (this.forgets) {
			this.node.forget();
		}
		return Map.of("run_id", this.runId, "state", this.node.processState());
	}

	@Override
	public Map<String, String> undo() {
		if (!this.node.isAlive()) {
			this.node.restart();
		}
		return Map.of("run_id", this.node.runId(), "run_id before", this.runId);
	}

}
