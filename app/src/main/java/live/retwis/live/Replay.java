package live.retwis.live;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.IntConsumer;
import java.util.function.Predicate;

import live.retwis.log.LogPosition;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a stream: the opening, then the missed events that the stream wants,
 * then its position after them. Events are searched for only as the socket takes them,
 * because thousands of streams that reconnect at once share the entries.
 */
class Replay implements Iterator<byte[]> {

	private final MissedEntryIterator missed;

	private final Predicate<FeedEntry> wanted;

	private final IntConsumer done;

	private byte @Nullable [] next;

	/** Position of the last entry that was looked at; null when it has been sent. */
	private @Nullable LogPosition place;

	private int found;

	/**
	 * Creates a replay from entries in log order.
	 * @param done receives the number of events sent, when all are taken
	 */
	Replay(byte[] opening, MissedEntryIterator missed, Predicate<FeedEntry> wanted, IntConsumer done) {
		this.missed = missed;
		this.wanted = wanted;
		this.done = done;
		this.next = opening;
	}

	private byte @Nullable [] find() {
		while (this.missed.hasNext()) {
			FeedEntry entry = this.missed.next();
			this.place = entry.position();
			if (entry.frame() != null && this.wanted.test(entry)) {
				this.found++;
				return entry.frame();
			}
		}
		LogPosition position = this.place;
		this.place = null;
		if (position == null) {
			this.done.accept(this.found);
			return null;
		}
		return ServerSentEventEncoder.event(position, "position", "-");
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
