package live.retwis.live;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.log.LogEntry;
import live.retwis.log.LogEntry.Type;
import live.retwis.log.LogPosition;
import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/**
 * The newest log entries, ready to be sent, so that resumed streams cost Redis nothing.
 * It is bounded by time, by entries and by bytes. It is not thread-safe, but the replays
 * that it hands out are.
 * <p>
 * The bound on entries counts only those that a resumed stream is sent. Of follows and
 * log-outs only the position is kept. Of a post's counters, and of a user's number of
 * unread notifications, only the newest event is kept. So none of them takes up the room
 * that posts need.
 */
class FeedMemory {

	/**
	 * Bytes of an entry beside its event: its position, its ids and its places in the
	 * maps.
	 */
	private static final int PLACE = 300;

	/** Bytes of a topic or a user id beside its characters, each of up to two. */
	private static final int TOPIC = 64;

	/** Most users whose reposts of one post are looked at. */
	private static final int MOST_REPOSTERS = 100;

	/** This fraction of the bytes, one sixteenth, is reserved for new entries. */
	private static final int ROOM = 16;

	private final long mostMillis;

	private final int mostEntries;

	private final long mostBytes;

	private final TreeMap<LogPosition, FeedMemoryNode> entries = new TreeMap<>();

	private final SupersededEventIndex index = new SupersededEventIndex();

	/** Entries that count towards the bound. */
	private int counted;

	private long bytes;

	FeedMemory(Duration time, int entries, DataSize bytes) {
		this.mostMillis = time.toMillis();
		this.mostEntries = entries;
		this.mostBytes = bytes.toBytes();
	}

	/**
	 * Adds the newest entry. The oldest entries are dropped when there are too many. If
	 * the entry deletes a post, or deletes or suspends an account, the event of each post
	 * concerned is dropped too, and those of its reposts.
	 */
	void append(FeedEntry entry) {
		LogEntry logged = entry.entry();
		if (logged.type() == Type.CLOSED || logged.type() == Type.SUSPENDED) {
			dropEventsOf(logged.user());
		}
		this.index.outdatedBy(logged).forEach(this::dropEvent);
		put(entry);
		while (this.entries.size() > 1 && isOverfull()) {
			forgetOldest();
		}
	}

