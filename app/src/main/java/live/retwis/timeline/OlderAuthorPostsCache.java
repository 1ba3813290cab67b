package live.retwis.timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.archive.ArchiveMarkers;
import live.retwis.archive.ArchivedPostCursors;
import live.retwis.fanout.FanOutLossListener;
import live.retwis.fanout.PendingFanOutIndex;
import live.retwis.log.CommitLogListener;
import live.retwis.log.LogEntry;
import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Caches older posts of authors. A reader who goes on to older pages needs a few more
 * posts of a few authors each time, but must be sure that the other authors have none in
 * between. So the parts of lists that were read are kept for a while, for all readers.
 * Old posts only change when one is deleted, or when this instance hears of one late. The
 * log tells of both.
 */
@Component
class OlderAuthorPostsCache implements CommitLogListener, FanOutLossListener {

	/** After this time since its commit, this instance has heard of a post. */
	static final Duration AGE = Duration.ofMinutes(1);

	private static final Duration CACHED_FOR = Duration.ofMinutes(5);

	/** Most places in the cache, about 100 bytes each. */
	private static final int CACHED = 250_000;

	/** Posts read first of each author. Most authors need no more. */
	private static final int FIRST = 10;

	/**
	 * Posts read of an author of whom another part is in the cache. They are more, so
	 * that a reader who jumps between pages joins the parts sooner.
	 */
	private static final int AGAIN = 40;

	/** Lists read concurrently. */
	private static final int CONCURRENCY = 64;

	private final AuthorPostListReader authorPosts;

	private final PendingFanOutIndex unfinished;

	/** The cached part of each author's list. A page may add thousands at once. */
	private final TwoGenerationCache<ListPart> known = new TwoGenerationCache<>(CACHED, CACHED_FOR,
			(part) -> part.places().size() + 1, System::nanoTime);

	OlderAuthorPostsCache(AuthorPostListReader authorPosts, PendingFanOutIndex unfinished) {
		this.authorPosts = authorPosts;
		this.unfinished = unfinished;
	}

	/**
	 * The latest posts of authors before a place, newest first.
	 * @param before a place that is older than {@link #AGE}
	 */
	Mono<List<Cursor>> latest(Collection<String> authors, Cursor before, int count) {
		return Flux.fromIterable(authors)
			.flatMap((author) -> part(author, before), CONCURRENCY)
			.collectList()
			.flatMap((parts) -> latest(parts, before, count));
	}

	/** Reads more of the lists whose next posts may be among the newest. */
	private Mono<List<Cursor>> latest(List<ListPart> parts, Cursor before, int count) {
		List<Cursor> newest = CursorOrder.newest(parts.stream().map((part) -> part.before(before)).toList(), count);
		return parts.stream().noneMatch((part) -> part.mayHaveMore(newest, count)) ? Mono.just(newest)
				: extended(parts, newest, count).flatMap((longer) -> latest(longer, before, count));
	}

	/**
	 * Lists that go on in Redis are read first, one by one. When these are known, all
	 * that go on in the archive are read at once.
	 */
	private Mono<List<ListPart>> extended(List<ListPart> parts, List<Cursor> newest, int count) {
		Predicate<ListPart> unfinished = (part) -> part.mayHaveMore(newest, count);
		boolean inRedis = parts.stream().anyMatch(unfinished.and((part) -> !part.isInArchive()));
		Map<Boolean, List<ListPart>> byTurn = parts.stream()
			.collect(Collectors.partitioningBy(unfinished.and((part) -> part.isInArchive() != inRedis)));
		List<ListPart> next = byTurn.getOrDefault(true, List.of());
		Mono<List<ListPart>> longer = inRedis
				? Flux.fromIterable(next).flatMap((part) -> extended(part, count), CONCURRENCY).collectList()
				: archived(next, count);
		return longer
			.map((read) -> Stream.concat(byTurn.getOrDefault(false, List.of()).stream(), read.stream()).toList());
	}

	private Mono<List<ListPart>> archived(List<ListPart> parts, int count) {
		Map<String, Cursor> ends = parts.stream().collect(Collectors.toMap(ListPart::author, ListPart::end));
		return this.authorPosts.archived(ends, count).map((found) -> parts.stream().map((part) -> {
			ArchivedPostCursors more = found.getOrDefault(part.author(), ArchivedPostCursors.NONE);
			ListPart longer = part.with(more.places(), more.end() ? End.REACHED : End.IN_ARCHIVE);
			keep(longer);
			return longer;
		}).toList());
	}

	private Mono<ListPart> part(String author, Cursor before) {
		ListPart known = this.known.get(author);
		if (known != null && known.covers(before)) {
			return Mono.just(known);
		}
		ListPart none = new ListPart(author, before, List.of(), End.IN_REDIS, 0);
		return ((known == null) ? read(none, FIRST) : read(none, AGAIN).map((read) -> read.joined(known)))
			.doOnNext(this::keep);
	}

	private Mono<ListPart> extended(ListPart part, int count) {
		return read(part, count).doOnNext(this::keep);
	}

