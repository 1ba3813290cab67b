package live.retwis.locks.lab.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.history.RoundRecord;

/**
 * Finds lost increments. Each owner reads a counter and writes the next number. The store
 * keeps the counter and a list of the writes that it accepted. A write without an answer
 * may or may not have taken effect.
 */
public final class LostUpdateChecker {

	private final List<LabViolation> violations = new ArrayList<>();

	private final List<HistoryEvent> events;

	private final HistoryEvent store;

	private LostUpdateChecker(List<HistoryEvent> events, HistoryEvent store) {
		this.events = events;
		this.store = store;
	}

	/** The violations. Empty when the history does not tell what the store held. */
	public static Optional<List<LabViolation>> violations(RoundRecord round) {
		return round.events()
			.stream()
			.filter((event) -> event.kind() == Kind.STORE)
			.reduce((former, latter) -> latter)
			.map((store) -> new LostUpdateChecker(round.events(), store).check());
	}

	private List<LabViolation> check() {
		List<String> accepted = Stream.of(this.store.detail("writes").split(",")).filter((w) -> !w.isEmpty()).toList();
		checkOrder(accepted);
		checkNumber();
		answers("written").filter((write) -> !accepted.contains(name(write)))
			.forEach((write) -> found(write.at(), "violation.gone", name(write)));
		answers("refused").filter((write) -> accepted.contains(name(write)))
			.forEach((write) -> found(write.at(), "violation.there", name(write)));
		return List.copyOf(this.violations);
	}

	/** Checks that each write adds one to the result of the write before it. */
	private void checkOrder(List<String> accepted) {
		long before = 0;
		for (int i = 0; i < accepted.size(); i++) {
			String[] write = accepted.get(i).split("=");
			long value = Long.parseLong(write[1]);
			if (i > 0 && value <= before) {
				found(at(accepted.get(i)), "violation.replaced", i + 1, client(write[0]), write[1], i,
						client(accepted.get(i - 1).split("=")[0]));
			}
			else if (value != before + 1) {
				found(at(accepted.get(i)), "violation.order", i + 1, client(write[0]), write[1]);
			}
			before = value;
		}
	}

	/** The client that was this owner. */
	private String client(String owner) {
		return this.events.stream()
			.filter((event) -> event.is(Kind.INVOKE, "write") && event.detail("owner").equals(owner))
			.map(HistoryEvent::subject)
			.findFirst()
			.orElse(owner);
	}

	private void checkNumber() {
		long value = Long.parseLong(this.store.detail("value"));
		long acknowledged = answers("written").count();
		long begun = this.events.stream().filter((event) -> event.is(Kind.INVOKE, "write")).count();
		long unknown = begun - acknowledged - answers("refused").count();
		if (value < acknowledged || value > acknowledged + unknown) {
			found(this.store.at(), (unknown > 0) ? "violation.number-open" : "violation.number", acknowledged, unknown,
					value);
		}
	}

	private Stream<HistoryEvent> answers(String outcome) {
		return this.events.stream().filter((event) -> event.ended("write", outcome));
	}

	private static String name(HistoryEvent write) {
		return write.detail("owner") + "=" + write.detail("value");
	}

	/** When the writer had its answer; the end of the round if it had none. */
	private long at(String write) {
		return answers("written").filter((answer) -> name(answer).equals(write))
			.mapToLong(HistoryEvent::at)
			.findFirst()
			.orElse(this.store.at());
	}

	private void found(long at, String key, Object... values) {
		this.violations.add(LabViolation.of("effect", at, at, key, values));
	}

}
