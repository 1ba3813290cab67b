package live.retwis.live;

import org.jspecify.annotations.Nullable;

/**
 * A node in the feed's memory: an entry, and a link to the next one. All replays walk
 * along the same nodes, so that none needs its own copy. Changed on the feed's thread,
 * read on the threads of the streams.
 * <p>
 * A dropped node has neither entry nor next node. So a replay that still refers to it
 * keeps nothing else in memory.
 */
class FeedMemoryNode {

	private volatile @Nullable FeedEntry entry;

	private volatile @Nullable FeedMemoryNode next;

	FeedMemoryNode(FeedEntry entry) {
		this.entry = entry;
	}

	/** The entry; null when it was dropped. */
	@Nullable FeedEntry entry() {
		return this.entry;
	}

	/** Replaces the entry. */
	void set(FeedEntry known) {
		this.entry = known;
	}

	/**
	 * The next node in log order; null for the newest one, and for one that was dropped.
	 */
	@Nullable FeedMemoryNode next() {
		return this.next;
	}

	void setNext(@Nullable FeedMemoryNode later) {
		this.next = later;
	}

	void forget() {
		this.entry = null;
		this.next = null;
	}

}
