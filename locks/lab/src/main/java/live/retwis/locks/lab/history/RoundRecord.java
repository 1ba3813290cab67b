package live.retwis.locks.lab.history;

import java.util.List;

/**
 * A complete round. Checkers and reports know nothing else.
 *
 * @param scenario its number, such as {@code 8a}
 * @param engine which locks were used
 * @param seed of the schedule of faults
 * @param round counted from 1
 * @param leaseMillis the lease that clients asked for
 * @param error why the lab itself could not go on; empty if it could
 * @param events in the order of time
 */
public record RoundRecord(String scenario, String engine, long seed, int round, long leaseMillis, String error,
		List<HistoryEvent> events) {

	public RoundRecord {
		events = List.copyOf(events);
	}

	/** The same round, with its error and its events. */
	public RoundRecord with(String error, List<HistoryEvent> events) {
		return new RoundRecord(this.scenario, this.engine, this.seed, this.round, this.leaseMillis, error, events);
	}

	/** The lease in nanoseconds, as the events have it. */
	public long leaseNanos() {
		return this.leaseMillis * 1_000_000;
	}

	/** Why the situation did not come about. Empty when it did. */
	public List<String> missed() {
		return this.events.stream()
			.filter((event) -> event.kind() == HistoryEvent.Kind.MISSED)
			.map((event) -> event.name())
			.toList();
	}

}
