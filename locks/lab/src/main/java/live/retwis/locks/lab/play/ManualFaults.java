package live.retwis.locks.lab.play;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import live.retwis.locks.lab.fault.CrashedNode;
import live.retwis.locks.lab.fault.CutLinks;
import live.retwis.locks.lab.fault.Fault;
import live.retwis.locks.lab.fault.FlushedNodes;
import live.retwis.locks.lab.fault.LinkFault;
import live.retwis.locks.lab.fault.PausedNode;
import live.retwis.locks.lab.fault.PromotedReplica;
import live.retwis.locks.lab.fault.StalledReplication;
import live.retwis.locks.lab.node.LabNode;
import live.retwis.locks.lab.node.SettableNodeClock;
import org.jspecify.annotations.Nullable;

/**
 * Does to nodes what people ask for, and undoes it after a while. Of several faults of a
 * node's process the latest ends first, so that a clock is set again only while its node
 * runs.
 */
final class ManualFaults {

	private final RoundContext round;

	private final Supplier<Collection<RoundClient>> actors;

	private final Duration lasting;

	/** The faults, in the order in which they began. */
	private final List<Timed> injected = new ArrayList<>();

	ManualFaults(RoundContext round, Supplier<Collection<RoundClient>> actors, Duration lasting) {
		this.round = round;
		this.actors = actors;
		this.lasting = lasting;
	}

	/**
	 * A fault that was injected.
	 *
	 * @param link makes the same fault of another client's link; null when the fault is
	 * not one of a link
	 */
	record Timed(int node, Fault fault, long end, boolean kept, @Nullable Function<RoundClient, Fault> link) {

		/** Whether it changes the process of the node. Others end in any order. */
		boolean isOfNode() {
			return this.link == null && !(this.fault instanceof FlushedNodes);
		}

	}

	/** Does an action. Notes why, when it makes no sense now. */
	void act(NodeAction action) {
		LabNode node = this.round.node(action.node());
		switch (action.kind()) {
			case RESTART -> undo(action, CrashedNode.class::isInstance);
			case MEND -> mend(action);
			case RESUME -> undo(action, PausedNode.class::isInstance);
			case DELAY -> injectEach(action,
					(actor) -> LinkFault.delay(actor.client(), this.round.lease().dividedBy(10), action.node()));
			case CUT -> injectEach(action, (actor) -> new CutLinks(actor.client(), action.node()));
			case KILL -> strike(action, new CrashedNode(node));
			case KILL_AND_FORGET -> strike(action, CrashedNode.forgetting(node));
			case PAUSE -> strike(action, new PausedNode(node));
			case FLUSH -> strike(action, new FlushedNodes(List.of(node), this.round.resource()));
			case PROMOTE -> promote(action);
			case CLOCK -> {
				if (node.isPlayedByReplica()) {
					this.round.note(action + ": not done, there is a replica in the place of the node");
				}
				else if (SettableNodeClock.isPossible()) {
					strike(action, this.round.clock(action.node(), this.round.lease(), 0));
				}
				else {
					this.round.note(action + ": setting clocks takes Linux and a C compiler");
				}
			}
		}
	}

	private void promote(NodeAction action) {
		StalledReplication replica = this.round.stalledReplication(action.node());
		if (strike(action, replica) && strike(action, new CrashedNode(this.round.node(action.node())))) {
			inject(timed(action, new PromotedReplica(replica), null));
		}
	}

	/** Injects a fault, unless its node does not run. */
	private boolean strike(NodeAction action, Fault fault) {
		boolean runs = this.round.node(action.node()).processState().equals("running");
		if (runs) {
			inject(timed(action, fault, null));
		}
		else {
			this.round.note(action + ": not done, the node does not run");
		}
		return runs;
	}

	private void injectEach(NodeAction action, Function<RoundClient, Fault> link) {
		this.actors.get().forEach((actor) -> inject(timed(action, link.apply(actor), link)));
	}

	private Timed timed(NodeAction action, Fault fault, @Nullable Function<RoundClient, Fault> link) {
		return new Timed(action.node(), fault, System.nanoTime() + this.lasting.toNanos(), action.kept(), link);
	}

	private void inject(Timed timed) {
		this.round.inject(timed.fault());
		this.injected.add(timed);
	}

	/**
	 * Undoes the faults of a client's links, because the client is replaced.
	 * @return what was undone, for {@link #relink}
	 */
	List<Timed> unlink(String client) {
		List<Timed> meant = this.injected.stream()
			.filter((timed) -> timed.link() != null && timed.fault().subject().startsWith(client + " "))
			.toList();
		meant.forEach(this::undo);
		return meant;
	}

	/** Does to the links of a client what was undone for the former one. */
	void relink(RoundClient actor, List<Timed> faults) {
		for (Timed former : faults) {
			Function<RoundClient, Fault> link = Objects.requireNonNull(former.link());
			inject(new Timed(former.node(), link.apply(actor), former.end(), former.kept(), link));
		}
	}

	private void undo(NodeAction action, Predicate<Fault> kind) {
		List<Timed> meant = this.injected.stream()
			.filter((timed) -> timed.node() == action.node() && kind.test(timed.fault()))
			.toList();
		meant.forEach(this::undo);
		if (meant.isEmpty()) {
			this.round.note(action + ": there is nothing to undo");
		}
	}

	/** Undoes everything at the node. The latest fault ends first. */
	private void mend(NodeAction action) {
		boolean broken = this.injected.stream().anyMatch((timed) -> timed.node() == action.node());
		undoAll((timed) -> timed.node() == action.node());
		if (!broken) {
			this.round.note(action + ": there is nothing to undo");
		}
	}

	private void undo(Timed timed) {
		this.injected.remove(timed);
		this.round.undo(timed.fault());
	}

	/** Undoes what has lasted long enough, but for what is kept until it is mended. */
	void heal() {
		long now = System.nanoTime();
		undoAll((timed) -> !timed.kept() && now - timed.end() >= 0);
	}

	void healAll() {
		undoAll((timed) -> true);
	}

	private void undoAll(Predicate<Timed> which) {
		for (int i = this.injected.size() - 1; i >= 0; i--) {
			Timed timed = this.injected.get(i);
			if (which.test(timed) && mayEnd(timed)) {
				undo(timed);
			}
		}
	}

	/** Whether no later fault of the node itself has to end before it. */
	private boolean mayEnd(Timed timed) {
		return this.injected.subList(this.injected.indexOf(timed) + 1, this.injected.size())
			.stream()
			.noneMatch((later) -> later.node() == timed.node() && later.isOfNode());
	}

}
