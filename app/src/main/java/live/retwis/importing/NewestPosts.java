package live.retwis.importing;

import java.util.List;
import java.util.TreeSet;

import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;

/** The newest of the posts that were added. */
class NewestPosts {

	private final int most;

	private final TreeSet<Cursor> places = new TreeSet<>(CursorOrder.NEWEST_FIRST);

	/**
	 * Creates an empty list.
	 * @param most most posts in it
	 */
	NewestPosts(int most) {
		this.most = most;
	}

	synchronized void add(Cursor place) {
		this.places.add(place);
		if (this.places.size() > this.most) {
			this.places.pollLast();
		}
	}

	synchronized List<Cursor> oldestFirst() {
		return List.copyOf(this.places.descendingSet());
	}

}
