package live.retwis.live;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.Queue;

/**
 * The events that a stream still has to send: first those of its replay, then a bounded
 * number of later ones.
 */
class PendingFrames {

	private final int capacity;

	private final Queue<byte[]> later = new ArrayDeque<>(0);

	private Iterator<byte[]> replay = Collections.emptyIterator();

	/** At most this many later events are kept. */
	PendingFrames(int capacity) {
		this.capacity = capacity;
	}

	/** The events that come before all others. */
	void replay(Iterator<byte[]> frames) {
		this.replay = frames;
	}

	/**
	 * Adds a later event.
	 * @return false when there is no room
	 */
	boolean add(byte[] frame) {
		return this.later.size() < this.capacity && this.later.add(frame);
	}

	boolean isEmpty() {
		return this.later.isEmpty() && !this.replay.hasNext();
	}

	/** Removes the next event. A finished replay is let go, with the memory it reads. */
	byte[] next() {
		if (!this.replay.hasNext()) {
			return this.later.remove();
		}
		byte[] next = this.replay.next();
		if (!this.replay.hasNext()) {
			this.replay = Collections.emptyIterator();
		}
		return next;
	}

	void clear() {
		this.replay = Collections.emptyIterator();
		this.later.clear();
	}

}
