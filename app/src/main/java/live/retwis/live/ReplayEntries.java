package live.retwis.live;

import java.util.Iterator;
import java.util.NoSuchElementException;

import org.jspecify.annotations.Nullable;

/**
 * The entries that a stream missed, oldest first, from the memory itself: each as it is
 * known when it is taken, up to the one that was the newest when the stream joined. What
 * became known later the stream is told live.
 * <p>
 * A stream that takes them slowly keeps nothing in memory. When the memory has forgotten
 * one that was not taken yet, this fails, so that none is left out in silence.
 */
class ReplayEntries implements Iterator<FeedEntry> {

	private final @Nullable FeedMemoryLink last;

	/** The one to be taken next; null when all are. */
	private @Nullable FeedMemoryLink next;

	/** Both null for none. */
	ReplayEntries(@Nullable FeedMemoryLink first, @Nullable FeedMemoryLink last) {
		this.next = first;
		this.last = last;
	}

	@Override
	public boolean hasNext() {
		return this.next != null;
	}

	@Override
	public FeedEntry next() {
		FeedMemoryLink taken = this.next;
		if (taken == null) {
			throw new NoSuchElementException();
		}
		FeedEntry entry = taken.entry();
		FeedMemoryLink later = taken.next();
		if (entry == null || (later == null && taken != this.last)) {
			throw new ForgottenException();
		}
		this.next = (taken != this.last) ? later : null;
		return entry;
	}

	/** The stream is too far behind, and comes back by its position. */
	static class ForgottenException extends IllegalStateException {

		ForgottenException() {
			super("what the stream missed has been forgotten before its socket took it");
		}

	}

}
