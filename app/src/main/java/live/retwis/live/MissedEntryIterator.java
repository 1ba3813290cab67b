package live.retwis.live;

import java.util.Iterator;
import java.util.NoSuchElementException;

import org.jspecify.annotations.Nullable;

/**
 * The entries that a stream missed, oldest first, read directly from the feed's memory.
 * Each entry has the state of the moment in which it is taken. The last one is the entry
 * that was the newest when the stream joined. Later changes reach the stream as live
 * events.
 * <p>
 * A stream that takes them slowly keeps nothing in memory. If the memory has dropped an
 * entry before it was taken, the iteration fails, so that no entry is skipped silently.
 */
class MissedEntryIterator implements Iterator<FeedEntry> {

	private final @Nullable FeedMemoryNode last;

	/** The next entry; null at the end. */
	private @Nullable FeedMemoryNode next;

	/** Creates an iterator; both null for no entries. */
	MissedEntryIterator(@Nullable FeedMemoryNode first, @Nullable FeedMemoryNode last) {
		this.next = first;
		this.last = last;
	}

	@Override
	public boolean hasNext() {
		return this.next != null;
	}

	@Override
	public FeedEntry next() {
		FeedMemoryNode taken = this.next;
		if (taken == null) {
			throw new NoSuchElementException();
		}
		FeedEntry entry = taken.entry();
		FeedMemoryNode later = taken.next();
		if (entry == null || (later == null && taken != this.last)) {
			throw new ForgottenException();
		}
		this.next = (taken != this.last) ? later : null;
		return entry;
	}

	/** The stream is too far behind. Its browser reconnects with its position. */
	static class ForgottenException extends IllegalStateException {

		ForgottenException() {
			super("what the stream missed has been forgotten before its socket took it");
		}

	}

}
