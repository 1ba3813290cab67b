package live.retwis.live;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import live.retwis.redis.LogEntry;
import live.retwis.redis.Position;
import org.jspecify.annotations.Nullable;

/**
 * The last entries of the log, ready to be sent, so that streams that come back cost
 * Redis nothing. Bounded; not thread-safe.
 */
class FeedMemory {

	private final int capacity;

	private final TreeMap<Position, FeedEntry> entries = new TreeMap<>();

	private final Map<String, Position> posts = new HashMap<>();

	/** Posts that an entry here says are deleted. */
	private final Set<String> deleted = new HashSet<>();

	/** All of them, while nothing has changed since it was asked for. */
	private @Nullable List<FeedEntry> list;

	FeedMemory(int capacity) {
		this.capacity = capacity;
	}

	/**
	 * The newest entry so far; the oldest is forgotten when there are too many, and a
	 * post's markup when the post is deleted.
	 */
	void append(FeedEntry entry) {
		if (entry.entry().type() == LogEntry.Type.DELETE) {
			forget(entry.entry().post());
		}
		put(entry);
		if (this.entries.size() > this.capacity) {
			LogEntry oldest = this.entries.pollFirstEntry().getValue().entry();
			this.posts.remove(oldest.post());
			if (oldest.type() == LogEntry.Type.DELETE) {
				this.deleted.remove(oldest.post());
			}
		}
	}

	private void put(FeedEntry entry) {
		this.list = null;
		this.entries.put(entry.position(), entry);
		if (entry.entry().type() == LogEntry.Type.POST) {
			this.posts.put(entry.entry().post(), entry.position());
		}
		else if (entry.entry().type() == LogEntry.Type.DELETE) {
			this.deleted.add(entry.entry().post());
		}
	}

	private void forget(String postId) {
		Position position = this.posts.remove(postId);
		if (position != null) {
			this.entries.computeIfPresent(position, (key, entry) -> new FeedEntry(entry.entry(), null));
		}
	}

	/**
	 * The place where reading began: known, but what the entry says is not.
	 */
	void begin(Position position) {
		this.entries.clear();
		this.posts.clear();
		this.deleted.clear();
		append(place(position));
	}

	private static FeedEntry place(Position position) {
		return new FeedEntry(new LogEntry(position, LogEntry.Type.START, "", "", ""), null);
	}

	/**
	 * Entries up to the oldest one here, itself included, as far as there is room. What
	 * was deleted while they were read is left without markup.
	 */
	void prepend(Collection<FeedEntry> newestFirst) {
		for (FeedEntry entry : newestFirst) {
			if (this.entries.size() < this.capacity || this.entries.containsKey(entry.position())) {
				boolean gone = entry.entry().type() == LogEntry.Type.POST
						&& this.deleted.contains(entry.entry().post());
				put(gone ? new FeedEntry(entry.entry(), null) : entry);
			}
		}
	}

	/** Whether exactly this entry is here: its id and its nonce. */
	boolean holds(Position position) {
		FeedEntry entry = this.entries.get(position);
		return entry != null && entry.position().equals(position);
	}

	/**
	 * All entries after that place, oldest first, as they are now. Streams that come back
	 * together share one list.
	 */
	List<FeedEntry> after(Position position) {
		List<FeedEntry> all = this.list;
		if (all == null) {
			all = List.copyOf(this.entries.values());
			this.list = all;
		}
		int place = Collections.binarySearch(all, place(position), Comparator.comparing(FeedEntry::position));
		return all.subList((place >= 0) ? place + 1 : -place - 1, all.size());
	}

	@Nullable Position oldest() {
		return this.entries.isEmpty() ? null : this.entries.firstKey();
	}

	@Nullable Position newest() {
		return this.entries.isEmpty() ? null : this.entries.lastKey();
	}

	boolean isFull() {
		return this.entries.size() >= this.capacity;
	}

}
