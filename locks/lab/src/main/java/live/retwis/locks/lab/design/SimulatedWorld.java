package live.retwis.locks.lab.design;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

import live.retwis.locks.lab.history.HistoryEvent;

/** A world in memory, with simulated time. */
final class SimulatedWorld implements DesignWorld {

	private final DesignScheduler clock;

	private final List<HistoryEvent> events = new ArrayList<>();

	private final List<SimulatedNode> nodes;

	private final SimulatedProtectedStore store;

	/** Whether it notes what the nodes hold. Checkers do not need that. */
	private final boolean traced;

	SimulatedWorld(RedlockDesign design, DesignScheduler clock, boolean traced) {
		this.clock = clock;
		this.nodes = IntStream.range(0, design.nodes()).mapToObj((number) -> new SimulatedNode(this.clock)).toList();
		this.store = new SimulatedProtectedStore(this.clock, design.fence());
		this.traced = traced;
	}

	/** Everything that was noted, and what the store holds now. */
	List<HistoryEvent> events() {
		List<HistoryEvent> all = new ArrayList<>(this.events);
		all.add(new HistoryEvent(this.clock.now(), HistoryEvent.Kind.STORE, "", "", 0, this.store.state()));
		return all;
	}

	@Override
	public DesignScheduler clock() {
		return this.clock;
	}

	@Override
	public DesignNode node(int number) {
		return this.nodes.get(number - 1);
	}

	@Override
	public FencedCounter store() {
		return this.store;
	}

	@Override
	public void add(HistoryEvent event) {
		this.events.add(event);
	}

	private void note(HistoryEvent.Kind kind, int node, String name) {
		add(new HistoryEvent(this.clock.now(), kind, "node " + node, name, 0, Map.of()));
	}

	@Override
	public void crash(int node) {
		this.nodes.get(node - 1).up(false);
		note(HistoryEvent.Kind.INJECT, node, "crashed");
		look();
	}

	@Override
	public void restart(int node) {
		this.nodes.get(node - 1).up(true);
		note(HistoryEvent.Kind.UNDO, node, "crashed");
		look();
	}

	@Override
	public void hasten(int node) {
		this.nodes.get(node - 1).hasten(FAST_MILLIONTHS);
		note(HistoryEvent.Kind.INJECT, node, "clock fast by " + FAST_MILLIONTHS + " millionths");
	}

	@Override
	public void look() {
		if (!this.traced) {
			return;
		}
		Map<String, String> seen = new TreeMap<>();
		for (int number = 1; number <= this.nodes.size(); number++) {
			SimulatedNode node = this.nodes.get(number - 1);
			seen.put("node " + number, node.isUp() ? node.holding() : "silent");
			seen.put("node " + number + " state", node.isUp() ? "up" : "gone");
		}
		add(new HistoryEvent(this.clock.now(), HistoryEvent.Kind.NODES, "", "seen", 0, seen));
	}

}
