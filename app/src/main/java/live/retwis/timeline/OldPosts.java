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
 * Older posts of authors. A reader who pages on needs a few posts more of a few authors
 * each time, but has to know of all of them that they have none between; so what was read
 * of their lists is kept for a while, for all readers. The past does not change, but for
 * what is deleted, or heard late, which the log tells.
 */
@Component
class OldPosts implements LogListener, FanOutLossListener {

	/** So long after its commit this instance has heard of a post. */
	static final Duration AGE = Duration.ofMinutes(1);

	private static final Duration KEPT_FOR = Duration.ofMinutes(5);

	/** Places that are kept, about 100 bytes each. */
	private static final int KEPT = 250_000;

	/** Of one author at first; few are needed of most. */
	private static final int FIRST = 10;

	/**
	 * Of one author of whom another part is known, so that less is read by jumping about.
	 */
	private static final int AGAIN = 40;

	/** Lists read at the same time. */
	private static final int CONCURRENCY = 64;

	private final SortedSets sortedSets;

	private final UnfinishedFanOut unfinished;

	/** By author. A page may put in thousands at once. */
	private final GenerationalCache<Stretch> known = new GenerationalCache<>(KEPT, KEPT_FOR,
			(stretch) -> stretch.places().size() + 1, System::nanoTime);

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
			.flatMap((author) -> stretch(author, before), CONCURRENCY)
			.collectList()
			.flatMap((stretches) -> latest(stretches, before, count));
	}

	/** Reads on in the lists whose next posts may be among these. */
	private Mono<List<Cursor>> latest(List<Stretch> stretches, Cursor before, int count) {
		List<Cursor> newest = TimelineMerge.newest(stretches.stream().map((stretch) -> stretch.before(before)).toList(),
				count);
		return stretches.stream().noneMatch((stretch) -> stretch.mayHaveMore(newest, count)) ? Mono.just(newest) : Flux
			.fromIterable(stretches)
			.flatMap((stretch) -> stretch.mayHaveMore(newest, count) ? extended(stretch, count) : Mono.just(stretch),
					CONCURRENCY)
			.collectList()
			.flatMap((longer) -> latest(longer, before, count));
	}

	private Mono<Stretch> stretch(String author, Cursor before) {
		Stretch known = this.known.get(author);
		if (known != null && known.covers(before)) {
			return Mono.just(known);
		}
		Stretch none = new Stretch(author, before, List.of(), false);
		return ((known == null) ? read(none, FIRST) : read(none, AGAIN).map((read) -> read.joined(known)))
			.doOnNext(this::keep);
	}

	private Mono<Stretch> extended(Stretch stretch, int count) {
		return read(stretch, count).doOnNext(this::keep);
	}

	/** What no worker has added yet is not in the list, but known to be unfinished. */
	private Mono<Stretch> read(Stretch stretch, int count) {
		Optional<Cursor> end = Optional.of(stretch.end());
		List<Cursor> missing = CommitOrder.after(this.unfinished.postsOf(stretch.author()), end);
		return this.sortedSets.highest(Keys.postsOf(stretch.author()), end, count)
			.map((more) -> missing.isEmpty() ? more : TimelineMerge.newest(List.of(more, missing), count))
			.map((more) -> stretch.with(more, more.size() < count));
	}

	private void keep(Stretch stretch) {
		this.known.put(stretch.author(), stretch.bounded());
	}

	@Override
	public void accept(LogEntry entry) {
		switch (entry.type()) {
			case DELETE, CLOSED -> this.known.remove(entry.user());
			case POST -> {
				Stretch kept = this.known.get(entry.user());
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
	 * @param begin the place that it follows on
	 * @param places newest first
	 * @param whole whether the list ends with it
	 */
	private record Stretch(String author, Cursor begin, List<Cursor> places, boolean whole) {

		/** As many as are kept of one author. */
		private static final int MOST = 200;

		Cursor end() {
			return this.places.isEmpty() ? this.begin : this.places.get(this.places.size() - 1);
		}

		/** Whether it tells what comes next after that place. */
		boolean covers(Cursor place) {
			return CommitOrder.NEWEST_FIRST.compare(this.begin, place) <= 0
					&& (this.whole || CommitOrder.NEWEST_FIRST.compare(place, end()) <= 0);
		}

		List<Cursor> before(Cursor place) {
			return CommitOrder.after(this.places, Optional.of(place));
		}

		/** Whether what follows on it may be among the newest. */
		boolean mayHaveMore(List<Cursor> newest, int count) {
			return !this.whole && (newest.size() < count
					|| CommitOrder.NEWEST_FIRST.compare(end(), newest.get(newest.size() - 1)) < 0);
		}

		/** With what is known of the list further on, unless there is a gap between. */
		Stretch joined(Stretch other) {
			boolean gap = CommitOrder.NEWEST_FIRST.compare(end(), other.begin()) < 0
					|| (!other.whole() && CommitOrder.NEWEST_FIRST.compare(other.end(), end()) < 0);
			if (this.whole || gap) {
				return this;
			}
			List<Cursor> all = new ArrayList<>(this.places);
			all.addAll(other.before(end()));
			return new Stretch(this.author, this.begin, List.copyOf(all), other.whole());
		}

		/** With what follows on it. */
		Stretch with(List<Cursor> more, boolean last) {
			List<Cursor> all = new ArrayList<>(this.places);
			all.addAll(more);
			return new Stretch(this.author, this.begin, List.copyOf(all), last);
		}

		/** The end of it, where it is too long to be kept: readers go on there. */
		Stretch bounded() {
			int over = this.places.size() - MOST;
			return (over <= 0) ? this : new Stretch(this.author, this.places.get(over - 1),
					List.copyOf(this.places.subList(over, this.places.size())), this.whole);
		}

	}

}
