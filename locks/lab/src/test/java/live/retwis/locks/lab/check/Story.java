package live.retwis.locks.lab.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.history.RoundRecord;

/**
 * A history written by hand. Times are in milliseconds, and a lease is one second.
 */
final class Story {

	private static final long LEASE = 1000;

	private final List<HistoryEvent> events = new ArrayList<>();

	private long operations;

	/** The lock is asked for one millisecond before it is granted. */
	Story acquires(String client, String owner, long at) {
		return acquires(client, owner, at, Map.of());
	}

	Story acquires(String client, String owner, long at, long until) {
		return acquires(client, owner, at, Map.of(HistoryEvent.UNTIL, String.valueOf(until * 1_000_000)));
	}

	private Story acquires(String client, String owner, long at, Map<String, String> more) {
		Map<String, String> details = new HashMap<>(more);
		details.putAll(Map.of("outcome", "acquired", "owner", owner));
		long operation = ++this.operations;
		add(at - 1, Kind.INVOKE, client, "acquire", operation, Map.of());
		return add(at, Kind.RETURN, client, "acquire", operation, details);
	}

	/** The lock is asked for, and there is no answer yet. */
	Story asks(String client, long at) {
		return add(at, Kind.INVOKE, client, "acquire", ++this.operations, Map.of());
	}

	Story isRefused(String client, long at) {
		add(at - 1, Kind.INVOKE, client, "acquire", ++this.operations, Map.of());
		return add(at, Kind.RETURN, client, "acquire", this.operations, Map.of("outcome", "none"));
	}

	Story releases(String client, String owner, long at) {
		return add(at, Kind.INVOKE, client, "release", ++this.operations, Map.of("owner", owner));
	}

	Story prolongs(String client, String owner, long at, long until) {
		return add(at, Kind.RETURN, client, "extend", ++this.operations,
				Map.of("owner", owner, "outcome", "extended", HistoryEvent.UNTIL, String.valueOf(until * 1_000_000)));
	}

	Story dies(String client, long at) {
		return add(at, Kind.DEATH, client, "killed", 0, Map.of());
	}

	Story healed(long at) {
		return add(at, Kind.HEALED, "", "", 0, Map.of());
	}

	Story misses(String what) {
		return add(0, Kind.MISSED, "", what, 0, Map.of());
	}

	/** A write with this outcome, or without an answer. */
	Story writes(String owner, long value, String outcome) {
		return writes(owner, owner, value, outcome);
	}

	/** A write of a client that has another name as owner. */
	Story writes(String client, String owner, long value, String outcome) {
		Map<String, String> details = Map.of("owner", owner, "value", String.valueOf(value));
		long operation = ++this.operations;
		add(10, Kind.INVOKE, client, "write", operation, details);
		if (!outcome.isEmpty()) {
			Map<String, String> answer = new HashMap<>(details);
			answer.put("outcome", outcome);
			add(11, Kind.RETURN, client, "write", operation, answer);
		}
		return this;
	}

	Story storeHolds(long value, String writes) {
		return add(5000, Kind.STORE, "store", "", 0, Map.of("value", String.valueOf(value), "writes", writes));
	}

	private Story add(long millis, Kind kind, String subject, String name, long operation,
			Map<String, String> details) {
		this.events.add(new HistoryEvent(millis * 1_000_000, kind, subject, name, operation, details));
		return this;
	}

	RoundRecord record() {
		return new RoundRecord("0", "raw", 1, 1, LEASE, "",
				this.events.stream().sorted(Comparator.comparingLong(HistoryEvent::at)).toList());
	}

	RoundVerdict verdict() {
		return RoundVerdict.of(record());
	}

}
