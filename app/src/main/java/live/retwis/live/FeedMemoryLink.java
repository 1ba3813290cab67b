package live.retwis.live;

import org.jspecify.annotations.Nullable;

/**
 * An entry in the memory of the feed, and the way to the one after it. All replays go
 * along the same entries, so that none needs a copy of its own. Changed on the feed's
 * thread, read on those of the streams.
 * <p>
 * Once it is forgotten it leads nowhere: who still holds it holds neither its event nor
 * any other entry.
 */
class FeedMemoryLink {

	private volatile @Nullable FeedEntry entry;

	private volatile @Nullable FeedMemoryLink next;

	FeedMemoryLink(FeedEntry entry) {
		this.entry = entry;
	}

	/** Null when it is forgotten. */
	@Nullable FeedEntry entry() {
		return this.entry;
	}

	/** What is known of it now. */
	void set(FeedEntry known) {
		this.entry = known;
	}

	/** The one after it in the log; null for the newest, and when it is forgotten. */
	@Nullable FeedMemoryLink next() {
		return this.next;
	}

	void setNext(@Nullable FeedMemoryLink later) {
		this.next = later;
	}

	void forget() {
		this.entry = null;
		this.next = null;
	}

}
