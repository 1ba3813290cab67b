package live.retwis.locks.lab.history;

import java.util.HashMap;
import java.util.Map;

/**
 * One entry of a history.
 *
 * @param at nanoseconds of CLOCK_MONOTONIC since the round began; the same clock in all
 * processes of a machine
 * @param kind what sort of entry
 * @param subject whom it is about: a client, a node, the store; empty for the round
 * @param name what: an operation, a fault, a step
 * @param operation the number that a return shares with its invocation; 0 for others
 * @param details results, proofs and what was seen, by name
 */
public record HistoryEvent(long at, Kind kind, String subject, String name, long operation,
		Map<String, String> details) {

	/** The detail that is a time, as {@link #at()} is. */
	public static final String UNTIL = "until";

	/** The detail that tells as whom nodes know a client, where they always do so. */
	public static final String KNOWN_AS = "known as";

	/** What sort of entry it is. */
	public enum Kind {

		/** A client begins an operation. Stamped before it. */
		INVOKE,

		/** An operation of a client ended. Stamped after it. */
		RETURN,

		/** A fault was injected; the details are its proof. */
		INJECT,

		/** A fault was undone; the details are its proof. */
		UNDO,

		/** A client's process was seen to be dead. */
		DEATH,

		/** What each node held, as asked over a connection of the lab's own. */
		NODES,

		/** What the protected store held when the round was over. */
		STORE,

		/** From here on no fault is left: what is asked later tells of recovery. */
		HEALED,

		/** A state that the schedule waited for came about. */
		STEP,

		/** The situation that the scenario is about did not come about. */
		MISSED

	}

	public HistoryEvent {
		details = Map.copyOf(details);
	}

	/** A detail, or an empty text. */
	public String detail(String key) {
		return this.details.getOrDefault(key, "");
	}

	public boolean is(Kind kind, String name) {
		return this.kind == kind && this.name.equals(name);
	}

	/** The same, as seen from another beginning. */
	HistoryEvent since(long zero) {
		Map<String, String> shifted = new HashMap<>(this.details);
		shifted.computeIfPresent(UNTIL, (key, value) -> String.valueOf(Long.parseLong(value) - zero));
		return new HistoryEvent(this.at - zero, this.kind, this.subject, this.name, this.operation, shifted);
	}

}
