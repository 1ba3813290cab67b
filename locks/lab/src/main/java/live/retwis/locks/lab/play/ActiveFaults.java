package live.retwis.locks.lab.play;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

import live.retwis.locks.lab.fault.Fault;
import live.retwis.locks.lab.fault.KilledClient;
import live.retwis.locks.lab.history.History;
import live.retwis.locks.lab.history.HistoryEvent.Kind;

/**
 * The faults of a round that are not undone yet. The latest is the first.
 */
final class ActiveFaults {

	private final Deque<Fault> injected = new ArrayDeque<>();

	void inject(Fault fault, History history) {
		this.injected.push(fault);
		Map<String, String> proof = fault.inject();
		Kind kind = (fault instanceof KilledClient) ? Kind.DEATH : Kind.INJECT;
		history.add(kind, fault.subject(), fault.name(), proof);
	}

	/** Undoes a fault. A second call does nothing. */
	void undo(Fault fault, History history) {
		if (this.injected.remove(fault)) {
			history.add(Kind.UNDO, fault.subject(), fault.name(), fault.undo());
		}
	}

	void undoAll(History history) {
		List.copyOf(this.injected).forEach((fault) -> undo(fault, history));
	}

}