	/**
	 * Ids of users who reposted a post, as far as the memory has the event of the repost.
	 * Their followers have the post on their pages, although its author may be a
	 * stranger. At most {@value #MOST_REPOSTERS}, the latest.
	 */
	Set<String> repostersOf(String postId) {
		return this.index.repostsOf(postId)
			.stream()
			.map(this.entries::get)
			.filter(Objects::nonNull)
			.map(FeedMemory::entryOf)
			.filter((repost) -> repost.frame() != null)
			.map((repost) -> repost.entry().user())
			.limit(MOST_REPOSTERS)
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	private void put(FeedEntry entry) {
		replace(entry);
		this.index.add(entry.entry());
	}

	/** Adds an entry, or replaces what is stored at its position. */
	private void replace(FeedEntry entry) {
		addWeight(entry, 1);
		FeedMemoryNode known = this.entries.get(entry.position());
		if (known == null) {
			link(new FeedMemoryNode(entry), entry.position());
		}
		else {
			addWeight(entryOf(known), -1);
			known.set(entry);
		}
	}

	/**
	 * Links an entry between its neighbours. The next link is set first, because a stream
	 * on another thread may already be walking from the earlier to the later entry.
	 */
	private void link(FeedMemoryNode added, LogPosition position) {
		Map.Entry<LogPosition, FeedMemoryNode> later = this.entries.higherEntry(position);
		added.setNext((later != null) ? later.getValue() : null);
		Map.Entry<LogPosition, FeedMemoryNode> earlier = this.entries.lowerEntry(position);
		if (earlier != null) {
			earlier.getValue().setNext(added);
		}
		this.entries.put(position, added);
	}

	/** The entry of a link that has not been dropped. */
	private static FeedEntry entryOf(FeedMemoryNode known) {
		return Objects.requireNonNull(known.entry());
	}

	private void addWeight(FeedEntry entry, int sign) {
		this.bytes += sign * bytesOf(entry);
		this.counted += (entry.frame() != null && !SupersededEventIndex.isNumber(entry.entry())) ? sign : 0;
	}

	private static long bytesOf(FeedEntry entry) {
		long topics = entry.topics().stream().mapToLong((topic) -> TOPIC + 2L * topic.length()).sum();
		long reposters = entry.reposters().stream().mapToLong((user) -> TOPIC + 2L * user.length()).sum();
		return PLACE + topics + reposters + ((entry.frame() != null) ? entry.frame().length : 0);
	}

	/** Drops the event at the position. The entry's position is kept. */
	private void dropEvent(LogPosition position) {
		FeedMemoryNode known = this.entries.get(position);
		if (known != null) {
			replace(new FeedEntry(entryOf(known).entry(), null));
		}
	}

	private void dropEventsOf(String author) {
		this.entries.values()
			.stream()
			.map(FeedMemory::entryOf)
			.filter((entry) -> entry.entry().type() == Type.POST
					&& (entry.entry().user().equals(author) || author.equals(entry.original())))
			.map(FeedEntry::position)
			.toList()
			.forEach(this::dropEvent);
	}

	private boolean isOverfull() {
		return this.counted > this.mostEntries || this.bytes > this.mostBytes
				|| isTooOld(this.entries.higherKey(this.entries.firstKey()));
	}

	/**
	 * Whether the oldest entry is too old. Its state was current until the next entry
	 * came, so the time of the next entry counts.
	 */
	private boolean isTooOld(LogPosition next) {
		return this.entries.lastKey().millis() - next.millis() > this.mostMillis;
	}

	private void forgetOldest() {
		FeedMemoryNode known = this.entries.pollFirstEntry().getValue();
		FeedEntry oldest = entryOf(known);
		known.forget();
		addWeight(oldest, -1);
		this.index.remove(oldest.entry());
	}

	/**
	 * Clears the memory and starts it at this position. The position is known, but the
	 * content of its entry is not.
	 */
	void begin(LogPosition position) {
		this.entries.values().forEach(FeedMemoryNode::forget);
		this.entries.clear();
		this.index.clear();
		this.counted = 0;
		this.bytes = 0;
		append(place(position));
	}

	private static FeedEntry place(LogPosition position) {
		return new FeedEntry(new LogEntry(position, Type.START, "", "", ""), null);
	}

	/**
	 * Adds entries that are older than the memory, as far as there is room. The batch
	 * includes the oldest entry in the memory. Posts that were deleted, or counters that
	 * changed, while the batch was read are added without their event.
	 */
	void prepend(Collection<FeedEntry> newestFirst) {
		for (FeedEntry entry : newestFirst) {
			if (!isFull() || this.entries.containsKey(entry.position())) {
				put(this.index.isOutdated(entry) ? new FeedEntry(entry.entry(), null) : entry);
			}
		}
		// Counters after the reposts that are known now.
		newestFirst.stream()
			.map(FeedEntry::entry)
			.flatMap((entry) -> (entry.type() == Type.COUNTS) ? Stream.of(entry.post()) : entry.repostOf().stream())
			.distinct()
			.forEach(this::renewCounters);
	}

	private void renewCounters(String postId) {
		LogPosition position = this.index.countersOf(postId);
		FeedMemoryNode known = (position != null) ? this.entries.get(position) : null;
		if (known != null && entryOf(known).frame() != null) {
			replace(entryOf(known).repostedBy(repostersOf(postId)));
		}
	}

	/** Whether exactly this entry is in the memory, with the same id and nonce. */
	boolean holds(LogPosition position) {
		FeedMemoryNode known = this.entries.get(position);
		return known != null && entryOf(known).position().equals(position);
	}

	/**
	 * All entries after the position, up to the entry that is now the newest, oldest
	 * first. Another thread may iterate over them.
	 */
	MissedEntryIterator after(LogPosition position) {
		Map.Entry<LogPosition, FeedMemoryNode> first = this.entries.higherEntry(position);
		return (first != null) ? new MissedEntryIterator(first.getValue(), this.entries.lastEntry().getValue())
				: new MissedEntryIterator(null, null);
	}

	@Nullable LogPosition oldest() {
		return this.entries.isEmpty() ? null : this.entries.firstKey();
	}

	@Nullable LogPosition newest() {
		return this.entries.isEmpty() ? null : this.entries.lastKey();
	}

	/**
	 * Whether there is no room for older entries. When the memory was full and dropped
	 * its oldest entry, a little room is left. That room is not worth another read, so it
	 * does not count.
	 */
	boolean isFull() {
		return this.counted >= this.mostEntries || this.bytes >= this.mostBytes - this.mostBytes / ROOM
				|| (!this.entries.isEmpty() && isTooOld(this.entries.firstKey()));
	}

	/**
	 * The fraction of this memory that an entry takes, by number or by bytes, whichever
	 * is larger. The log has more room than that for each entry.
	 */
	double shareOf(FeedEntry entry) {
		return Math.max(1.0 / this.mostEntries, (double) bytesOf(entry) / this.mostBytes);
	}

}