	/**
	 * Reads what follows a part. Posts that no worker has added yet are not in the list,
	 * so they are taken from {@link PendingFanOutIndex}.
	 */
	private Mono<ListPart> read(ListPart part, int count) {
		Optional<Cursor> end = Optional.of(part.end());
		List<Cursor> missing = CursorOrder.after(this.unfinished.postsOf(part.author()), end);
		return this.authorPosts.inRedis(part.author(), end, count).map((read) -> {
			OptionalLong archived = ArchiveMarkers.in(read);
			List<Cursor> posts = ArchiveMarkers.posts(read);
			int most = archived.isPresent() ? posts.size() + missing.size() : count;
			List<Cursor> more = missing.isEmpty() ? posts : CursorOrder.newest(List.of(posts, missing), most);
			return archived.isPresent() ? part.aboveArchive(more, archived.getAsLong())
					: part.with(more, (more.size() < count) ? End.REACHED : End.IN_REDIS);
		});
	}

	private void keep(ListPart part) {
		this.known.put(part.author(), part.bounded());
	}

	@Override
	public void accept(LogEntry entry) {
		switch (entry.type()) {
			case DELETE, CLOSED -> this.known.remove(entry.user());
			case POST -> {
				ListPart kept = this.known.get(entry.user());
				if (kept != null && kept.covers(new Cursor(entry.position().millis(), entry.post()))) {
					this.known.remove(entry.user());
				}
			}
			default -> {
			}
		}
	}

	@Override
	public void fanOutWasLost() {
		reset();
	}

	@Override
	public void reset() {
		this.known.clear();
	}

	/** How a part of a list ends. */
	private enum End {

		/** The list goes on in Redis. */
		IN_REDIS,
		/** The list goes on in the archive. */
		IN_ARCHIVE,
		/** The list ends here. */
		REACHED

	}

	/**
	 * A part of an author's list, without gaps.
	 *
	 * @param author user id of the author
	 * @param begin the place after which the part begins
	 * @param places newest first
	 * @param ends how the part ends
	 * @param archived ms of the newest archived post, where the part ends in Redis
	 */
	private record ListPart(String author, Cursor begin, List<Cursor> places, End ends, long archived) {

		/** Most places that are kept of one author. */
		private static final int MOST = 200;

		Cursor end() {
			return this.places.isEmpty() ? this.begin : this.places.get(this.places.size() - 1);
		}

		boolean isInArchive() {
			return this.ends == End.IN_ARCHIVE;
		}

		private boolean atEnd() {
			return this.ends == End.REACHED;
		}

		/** Whether this part says what follows the place. */
		boolean covers(Cursor place) {
			return CursorOrder.NEWEST_FIRST.compare(this.begin, place) <= 0
					&& (atEnd() || CursorOrder.NEWEST_FIRST.compare(place, end()) <= 0);
		}

		List<Cursor> before(Cursor place) {
			return CursorOrder.after(this.places, Optional.of(place));
		}

		/** Whether posts after this part may be among the newest. */
		boolean mayHaveMore(List<Cursor> newest, int count) {
			if (atEnd() || newest.size() < count) {
				return !atEnd();
			}
			Cursor last = newest.get(newest.size() - 1);
			return CursorOrder.NEWEST_FIRST.compare(end(), last) < 0
					&& (this.ends != End.IN_ARCHIVE || this.archived >= last.score());
		}

		/**
		 * This part joined with an older one, or this part alone if there is a gap
		 * between them.
		 */
		ListPart joined(ListPart other) {
			boolean gap = CursorOrder.NEWEST_FIRST.compare(end(), other.begin()) < 0
					|| (!other.atEnd() && CursorOrder.NEWEST_FIRST.compare(other.end(), end()) < 0);
			if (atEnd() || gap) {
				return this;
			}
			List<Cursor> all = new ArrayList<>(this.places);
			all.addAll(other.before(end()));
			return new ListPart(this.author, this.begin, List.copyOf(all), other.ends(), other.archived());
		}

		/**
		 * A longer part.
		 * @param more the places that follow this part
		 * @param end how the part ends with them
		 */
		ListPart with(List<Cursor> more, End end) {
			return longer(more, end, Long.MAX_VALUE);
		}

		/**
		 * A longer part, whose list in Redis ends.
		 * @param newest ms of the newest post that follows in the archive, or more
		 */
		ListPart aboveArchive(List<Cursor> more, long newest) {
			return longer(more, End.IN_ARCHIVE, newest);
		}

		private ListPart longer(List<Cursor> more, End end, long newest) {
			List<Cursor> all = new ArrayList<>(this.places);
			all.addAll(more);
			return new ListPart(this.author, this.begin, List.copyOf(all), end, newest);
		}

		/**
		 * This part, or only its older end if it is too long to be kept. Readers go on
		 * there.
		 */
		ListPart bounded() {
			int over = this.places.size() - MOST;
			return (over <= 0) ? this : new ListPart(this.author, this.places.get(over - 1),
					List.copyOf(this.places.subList(over, this.places.size())), this.ends, this.archived);
		}

	}

}
