package live.retwis.timeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import live.retwis.redis.CommitLog;
import live.retwis.redis.Cursor;
import live.retwis.redis.LogEntry;
import live.retwis.redis.LogListener;
import live.retwis.redis.Position;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

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
class UnfinishedFanOut implements LogListener {

	/** Entries of one XRANGE. */
	private static final int BATCH = 1000;

	/** Reads under way at once. */
	private static final int CONCURRENCY = 16;

	private final FanOutQueue queue;

	private final CommitLog log;

	/** Changed under the lock of this only. */
	private final NavigableMap<Position, LogEntry> entries = new TreeMap<>();

	/** By author, newest first; the lists are never changed, only replaced. */
	private final Map<String, List<Cursor>> posts = new ConcurrentHashMap<>();

	/** By reader, whom a change is about; the sets are never changed, only replaced. */
	private final Map<String, Set<String>> follows = new ConcurrentHashMap<>();

	UnfinishedFanOut(FanOutQueue queue, CommitLog log) {
		this.queue = queue;
		this.log = log;
	}

	/**
	 * What a reader's home timeline may lack. Ask before the timeline is read: what is
	 * done meanwhile is found there.
	 */
	Unfinished of(String reader) {
		Set<String> changed = this.follows.getOrDefault(reader, Set.of());
		return (this.posts.isEmpty() && changed.isEmpty()) ? Unfinished.NOTHING
				: new Unfinished(new HashMap<>(this.posts), changed);
	}

	/** What an author's own posts may lack, newest first. Ask before these are read. */
	List<Cursor> postsOf(String author) {
		return this.posts.getOrDefault(author, List.of());
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
			this.posts.merge(entry.user(), List.of(place(entry)), (before, one) -> {
				List<Cursor> after = new ArrayList<>(before);
				after.add(CommitOrder.indexOf(before, one.get(0)), one.get(0));
				return List.copyOf(after);
			});
		}
		else {
			noteFollow(entry);
		}
	}

	private void noteFollow(LogEntry entry) {
		this.follows.merge(entry.user(), Set.of(entry.other()), (some, more) -> {
			Set<String> all = new HashSet<>(some);
			all.addAll(more);
			return Set.copyOf(all);
		});
	}

	/** Forgets what is done. */
	synchronized void settle(FanOutState state) {
		Map<String, Set<Cursor>> done = new HashMap<>();
		Set<String> readers = new HashSet<>();
		this.entries.headMap(state.upTo(), true).values().removeIf((entry) -> {
			boolean gone = state.isDone(entry.position());
			if (gone && entry.type() == LogEntry.Type.POST) {
				done.computeIfAbsent(entry.user(), (author) -> new HashSet<>()).add(place(entry));
			}
			else if (gone) {
				readers.add(entry.user());
			}
			return gone;
		});
		done.forEach((author, places) -> this.posts.computeIfPresent(author, (same, all) -> without(all, places)));
		if (!readers.isEmpty()) {
			this.follows.keySet().removeAll(readers);
			this.entries.values()
				.stream()
				.filter((entry) -> entry.type() != LogEntry.Type.POST && readers.contains(entry.user()))
				.forEach(this::noteFollow);
		}
	}

	@Override
	public synchronized void reset() {
		this.entries.clear();
		this.posts.clear();
		this.follows.clear();
	}

	/** What waited, or was being worked on, before this instance heard the log. */
	@Override
	public Mono<Void> prepare() {
		return this.queue.state()
			.flatMap((state) -> Flux
				.concat(Flux.fromIterable(state.underWay()).flatMap((id) -> read(id, id), CONCURRENCY),
						Flux.fromIterable(state.split())
							.map(String::valueOf)
							.flatMap((millis) -> read(millis, millis), CONCURRENCY),
						read(state.upTo().entryId(), "+"))
				.then());
	}

	private Mono<Void> read(String first, String last) {
		return this.log.between(first, last, BATCH)
			.expand((batch) -> (batch.size() < BATCH) ? Mono.empty()
					: this.log.between(batch.get(batch.size() - 1).position().entryId(), last, BATCH))
			.doOnNext((batch) -> batch.forEach(this::accept))
			.then();
	}

	private static Cursor place(LogEntry entry) {
		return new Cursor(entry.position().millis(), entry.post());
	}

	/** Null when nothing is left, which takes the whole list out. */
	private static @Nullable List<Cursor> without(List<Cursor> all, Set<Cursor> places) {
		List<Cursor> left = all.stream().filter((place) -> !places.contains(place)).toList();
		return left.isEmpty() ? null : left;
	}

	/**
	 * What a reader's home timeline may lack.
	 *
	 * @param posts by author, newest first; of everybody, whoever follows them
	 * @param changed whom the reader may have begun to follow, or follow no longer
	 */
	record Unfinished(Map<String, List<Cursor>> posts, Set<String> changed) {

		static final Unfinished NOTHING = new Unfinished(Map.of(), Set.of());

		boolean isNothing() {
			return this.posts.isEmpty() && this.changed.isEmpty();
		}

	}

}
