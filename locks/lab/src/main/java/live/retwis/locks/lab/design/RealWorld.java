package live.retwis.locks.lab.design;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import live.retwis.locks.lab.fault.CrashedNode;
import live.retwis.locks.lab.fault.Fault;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.play.RoundContext;

/**
 * The nodes and the store of a round, in real time. The lab looks at the nodes by itself.
 */
final class RealWorld implements DesignWorld {

	private final DesignScheduler clock = new PacedScheduler();

	private final Map<Integer, Fault> crashed = new HashMap<>();

	private final RoundContext round;

	private final FencedCounter store;

	RealWorld(RoundContext round, RedlockDesign design) {
		this.round = round;
		this.store = new RealStore(round.store(), round.resource(), design.fence());
	}

	@Override
	public DesignScheduler clock() {
		return this.clock;
	}

	@Override
	public DesignNode node(int number) {
		return new RealNode(this.round.node(number), "lock:" + this.round.resource());
	}

	@Override
	public FencedCounter store() {
		return this.store;
	}

	@Override
	public void add(HistoryEvent event) {
		this.round.note(event);
	}

	@Override
	public void crash(int node) {
		if (!this.crashed.containsKey(node)) {
			this.crashed.put(node, this.round.inject(new CrashedNode(this.round.node(node))));
		}
	}

	@Override
	public void restart(int node) {
		Fault fault = this.crashed.remove(node);
		if (fault != null) {
			this.round.undo(fault);
		}
	}

	@Override
	public void hasten(int node) {
		this.round.inject(this.round.clock(node, Duration.ZERO, FAST_MILLIONTHS));
	}

	@Override
	public void look() {
	}

}
