package live.retwis.locks.lab.fault;

import java.util.Map;

import live.retwis.locks.lab.node.LabNode;

/**
 * A node that stands still (SIGSTOP): connections stay open and new ones are accepted,
 * nothing answers.
 *
 * @param node which
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
