package live.retwis.fanout;

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
import live.retwis.log.LogEntry;
import live.retwis.log.LogListener;
import live.retwis.log.Position;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * What this instance has heard of and fan-out has not done: posts, and changes of whom
 * somebody follows. Pages merge it into what the lists have. An entry leaves when
 * {@link FanOutState} says that it is done. There are no more than
 * {@code retwis.log.max-backlog} lets in.
 * <p>
 * First of the listeners: who reads a list and then looks here must find what is in
 * neither yet.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public class UnfinishedFanOut implements LogListener {

	/** Reads under way at once. */
	private static final int CONCURRENCY = 16;

	private final FanOutQueue queue;

	private final FanOutTaskQueue pieces;

	private final CommitLog log;

	/** Changed under the lock of this only, as all of these are. */
	private final NavigableMap<Position, LogEntry> entries = new TreeMap<>();

	/** Ids of the posts among them. */
	private final Set<String> waiting = new HashSet<>();

	private final Map<String, AuthorPosts> posts = new ConcurrentHashMap<>();

	/** By reader, whom changes are about, and how many. */
	private final Map<String, Map<String, Integer>> follows = new ConcurrentHashMap<>();

	/** How far fan-out was when it was looked last. */
	private volatile FanOutState looked = FanOutState.NOT_BEGUN;

	UnfinishedFanOut(FanOutQueue queue, FanOutTaskQueue pieces, CommitLog log) {
		this.queue = queue;
		this.pieces = pieces;
		this.log = log;
	}

	/** How many authors have posts here. */
	public int authors() {
		return this.posts.size();
	}

	/**
	 * What a reader's home timeline may lack. Ask before the timeline is read: what is
	 * done meanwhile is found there.
	 */
	public Unfinished of(String reader) {
		Set<String> changed = this.follows.getOrDefault(reader, Map.of()).keySet();
		return (this.posts.isEmpty() && changed.isEmpty()) ? Unfinished.NOTHING
				: of(reader, List.copyOf(this.posts.keySet()));
	}

	/** The same, of some authors and the reader alone. */
	public Unfinished of(String reader, Collection<String> authors) {
		Map<String, List<Cursor>> theirs = new HashMap<>();
		Stream.concat(authors.stream(), Stream.of(reader)).forEach((author) -> {
			AuthorPosts own = this.posts.get(author);
			if (own != null) {
				theirs.put(author, own.newestFirst());
			}
		});
		return new Unfinished(theirs, Set.copyOf(this.follows.getOrDefault(reader, Map.of()).keySet()));
	}

	/** What an author's own posts may lack, newest first. Ask before these are read. */
	public List<Cursor> postsOf(String author) {
		AuthorPosts own = this.posts.get(author);
		return (own != null) ? own.newestFirst() : List.of();
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
		if (this.entries.put(entry.position(), entry) != null) {
			return;
		}
		if (entry.type() == LogEntry.Type.POST) {
			Cursor place = new Cursor(entry.position().millis(), entry.post());
			this.waiting.add(entry.post());
			this.posts.compute(entry.user(),
					(author, before) -> (before != null) ? before.with(place) : AuthorPosts.of(place));
		}
		else {
			this.follows.computeIfAbsent(entry.user(), (reader) -> new ConcurrentHashMap<>())
				.merge(entry.other(), 1, Integer::sum);
		}
	}

	/**
	 * Forgets what is done. What was done and is not any more, for a fail-over has lost
	 * it, is taken in again. Until then, so for as long as it takes to look again, pages
	 * may lack it.
	 * @return whether a fail-over has lost something
	 */
	Mono<Boolean> settle(FanOutState state) {
		boolean lost = state.hasLost(this.looked);
		return (lost ? prepare() : Mono.<Void>empty()).then(Mono.fromSupplier(() -> {
			forget(state);
			return lost;
		}));
	}

	/** Of an author's posts those that no older one waits before. */
	private synchronized void forget(FanOutState state) {
		this.looked = state;
		Set<String> authors = new HashSet<>();
		this.entries.headMap(state.upTo(), true).values().removeIf((entry) -> {
			boolean done = state.isDone(entry.position());
			if (done && entry.type() == LogEntry.Type.POST) {
				this.waiting.remove(entry.post());
				authors.add(entry.user());
			}
			else if (done) {
				this.follows.computeIfPresent(entry.user(), (reader, changes) -> {
					changes.computeIfPresent(entry.other(), (other, count) -> (count > 1) ? count - 1 : null);
					return changes.isEmpty() ? null : changes;
				});
			}
			return done;
		});
		authors.forEach((author) -> this.posts.computeIfPresent(author, (same, all) -> {
			AuthorPosts left = all.without((place) -> !this.waiting.contains(place.member()));
			return left.isEmpty() ? null : left;
		}));
	}

	@Override
	public synchronized void reset() {
		this.looked = FanOutState.NOT_BEGUN;
		this.entries.clear();
		this.waiting.clear();
		this.posts.clear();
		this.follows.clear();
	}

	/**
	 * What waited, or was being worked on, before this instance heard the log. The pieces
	 * are read last: the log may have been trimmed past an entry that was split.
	 */
	@Override
	public Mono<Void> prepare() {
		return this.queue.state()
			.flatMap((state) -> Flux
				.concat(Flux.fromIterable(state.underWay()).flatMap((id) -> read(id, id), CONCURRENCY),
						read(state.upTo().entryId(), "+"), this.pieces.entries().doOnNext(this::accept).then())
				.then());
	}

	private Mono<Void> read(String first, String last) {
		return this.log.between(first, last).doOnNext(this::accept).then();
	}

	/**
	 * What a reader's home timeline may lack.
	 *
	 * @param posts by author, newest first; of everybody, whoever follows them
	 * @param changed whom the reader may have begun to follow, or follow no longer
	 */
	public record Unfinished(Map<String, List<Cursor>> posts, Set<String> changed) {

		public static final Unfinished NOTHING = new Unfinished(Map.of(), Set.of());

		public boolean isNothing() {
			return this.posts.isEmpty() && this.changed.isEmpty();
		}

	}

}
