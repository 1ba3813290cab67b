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

	/** Authors whose accounts an entry here says are. */
	private final Set<String> gone = new HashSet<>();

	/** All of them, while nothing has changed since it was asked for. */
	private @Nullable List<FeedEntry> list;

	FeedMemory(int capacity) {
		this.capacity = capacity;
	}

	/**
	 * The newest entry so far; the oldest is forgotten when there are too many, and a
	 * post's markup when the post, or its author's account, is deleted.
	 */
	void append(FeedEntry entry) {
		switch (entry.entry().type()) {
			case DELETE -> forget(entry.entry().post());
			case CLOSED -> forgetAllOf(entry.entry().user());
			default -> {
			}
		}
		put(entry);
		if (this.entries.size() > this.capacity) {
			LogEntry oldest = this.entries.pollFirstEntry().getValue().entry();
			this.posts.remove(oldest.post());
			switch (oldest.type()) {
				case DELETE -> this.deleted.remove(oldest.post());
				case CLOSED -> this.gone.remove(oldest.user());
				default -> {
				}
			}
		}
	}

	private void put(FeedEntry entry) {
		this.list = null;
		this.entries.put(entry.position(), entry);
		switch (entry.entry().type()) {
			case POST -> this.posts.put(entry.entry().post(), entry.position());
			case DELETE -> this.deleted.add(entry.entry().post());
			case CLOSED -> this.gone.add(entry.entry().user());
			default -> {
			}
		}
	}

	private void forgetAllOf(String author) {
		this.entries.replaceAll((position, entry) -> isPostBy(author, entry) ? withoutFrame(entry) : entry);
	}

	private static boolean isPostBy(String author, FeedEntry entry) {
		return entry.entry().type() == LogEntry.Type.POST && entry.entry().user().equals(author);
	}

	private static FeedEntry withoutFrame(FeedEntry entry) {
		return new FeedEntry(entry.entry(), null);
	}

	private void forget(String postId) {
		Position position = this.posts.remove(postId);
		if (position != null) {
			this.entries.computeIfPresent(position, (key, entry) -> withoutFrame(entry));
		}
	}

	/**
	 * The place where reading began: known, but what the entry says is not.
	 */
	void begin(Position position) {
		this.entries.clear();
		this.posts.clear();
		this.deleted.clear();
		this.gone.clear();
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
				boolean hidden = entry.entry().type() == LogEntry.Type.POST
						&& (this.deleted.contains(entry.entry().post()) || this.gone.contains(entry.entry().user()));
				put(hidden ? withoutFrame(entry) : entry);
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
