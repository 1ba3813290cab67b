package live.retwis.locks.lab.fault;

import java.util.Map;

import live.retwis.locks.lab.node.LabNode;

/**
 * A node that is killed (SIGKILL) and started again when this is undone, with what its
 * settings let it keep.
 */
public final class CrashedNode implements Fault {

	private final LabNode node;

	private String runId = "";

	public CrashedNode(LabNode node) {
		this.node = node;
	}

	@Override
	public String name() {
		return "crashed";
	}

	@Override
	public String subject() {
		return this.node.name();
	}

	@Override
	public Map<String, String> inject() {
		this.runId = this.node.runId();
		this.node.kill();
		return Map.of("run_id", this.runId, "state", this.node.processState());
	}

	@Override
	public Map<String, String> undo() {
		this.node.restart();
		return Map.of("run_id", this.node.runId(), "run_id before", this.runId);
	}

}
