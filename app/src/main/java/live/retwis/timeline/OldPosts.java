package live.retwis.timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import live.retwis.fanout.FanOutLossListener;
import live.retwis.fanout.UnfinishedFanOut;
import live.retwis.log.LogEntry;
import live.retwis.log.LogListener;
import live.retwis.redis.CommitOrder;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.redis.SortedSets;
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
class OldPosts implements LogListener, FanOutLossListener {

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

	private final SortedSets sortedSets;

	private final UnfinishedFanOut unfinished;

	/** The cached part of each author's list. A page may add thousands at once. */
	private final GenerationalCache<ListPart> known = new GenerationalCache<>(CACHED, CACHED_FOR,
			(part) -> part.places().size() + 1, System::nanoTime);

	OldPosts(SortedSets sortedSets, UnfinishedFanOut unfinished) {
		this.sortedSets = sortedSets;
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
		List<Cursor> newest = TimelineMerge.newest(parts.stream().map((part) -> part.before(before)).toList(), count);
		return parts.stream().noneMatch((part) -> part.mayHaveMore(newest, count)) ? Mono.just(newest)
				: Flux.fromIterable(parts)
					.flatMap((part) -> part.mayHaveMore(newest, count) ? extended(part, count) : Mono.just(part),
							CONCURRENCY)
					.collectList()
					.flatMap((longer) -> latest(longer, before, count));
	}

	private Mono<ListPart> part(String author, Cursor before) {
		ListPart known = this.known.get(author);
		if (known != null && known.covers(before)) {
			return Mono.just(known);
		}
		ListPart none = new ListPart(author, before, List.of(), false);
		return ((known == null) ? read(none, FIRST) : read(none, AGAIN).map((read) -> read.joined(known)))
			.doOnNext(this::keep);
	}

	private Mono<ListPart> extended(ListPart part, int count) {
		return read(part, count).doOnNext(this::keep);
	}

	/**
	 * Reads what follows a part. Posts that no worker has added yet are not in the list,
	 * so they are taken from {@link UnfinishedFanOut}.
	 */
	private Mono<ListPart> read(ListPart part, int count) {
		Optional<Cursor> end = Optional.of(part.end());
		List<Cursor> missing = CommitOrder.after(this.unfinished.postsOf(part.author()), end);
		return this.sortedSets.highest(Keys.postsOf(part.author()), end, count)
			.map((more) -> missing.isEmpty() ? more : TimelineMerge.newest(List.of(more, missing), count))
			.map((more) -> part.with(more, more.size() < count));
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

	/**
	 * A part of an author's list, without gaps.
	 *
	 * @param author user id of the author
	 * @param begin the place after which the part begins
	 * @param places newest first
	 * @param atEnd whether the list ends with this part
	 */
	private record ListPart(String author, Cursor begin, List<Cursor> places, boolean atEnd) {

		/** Most places that are kept of one author. */
		private static final int MOST = 200;

		Cursor end() {
			return this.places.isEmpty() ? this.begin : this.places.get(this.places.size() - 1);
		}

		/** Whether this part says what follows the place. */
		boolean covers(Cursor place) {
			return CommitOrder.NEWEST_FIRST.compare(this.begin, place) <= 0
					&& (this.atEnd || CommitOrder.NEWEST_FIRST.compare(place, end()) <= 0);
		}

		List<Cursor> before(Cursor place) {
			return CommitOrder.after(this.places, Optional.of(place));
		}

		/** Whether posts after this part may be among the newest. */
		boolean mayHaveMore(List<Cursor> newest, int count) {
			return !this.atEnd && (newest.size() < count
					|| CommitOrder.NEWEST_FIRST.compare(end(), newest.get(newest.size() - 1)) < 0);
		}

		/**
		 * This part joined with an older one, or this part alone if there is a gap
		 * between them.
		 */
		ListPart joined(ListPart other) {
			boolean gap = CommitOrder.NEWEST_FIRST.compare(end(), other.begin()) < 0
					|| (!other.atEnd() && CommitOrder.NEWEST_FIRST.compare(other.end(), end()) < 0);
			if (this.atEnd || gap) {
				return this;
			}
			List<Cursor> all = new ArrayList<>(this.places);
			all.addAll(other.before(end()));
			return new ListPart(this.author, this.begin, List.copyOf(all), other.atEnd());
		}

		/**
		 * A longer part.
		 * @param more the places that follow this part
		 * @param last whether the list ends with them
		 */
		ListPart with(List<Cursor> more, boolean last) {
			List<Cursor> all = new ArrayList<>(this.places);
			all.addAll(more);
			return new ListPart(this.author, this.begin, List.copyOf(all), last);
		}

		/**
		 * This part, or only its older end if it is too long to be kept. Readers go on
		 * there.
		 */
		ListPart bounded() {
			int over = this.places.size() - MOST;
			return (over <= 0) ? this : new ListPart(this.author, this.places.get(over - 1),
					List.copyOf(this.places.subList(over, this.places.size())), this.atEnd);
		}

	}

}
