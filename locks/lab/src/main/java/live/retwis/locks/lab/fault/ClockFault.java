package live.retwis.locks.lab.fault;

import java.time.Duration;
import java.util.Map;

import live.retwis.locks.lab.node.LabNode;
import live.retwis.locks.lab.node.SettableNodeClock;

/**
 * The wall clock of a node jumps ahead, or runs fast from now on.
 *
 * @param node whose clock it is
 * @param clock the clock
 * @param ahead by how much it jumps
 * @param millionths by how many millionths it runs fast, counted from the start of the
 * node
 */
public record ClockFault(LabNode node, SettableNodeClock clock, Duration ahead, long millionths) implements Fault {

	@Override
	public String name() {
		return (this.millionths == 0) ? "clock " + this.ahead.toMillis() + " ms ahead"
				: "clock fast by " + this.millionths + " millionths";
	}

	@Override
	public String subject() {
		return this.node.name();
	}

	@Override
	public Map<String, String> inject() {
		String before = offset();
		this.clock.set(this.ahead, this.millionths);
		return Map.of("TIME ahead before, ms", before, "TIME ahead after, ms", offset());
	}

	@Override
	public Map<String, String> undo() {
		this.clock.set(Duration.ZERO, 0);
		return Map.of("TIME ahead, ms", offset());
	}

	/** By how much the clock of the node is ahead of this machine's clock. */
	private String offset() {
		long here = System.currentTimeMillis();
		var time = this.node.ask("TIME");
		long there = Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
		return String.valueOf(there - here);
	}

}
