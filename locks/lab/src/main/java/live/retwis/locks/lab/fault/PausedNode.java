package live.retwis.locks.lab.fault;

import java.util.Map;

import live.retwis.locks.lab.node.LabNode;

/**
 * A node stands still (SIGSTOP). Connections stay open, new ones are accepted, and
 * nothing answers.
 *
 * @param node which node
 */
public record PausedNode(LabNode node) implements Fault {

	@Override
	public String name() {
		return "paused";
	}

	@Override
	public String subject() {
		return this.node.name();
	}

	@Override
	public Map<String, String> inject() {
		this.node.pause();
		return Map.of("state in /proc", this.node.processState());
	}

	@Override
	public Map<String, String> undo() {
		this.node.resume();
		return Map.of("state in /proc", this.node.processState());
	}

}
