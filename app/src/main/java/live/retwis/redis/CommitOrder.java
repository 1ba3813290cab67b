package live.retwis.redis;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Places in lists of posts, newest first: by the millisecond of the commit, ties by id.
 */
public final class CommitOrder {

	public static final Comparator<Cursor> NEWEST_FIRST = Comparator.comparingLong(Cursor::score)
		.thenComparing(Cursor::member)
		.reversed();

	private CommitOrder() {
	}

	/** Where a place is in a list, or would be. */
	static int indexOf(List<Cursor> list, Cursor place) {
		int found = Collections.binarySearch(list, place, NEWEST_FIRST);
		return (found < 0) ? -found - 1 : found;
	}

	/** The places of a list after that one; all without one. */
	public static List<Cursor> after(List<Cursor> list, Optional<Cursor> place) {
		if (place.isEmpty()) {
			return list;
		}
		int index = indexOf(list, place.get());
		boolean there = index < list.size() && list.get(index).equals(place.get());
		return list.subList(there ? index + 1 : index, list.size());
	}

}
