package live.retwis.live;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.IntConsumer;
import java.util.function.Predicate;

import live.retwis.log.LogEntry;
import live.retwis.log.Position;
import org.jspecify.annotations.Nullable;

/**
 * What a stream begins with: its opening; of the entries that it missed, the events that
 * it wants; and its position after them. The events are found as its socket takes them,
 * since thousands of streams that come back at once share the entries.
 */
class Replay implements Iterator<byte[]> {

	private final ReplayEntries missed;

	private final Predicate<LogEntry> wanted;

	private final IntConsumer done;

	private byte @Nullable [] next;

	/** Of the entry that was taken last, until it is told. */
	private @Nullable Position place;

	private int found;

	/**
	 * The opening, and of the entries, oldest first, those that are wanted.
	 * @param done gets the number of these when all are taken
	 */
	Replay(byte[] opening, ReplayEntries missed, Predicate<LogEntry> wanted, IntConsumer done) {
		this.missed = missed;
		this.wanted = wanted;
		this.done = done;
		this.next = opening;
	}

	private byte @Nullable [] find() {
		while (this.missed.hasNext()) {
			FeedEntry entry = this.missed.next();
			this.place = entry.position();
			if (entry.frame() != null && this.wanted.test(entry.entry())) {
				this.found++;
				return entry.frame();
			}
		}
		Position position = this.place;
		this.place = null;
		if (position == null) {
			this.done.accept(this.found);
			return null;
		}
		return EventFrame.event(position, "position", "-");
	}

	@Override
	public boolean hasNext() {
		return this.next != null;
	}

	@Override
	public byte[] next() {
		byte[] frame = this.next;
		if (frame == null) {
			throw new NoSuchElementException();
		}
		this.next = find();
		return frame;
	}

}
