package live.retwis.locks.lab.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import live.retwis.locks.lab.history.HistoryEvent.Kind;

/**
 * The list of what happened in one round, to which can only be added. For several threads
 * at once.
 */
public final class History {

	/** Far more than a round of a few seconds writes; beyond it something runs wild. */
	private static final int BOUND = 50_000;

	private final long zero = System.nanoTime();

	private final List<HistoryEvent> events = new ArrayList<>();

	private final Consumer<HistoryEvent> listener;

	/**
	 * An empty one.
	 * @param listener is told of each entry, in the order in which they are added
	 */
	public History(Consumer<HistoryEvent> listener) {
		this.listener = listener;
	}

	/** An empty one that nobody follows. */
	public History() {
		this((event) -> {
		});
	}

	/** Adds an entry that is about now. */
	public void add(Kind kind, String subject, String name, Map<String, String> details) {
		add(new HistoryEvent(System.nanoTime(), kind, subject, name, 0, details));
	}

	/**
	 * Adds an entry.
	 * @param event stamped with {@link System#nanoTime()}, in whatever process
	 */
	public synchronized void add(HistoryEvent event) {
		if (this.events.size() >= BOUND) {
			throw new IllegalStateException("A round with more than " + BOUND + " events");
		}
		HistoryEvent added = event.since(this.zero);
		this.events.add(added);
		this.listener.accept(added);
	}

	/** What there is now, in the order of time. */
	public synchronized List<HistoryEvent> events() {
		return this.events.stream().sorted(Comparator.comparingLong(HistoryEvent::at)).toList();
	}

}
