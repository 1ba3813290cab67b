package live.retwis.fanout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import live.retwis.log.CommitLog;
import live.retwis.log.CommitLogListener;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Log entries that this instance has heard and fan-out has not processed: posts, and
 * changes of whom somebody follows. Pages merge them with the stored lists. An entry is
 * removed when {@link FanOutSnapshot} says that it is done. Their number is bounded by
 * {@code retwis.log.max-backlog}, and by what is logged in ten seconds.
 * <p>
 * It comes before the log listeners that keep lists. One that reads a list and then asks
 * here must find an entry that is not in the list yet.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public class PendingFanOutIndex implements CommitLogListener {

	/** Most concurrent reads. */
	private static final int CONCURRENCY = 16;

	private final FanOutQueue queue;

	private final FanOutTaskQueue tasks;

	private final PostponedEntryQueue postponed;

	private final CommitLog log;

	/**
	 * Changed only while holding the lock of this object. The same holds for the other
	 * collections.
	 */
	private final NavigableMap<LogPosition, LogEntry> entries = new TreeMap<>();

	/** Ids of the posts among the entries. */
	private final Set<String> waiting = new HashSet<>();

	private final PostMultimap byAuthor = new PostMultimap();

	/** By the post that they reply to. */
	private final PostMultimap replies = new PostMultimap();

	private final PostMultimap byTag = new PostMultimap();

	/**
	 * For each reader, the users whom their follow changes are about, and the number of
	 * changes for each.
	 */
	private final Map<String, Map<String, Integer>> follows = new ConcurrentHashMap<>();

	/** How far fan-out was at the last check. */
	private volatile FanOutSnapshot lastState = FanOutSnapshot.NOT_BEGUN;

	/**
	 * The last state that named all that was elsewhere. Later states may say less of what
	 * was done.
	 */
	private volatile FanOutSnapshot lastWhole = FanOutSnapshot.NOT_BEGUN;

	PendingFanOutIndex(FanOutQueue queue, FanOutTaskQueue tasks, PostponedEntryQueue postponed, CommitLog log) {
		this.queue = queue;
		this.tasks = tasks;
		this.postponed = postponed;
		this.log = log;
	}

	/** How many authors have unprocessed posts. */
	public int authors() {
		return this.byAuthor.keys().size();
	}

	/**
	 * Whether no post waits, and no change of whom the reader follows. Call it before
	 * reading the timeline.
	 */
	public boolean hasNothing(String reader) {
		return this.byAuthor.keys().isEmpty() && !this.follows.containsKey(reader);
	}

	/**
	 * What a reader's home timeline may lack. Call it before reading the timeline: an
	 * entry that is processed in between is then found in the timeline.
	 */
	public Unfinished of(String reader) {
		Set<String> changed = this.follows.getOrDefault(reader, Map.of()).keySet();
		List<String> authors = List.copyOf(this.byAuthor.keys());
		return (authors.isEmpty() && changed.isEmpty()) ? Unfinished.NOTHING : of(reader, authors);
	}

	/**
	 * What a reader's home timeline may lack, limited to posts of the reader and of some
	 * authors.
	 */
	public Unfinished of(String reader, Collection<String> authors) {
		Map<String, List<Cursor>> theirs = new HashMap<>();
		Stream.concat(authors.stream(), Stream.of(reader)).forEach((author) -> {
			List<Cursor> own = this.byAuthor.newestFirst(author);
			if (!own.isEmpty()) {
				theirs.put(author, own);
			}
		});
		return new Unfinished(theirs, Set.copyOf(this.follows.getOrDefault(reader, Map.of()).keySet()));
	}

	/**
	 * The posts that an author's own list may lack, newest first. Call it before reading
	 * the list.
	 */
	public List<Cursor> postsOf(String author) {
		return this.byAuthor.newestFirst(author);
	}

	/**
	 * The posts that the list of a tag may lack, newest first. Call it before reading the
	 * list.
	 */
	public List<Cursor> postsWith(String tag) {
		return this.byTag.newestFirst(tag);
	}

	/**
	 * The posts that the list of replies to a post may lack, newest first. Call it before
	 * reading the list.
	 */
	public List<Cursor> repliesTo(String postId) {
		return this.replies.newestFirst(postId);
	}

	@Override
	public void accept(LogEntry entry) {
		switch (entry.type()) {
			case POST, FOLLOW, UNFOLLOW -> add(entry);
			default -> {
			}
		}
	}

	private synchronized void add(LogEntry entry) {
		// What is there stays: a task describes the same entry with fewer facts.
		if (this.entries.putIfAbsent(entry.position(), entry) != null) {
			return;
		}
		if (entry.type() == LogEntry.Type.POST) {
			Cursor place = new Cursor(entry.position().millis(), entry.post());
			this.waiting.add(entry.post());
			this.byAuthor.add(entry.user(), place);
			entry.replyTo().ifPresent((replied) -> this.replies.add(replied, place));
			entry.tags().forEach((tag) -> this.byTag.add(tag, place));
		}
		else {
			this.follows.computeIfAbsent(entry.user(), (reader) -> new ConcurrentHashMap<>())
				.merge(entry.other(), 1, Integer::sum);
		}
	}

	/**
	 * Removes entries that are done. If a fail-over has lost finished work, all that is
	 * elsewhere is named first, and then the entries concerned are read again. Pages may
	 * lack them until the next check has done that.
	 * @return whether a fail-over has lost something
	 */
	Mono<Boolean> removeDone(FanOutSnapshot state) {
		if (!state.hasLost(this.lastState) && !state.hasLost(this.lastWhole)) {
			return Mono.fromSupplier(() -> {
				forget(state);
				return false;
			});
		}
		return (state.isWhole() ? Mono.just(state) : this.queue.wholeState())
			.flatMap((whole) -> prepare().then(Mono.fromSupplier(() -> {
				forget(whole);
				return true;
			})));
	}

	/** Removes entries that are done. */
	private synchronized void forget(FanOutSnapshot state) {
		this.lastState = state;
		if (state.isWhole()) {
			this.lastWhole = state;
		}
		List<LogEntry> donePosts = new ArrayList<>();
		this.entries.headMap(state.upTo(), true).values().removeIf((entry) -> {
			boolean done = state.isDone(entry.position());
			if (done && entry.type() == LogEntry.Type.POST) {
				this.waiting.remove(entry.post());
				donePosts.add(entry);
			}
			else if (done) {
				this.follows.computeIfPresent(entry.user(), (reader, changes) -> {
					changes.computeIfPresent(entry.other(), (other, count) -> (count > 1) ? count - 1 : null);
					return changes.isEmpty() ? null : changes;
				});
			}
			return done;
		});
		removeDone(this.replies, donePosts.stream().flatMap((post) -> post.replyTo().stream()));
		removeDone(this.byTag, donePosts.stream().flatMap((post) -> post.tags().stream()));
		removeDone(this.byAuthor, donePosts.stream().map(LogEntry::user));
	}

	private void removeDone(PostMultimap posts, Stream<String> keys) {
		keys.distinct().forEach((key) -> posts.removeDone(key, (place) -> !this.waiting.contains(place.member())));
	}

	@Override
	public synchronized void reset() {
		this.lastState = FanOutSnapshot.NOT_BEGUN;
		this.lastWhole = FanOutSnapshot.NOT_BEGUN;
		this.entries.clear();
		this.waiting.clear();
		this.byAuthor.clear();
		this.replies.clear();
		this.byTag.clear();
		this.follows.clear();
	}

	/**
	 * Reads entries that waited or were in progress before this instance began to hear
	 * the log. Tasks and postponed entries are read last, because the log may have been
	 * trimmed past them. A postponed entry may become tasks meanwhile, so tasks come
	 * after these.
	 */
	@Override
	public Mono<Void> prepare() {
		return this.queue.state()
			.flatMap((state) -> Flux
				.concat(Flux.fromIterable(state.inProgress()).flatMap((id) -> read(id, id), CONCURRENCY),
						read(state.upTo().entryId(), "+"),
						Flux.concat(this.postponed.entries(), this.tasks.entries()).doOnNext(this::accept).then())
				.then());
	}

	private Mono<Void> read(String first, String last) {
		return this.log.between(first, last).doOnNext(this::accept).then();
	}

	/**
	 * What a reader's home timeline may lack.
	 *
	 * @param posts posts by author, newest first. They include authors whom the reader
	 * does not follow
	 * @param changed ids of users whom the reader may have begun or stopped to follow
	 */
	public record Unfinished(Map<String, List<Cursor>> posts, Set<String> changed) {

		public static final Unfinished NOTHING = new Unfinished(Map.of(), Set.of());

		public boolean isNothing() {
			return this.posts.isEmpty() && this.changed.isEmpty();
		}

	}

}
