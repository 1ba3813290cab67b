package live.retwis.live;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import live.retwis.log.LogEntry;
import live.retwis.log.LogEntry.Type;
import live.retwis.log.Position;
import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/**
 * The last entries of the log, ready to be sent, so that streams that come back cost
 * Redis nothing. Bounded by time, by entries and by bytes; not thread-safe, but what it
 * gives to streams is.
 * <p>
 * The bound of entries is for those that a stream that comes back is sent. Of a follow or
 * a log-out only the place is kept, and of what is counted of a post only the newest
 * event, so that neither uses up what posts need.
 */
class FeedMemory {

	/** Bytes of an entry beside its event: its place, its ids and where it is found. */
	private static final int PLACE = 300;

	/** What part of the bytes is for new entries only. */
	private static final int ROOM = 16;

	private final long mostMillis;

	private final int mostEntries;

	private final long mostBytes;

	private final TreeMap<Position, FeedMemoryLink> entries = new TreeMap<>();

	private final Map<String, Position> posts = new HashMap<>();

	/** Where the newest event is that tells what is counted of a post. */
	private final Map<String, Position> counts = new HashMap<>();

	/** Posts that an entry here says are deleted. */
	private final Set<String> deleted = new HashSet<>();

	/** Authors whose accounts an entry here says are. */
	private final Set<String> gone = new HashSet<>();

	/** Entries that the bound is for. */
	private int counted;

	private long bytes;

	FeedMemory(Duration time, int entries, DataSize bytes) {
		this.mostMillis = time.toMillis();
		this.mostEntries = entries;
		this.mostBytes = bytes.toBytes();
	}

	/**
	 * The newest entry so far; the oldest are forgotten when there are too many, and a
	 * post's markup when the post, or its author's account, is deleted.
	 */
	void append(FeedEntry entry) {
		LogEntry logged = entry.entry();
		if (logged.type() == Type.CLOSED) {
			silenceAllOf(logged.user());
		}
		if (logged.type() == Type.DELETE) {
			silence(this.posts.remove(logged.post()));
		}
		if (logged.type() == Type.DELETE || logged.type() == Type.COUNTS) {
			silence(this.counts.remove(logged.post()));
		}
		put(entry);
		while (this.entries.size() > 1 && isOverfull()) {
			forgetOldest();
		}
	}

	private void put(FeedEntry entry) {
		LogEntry logged = entry.entry();
		replace(entry);
		switch (logged.type()) {
			case POST -> this.posts.put(logged.post(), entry.position());
			case COUNTS -> this.counts.put(logged.post(), entry.position());
			case DELETE -> this.deleted.add(logged.post());
			case CLOSED -> this.gone.add(logged.user());
			default -> {
			}
		}
	}

	/** Puts it in the place of what was known of the entry. */
	private void replace(FeedEntry entry) {
		weigh(entry, 1);
		FeedMemoryLink known = this.entries.get(entry.position());
		if (known == null) {
			link(new FeedMemoryLink(entry), entry.position());
		}
		else {
			weigh(entryOf(known), -1);
			known.set(entry);
		}
	}

	/** A stream may be on its way already from the one before to the one after. */
	private void link(FeedMemoryLink added, Position position) {
		Map.Entry<Position, FeedMemoryLink> later = this.entries.higherEntry(position);
		added.setNext((later != null) ? later.getValue() : null);
		Map.Entry<Position, FeedMemoryLink> earlier = this.entries.lowerEntry(position);
		if (earlier != null) {
			earlier.getValue().setNext(added);
		}
		this.entries.put(position, added);
	}

	/** Of one that is here. */
	private static FeedEntry entryOf(FeedMemoryLink known) {
		return Objects.requireNonNull(known.entry());
	}

	private void weigh(FeedEntry entry, int sign) {
		this.bytes += sign * bytesOf(entry);
		this.counted += (entry.frame() != null && entry.entry().type() != Type.COUNTS) ? sign : 0;
	}

	private static long bytesOf(FeedEntry entry) {
		return PLACE + ((entry.frame() != null) ? entry.frame().length : 0);
	}

