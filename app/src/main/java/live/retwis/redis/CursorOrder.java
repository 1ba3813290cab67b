package live.retwis.redis;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The order of posts in lists, newest first: by the millisecond of the commit, then by
 * id.
 */
public final class CursorOrder {

	public static final Comparator<Cursor> NEWEST_FIRST = Comparator.comparingLong(Cursor::score)
		.thenComparing(Cursor::member)
		.reversed();

	private CursorOrder() {
	}

	/** The index of a place in the list, or the index at which it would be inserted. */
	static int indexOf(List<Cursor> list, Cursor place) {
		int found = Collections.binarySearch(list, place, NEWEST_FIRST);
		return (found < 0) ? -found - 1 : found;
	}

	/**
	 * The part of the list after the given place; the whole list when no place is given.
	 */
	public static List<Cursor> after(List<Cursor> list, Optional<Cursor> place) {
		if (place.isEmpty()) {
			return list;
		}
		int index = indexOf(list, place.get());
		boolean there = index < list.size() && list.get(index).equals(place.get());
		return list.subList(there ? index + 1 : index, list.size());
	}

}
