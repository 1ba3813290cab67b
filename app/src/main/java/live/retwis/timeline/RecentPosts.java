package live.retwis.timeline;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import live.retwis.redis.Cursor;

/**
 * The newest posts of one author that readers pull, as Redis had them once and the log
 * told since.
 */
final class RecentPosts {

	/** As many as several pages need. */
	static final int READ = 100;

	private final List<Cursor> places;

	private boolean whole;

	/**
	 * What Redis has.
	 * @param places newest first, at most {@link #READ}
	 */
	RecentPosts(List<Cursor> places) {
		this.places = new ArrayList<>(places);
		this.whole = places.size() < READ;
	}

	/** A post was made; one that is known changes nothing. */
	synchronized void add(Cursor place) {
		int found = Collections.binarySearch(this.places, place, Followed.NEWEST_FIRST);
		if (found < 0) {
			this.places.add(-found - 1, place);
		}
		if (this.places.size() > 2 * READ) {
			this.places.subList(READ, this.places.size()).clear();
			this.whole = false;
		}
	}

	/**
	 * The newest before a place, newest first; empty when more may be there than is known
	 * here.
	 */
	synchronized Optional<List<Cursor>> before(Optional<Cursor> place, int count) {
		int found = place.map((from) -> Collections.binarySearch(this.places, from, Followed.NEWEST_FIRST)).orElse(-1);
		int begin = (found < 0) ? -found - 1 : found + 1;
		int end = Math.min(begin + count, this.places.size());
		return (end - begin == count || this.whole) ? Optional.of(List.copyOf(this.places.subList(begin, end)))
				: Optional.empty();
	}

}
