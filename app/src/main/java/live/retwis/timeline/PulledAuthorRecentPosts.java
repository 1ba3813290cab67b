package live.retwis.timeline;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;
import org.jspecify.annotations.Nullable;

/**
 * The newest posts of one author that readers pull. They were read from Redis once. Since
 * then the log adds new ones.
 */
final class PulledAuthorRecentPosts {

	/** Posts that are read, enough for several pages. */
	static final int READ = 100;

	/** Immutable. Replaced when a post is added. */
	private volatile Known known;

	/**
	 * Creates it from what Redis has.
	 * @param places newest first, at most {@link #READ}
	 */
	PulledAuthorRecentPosts(List<Cursor> places) {
		this.known = new Known(List.copyOf(places), places.size() < READ);
	}

	/**
	 * Adds a post, unless it is there. One that is older than all known ones is left out
	 * if Redis may have others in between.
	 */
	synchronized void add(Cursor place) {
		List<Cursor> places = new ArrayList<>(this.known.places());
		int found = Collections.binarySearch(places, place, CursorOrder.NEWEST_FIRST);
		int index = -found - 1;
		if (found < 0 && (index < places.size() || this.known.whole())) {
			places.add(index, place);
			boolean tooMany = places.size() > 2 * READ;
			this.known = new Known(List.copyOf(tooMany ? places.subList(0, READ) : places),
					this.known.whole() && !tooMany);
		}
	}

	/**
	 * The newest posts before a place, newest first; null when Redis may have more than
	 * is known here.
	 */
	@Nullable List<Cursor> before(Optional<Cursor> place, int count) {
		Known now = this.known;
		int found = place.map((from) -> Collections.binarySearch(now.places(), from, CursorOrder.NEWEST_FIRST))
			.orElse(-1);
		int begin = (found < 0) ? -found - 1 : found + 1;
		int end = Math.min(begin + count, now.places().size());
		return (end - begin == count || now.whole()) ? now.places().subList(begin, end) : null;
	}

	/**
	 * The posts that are known.
	 *
	 * @param places newest first
	 * @param whole whether the author has no older ones
	 */
	private record Known(List<Cursor> places, boolean whole) {
	}

}
