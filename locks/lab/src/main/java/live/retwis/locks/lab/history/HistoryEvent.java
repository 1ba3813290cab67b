package live.retwis.locks.lab.history;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One entry of a history.
 *
 * @param at nanoseconds of CLOCK_MONOTONIC since the round began; all processes of a
 * machine have the same clock
 * @param kind what sort of entry it is
 * @param subject a client, a node or the store; empty for the round
 * @param name of the operation, fault or step
 * @param operation the number that a return shares with its invocation; 0 for others
 * @param details results, proofs and observations, by name
 */
public record HistoryEvent(long at, Kind kind, String subject, String name, long operation,
		Map<String, String> details) {

	/** The name of the detail that is a time, in the unit of {@link #at()}. */
	public static final String UNTIL = "until";

	/**
	 * The name of the detail that tells under which names nodes know a client. Absent
	 * where the name changes.
	 */
	public static final String KNOWN_AS = "known as";

	/**
	 * The name of the detail that tells how many nodes an acquisition needs. Absent where
	 * the engine tells.
	 */
	public static final String QUORUM = "quorum";

	/**
	 * The name of the detail that tells whether an acquisition subtracts the time that it
	 * took. Absent where the engine tells.
	 */
	public static final String TIMED = "timed";

	/**
	 * The name of the detail that tells how many nanoseconds an acquisition subtracts for
	 * clocks that differ. Absent where the engine tells.
	 */
	public static final String DRIFT = "drift";

	/**
	 * The name of the detail that tells whether an acquisition asks each node a second
	 * time, and counts the second answers. Absent where the engine tells.
	 */
	public static final String HEEDS_SECOND = "heeds second";

	/**
	 * The name of the detail that tells whose key a node deleted. Absent where nobody
	 * looked.
	 */
	public static final String DELETED_OF = "deleted of";

	/**
	 * The name of the detail that says when the store did what was asked of it, in the
	 * unit of {@link #at()}. Answers may come in another order.
	 */
	public static final String STORED_AT = "stored at";

	/** What sort of entry it is. */
	public enum Kind {

		/** A client begins an operation. The stamp is taken before it. */
		INVOKE,

		/** An operation of a client has ended. The stamp is taken after it. */
		RETURN,

		/**
		 * A client asked a node about the lock, as its link saw it. The operation is the
		 * number that the answer shares.
		 */
		ASKED,
		/** The client got a node's answer. */
		ANSWERED,
		/** A fault was injected. The details are its proof. */
		INJECT,

		/** A fault was undone. The details are its proof. */
		UNDO,

		/** A client's process was seen to be dead. */
		DEATH,

		/** What each node held, as a connection of the lab's own was told. */
		NODES,

		/** What the protected store held when the round was over. */
		STORE,

		/** All faults are undone now. What is asked later tells of recovery. */
		HEALED,

		/** The schedule waited for a state, and it came about. */
		STEP,

		/** The situation that the scenario is about did not come about. */
		MISSED

	}

	public HistoryEvent {
		details = Map.copyOf(details);
	}

	/** The detail of that name; an empty text when there is none. */
	public String detail(String key) {
		return this.details.getOrDefault(key, "");
	}

	/**
	 * When the store did what was asked of it; the time of the entry where that is not
	 * known.
	 */
	public long storedAt() {
		return this.details.containsKey(STORED_AT) ? Long.parseLong(this.details.get(STORED_AT)) : this.at;
	}

	public boolean is(Kind kind, String name) {
		return this.kind == kind && this.name.equals(name);
	}

	/** Whether an operation of that name has ended with that outcome. */
	public boolean ended(String operation, String outcome) {
		return is(Kind.RETURN, operation) && detail("outcome").equals(outcome);
	}

	/** The same entry, with its time counted from another beginning. */
	HistoryEvent since(long zero) {
		Map<String, String> shifted = new HashMap<>(this.details);
		for (String time : List.of(UNTIL, STORED_AT)) {
			shifted.computeIfPresent(time, (key, value) -> String.valueOf(Long.parseLong(value) - zero));
		}
		return new HistoryEvent(this.at - zero, this.kind, this.subject, this.name, this.operation, shifted);
	}

}
