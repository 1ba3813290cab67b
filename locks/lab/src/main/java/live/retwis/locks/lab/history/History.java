package live.retwis.locks.lab.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import live.retwis.locks.lab.history.HistoryEvent.Kind;

/**
 * Everything that happened in one round. Entries can only be added. Several threads may
 * use it at once.
 */
public final class History {

	/**
	 * A round of a few seconds writes far fewer entries. When there are more, something
	 * runs wild.
	 */
	private static final int BOUND = 50_000;

	/**
	 * Of what passes on links only so much is noted, so that a long round has room for
	 * everything else.
	 */
	private static final int TRACED = 30_000;

	private final long zero = System.nanoTime();

	private final List<HistoryEvent> events = new ArrayList<>();

	private final Consumer<HistoryEvent> listener;

	/**
	 * Makes an empty history.
	 * @param listener is told of each entry, in the order in which they are added
	 */
	public History(Consumer<HistoryEvent> listener) {
		this.listener = listener;
	}

	/** Makes an empty history without a listener. */
	public History() {
		this((event) -> {
		});
	}

	/** Adds an entry with the time of now. */
	public void add(Kind kind, String subject, String name, Map<String, String> details) {
		add(new HistoryEvent(System.nanoTime(), kind, subject, name, 0, details));
	}

	/**
	 * Adds an entry.
	 * @param event stamped with {@link System#nanoTime()}, by any process
	 */
	public synchronized void add(HistoryEvent event) {
		if (this.events.size() >= BOUND) {
			throw new IllegalStateException("A round with more than " + BOUND + " events");
		}
		HistoryEvent added = event.since(this.zero);
		this.events.add(added);
		this.listener.accept(added);
	}

	/**
	 * Adds an entry about the traffic of a link, unless the history has too many entries
	 * already.
	 */
	public synchronized void trace(HistoryEvent event) {
		if (this.events.size() < TRACED) {
			add(event);
		}
	}

	/** The entries so far, in the order of time. */
	public synchronized List<HistoryEvent> events() {
		return this.events.stream().sorted(Comparator.comparingLong(HistoryEvent::at)).toList();
	}

}