	/** Of the entry at that place only the place is kept. */
	private void silence(@Nullable Position position) {
		FeedMemoryLink known = (position != null) ? this.entries.get(position) : null;
		if (known != null) {
			replace(new FeedEntry(entryOf(known).entry(), null));
		}
	}

	private void silenceAllOf(String author) {
		this.entries.values()
			.stream()
			.map(FeedMemory::entryOf)
			.filter((entry) -> entry.entry().type() == Type.POST && entry.entry().user().equals(author))
			.map(FeedEntry::position)
			.toList()
			.forEach(this::silence);
	}

	private boolean isOverfull() {
		return this.counted > this.mostEntries || this.bytes > this.mostBytes
				|| isTooOld(this.entries.higherKey(this.entries.firstKey()));
	}

	/** What an entry tells was so until the next one came. */
	private boolean isTooOld(Position next) {
		return this.entries.lastKey().millis() - next.millis() > this.mostMillis;
	}

	private void forgetOldest() {
		FeedMemoryLink known = this.entries.pollFirstEntry().getValue();
		FeedEntry oldest = entryOf(known);
		known.forget();
		weigh(oldest, -1);
		String post = oldest.entry().post();
		this.posts.remove(post, oldest.position());
		this.counts.remove(post, oldest.position());
		switch (oldest.entry().type()) {
			case DELETE -> this.deleted.remove(post);
			case CLOSED -> this.gone.remove(oldest.entry().user());
			default -> {
			}
		}
	}

	/**
	 * The place where reading began: known, but what the entry says is not.
	 */
	void begin(Position position) {
		this.entries.values().forEach(FeedMemoryLink::forget);
		this.entries.clear();
		this.posts.clear();
		this.counts.clear();
		this.deleted.clear();
		this.gone.clear();
		this.counted = 0;
		this.bytes = 0;
		append(place(position));
	}

	private static FeedEntry place(Position position) {
		return new FeedEntry(new LogEntry(position, Type.START, "", "", ""), null);
	}

	/**
	 * Entries up to the oldest one here, itself included, as far as there is room. What
	 * was deleted, or counted anew, while they were read is left without its event.
	 */
	void prepend(Collection<FeedEntry> newestFirst) {
		for (FeedEntry entry : newestFirst) {
			if (!isFull() || this.entries.containsKey(entry.position())) {
				put(isOutdated(entry.entry()) ? new FeedEntry(entry.entry(), null) : entry);
			}
		}
	}

	private boolean isOutdated(LogEntry entry) {
		return switch (entry.type()) {
			case POST -> this.deleted.contains(entry.post()) || this.gone.contains(entry.user());
			case COUNTS -> this.deleted.contains(entry.post()) || this.counts.containsKey(entry.post());
			default -> false;
		};
	}

	/** Whether exactly this entry is here: its id and its nonce. */
	boolean holds(Position position) {
		FeedMemoryLink known = this.entries.get(position);
		return known != null && entryOf(known).position().equals(position);
	}

	/**
	 * All entries after that place up to the newest one now, oldest first. Can be gone
	 * through on another thread.
	 */
	ReplayEntries after(Position position) {
		Map.Entry<Position, FeedMemoryLink> first = this.entries.higherEntry(position);
		return (first != null) ? new ReplayEntries(first.getValue(), this.entries.lastEntry().getValue())
				: new ReplayEntries(null, null);
	}

	@Nullable Position oldest() {
		return this.entries.isEmpty() ? null : this.entries.firstKey();
	}

	@Nullable Position newest() {
		return this.entries.isEmpty() ? null : this.entries.lastKey();
	}

	/**
	 * Whether there is no room for an entry older than all here. The room that is left
	 * when the oldest made way for a new one is not worth to be filled again.
	 */
	boolean isFull() {
		return this.counted >= this.mostEntries || this.bytes >= this.mostBytes - this.mostBytes / ROOM
				|| (!this.entries.isEmpty() && isTooOld(this.entries.firstKey()));
	}

	/**
	 * What part of the log, or of this memory, an entry takes. The log keeps as many
	 * entries as the bound says, whatever they are.
	 */
	double shareOf(FeedEntry entry) {
		return Math.max(1.0 / this.mostEntries, (double) bytesOf(entry) / this.mostBytes);
	}

}
