package live.retwis.live;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

import live.retwis.log.LogEntry;
import live.retwis.log.LogEntry.Type;
import live.retwis.log.LogPosition;
import org.jspecify.annotations.Nullable;

/**
 * Tells which events in the {@link FeedMemory} a later entry makes outdated. These are
 * events of deleted posts and of authors whose account is deleted or suspended, and
 * events with a number or a profile that has changed since.
 */
class SupersededEventIndex {

	private final Map<String, LogPosition> posts = new HashMap<>();

	/** By post id, the positions of its reposts. */
	private final Map<String, NavigableSet<LogPosition>> reposts = new HashMap<>();

	/**
	 * The position of the newest event with the counters of a post, or with a user's
	 * unread notifications, by what they are about.
	 */
	private final Map<String, LogPosition> numbers = new HashMap<>();

	/** By user id, the position of the newest event with the user's profile. */
	private final Map<String, LogPosition> profiles = new HashMap<>();

	/** Ids of posts that an entry in the memory says are deleted. */
	private final Set<String> deleted = new HashSet<>();

	/**
	 * Ids of authors whose account an entry in the memory says is deleted or suspended.
	 */
	private final Set<String> gone = new HashSet<>();

	/** Whether the entry has a number that a later one replaces. */
	static boolean isNumber(LogEntry entry) {
		return entry.type() == Type.COUNTS || entry.type() == Type.NOTIFY;
	}

	/**
	 * What the number is about. Users and posts are told apart: those from another site
	 * may have the same id.
	 */
	private static String counted(LogEntry entry) {
		return (entry.type() == Type.NOTIFY) ? "user " + entry.user() : "post " + entry.post();
	}

	void add(LogEntry entry) {
		switch (entry.type()) {
			case POST -> {
				this.posts.put(entry.post(), entry.position());
				entry.repostOf()
					.ifPresent((original) -> this.reposts.computeIfAbsent(original, (none) -> new TreeSet<>())
						.add(entry.position()));
			}
			case COUNTS, NOTIFY -> this.numbers.merge(counted(entry), entry.position(), SupersededEventIndex::later);
			case PROFILE -> this.profiles.merge(entry.user(), entry.position(), SupersededEventIndex::later);
			case DELETE -> this.deleted.add(entry.post());
			case CLOSED, SUSPENDED -> this.gone.add(entry.user());
			default -> {
			}
		}
	}

	/** Older entries may come after newer ones. */
	private static LogPosition later(LogPosition one, LogPosition other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

	/** The entry is no longer in the memory. */
	void remove(LogEntry entry) {
		LogPosition position = entry.position();
		this.posts.remove(entry.post(), position);
		this.numbers.remove(counted(entry), position);
		this.profiles.remove(entry.user(), position);
		entry.repostOf().ifPresent((original) -> this.reposts.computeIfPresent(original, (same, positions) -> {
			positions.remove(position);
			return positions.isEmpty() ? null : positions;
		}));
		switch (entry.type()) {
			case DELETE -> this.deleted.remove(entry.post());
			case CLOSED, SUSPENDED -> this.gone.remove(entry.user());
			default -> {
			}
		}
	}

	void clear() {
		this.posts.clear();
		this.reposts.clear();
		this.numbers.clear();
		this.profiles.clear();
		this.deleted.clear();
		this.gone.clear();
	}

	/**
	 * Returns the positions of the events that a new entry makes outdated. A deletion
	 * outdates the events of the post and of its reposts. A new number or profile
	 * outdates the one before. When an account is deleted or suspended, the user's
	 * profile is outdated.
	 */
	List<LogPosition> outdatedBy(LogEntry entry) {
		List<LogPosition> outdated = new ArrayList<>();
		if (entry.type() == Type.DELETE) {
			addTo(outdated, this.posts, entry.post());
			outdated.addAll(repostsOf(entry.post()));
		}
		if (entry.type() == Type.DELETE || isNumber(entry)) {
			addTo(outdated, this.numbers, counted(entry));
		}
		if (List.of(Type.PROFILE, Type.CLOSED, Type.SUSPENDED).contains(entry.type())) {
			addTo(outdated, this.profiles, entry.user());
		}
		return outdated;
	}

	/** The position of the newest event with the counters of a post; null for none. */
	@Nullable LogPosition countersOf(String postId) {
		return this.numbers.get("post " + postId);
	}

	/** The positions of the reposts of a post, the latest first. */
	Set<LogPosition> repostsOf(String postId) {
		return this.reposts.getOrDefault(postId, Collections.emptyNavigableSet()).descendingSet();
	}

	private static void addTo(List<LogPosition> outdated, Map<String, LogPosition> known, String id) {
		LogPosition position = known.remove(id);
		if (position != null) {
			outdated.add(position);
		}
	}

	/** Whether a newer entry in the memory has made an older one outdated. */
	boolean isOutdated(FeedEntry older) {
		LogEntry entry = older.entry();
		return switch (entry.type()) {
			case POST -> this.deleted.contains(entry.post()) || this.gone.contains(entry.user())
					|| (older.original() != null && this.gone.contains(older.original()))
					|| entry.repostOf().filter(this.deleted::contains).isPresent();
			case PROFILE -> this.gone.contains(entry.user()) || isBefore(entry, this.profiles.get(entry.user()));
			case COUNTS, NOTIFY ->
				this.deleted.contains(entry.post()) || isBefore(entry, this.numbers.get(counted(entry)));
			default -> false;
		};
	}

	private static boolean isBefore(LogEntry entry, @Nullable LogPosition newest) {
		return newest != null && entry.position().compareTo(newest) < 0;
	}

}
