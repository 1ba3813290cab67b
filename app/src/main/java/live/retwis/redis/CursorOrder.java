package live.retwis.redis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

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

	/**
	 * Merges lists. A post that is in several lists appears once.
	 * @param lists each newest first
	 * @return the newest of them, newest first
	 */
	public static List<Cursor> newest(List<List<Cursor>> lists, int count) {
		PriorityQueue<Head> heads = new PriorityQueue<>(lists.size() + 1,
				Comparator.comparing(Head::cursor, NEWEST_FIRST));
		lists.forEach((list) -> Head.add(heads, list, 0));
		List<Cursor> newest = new ArrayList<>(count);
		while (newest.size() < count && !heads.isEmpty()) {
			Head next = heads.remove();
			if (newest.isEmpty() || !newest.get(newest.size() - 1).equals(next.cursor())) {
				newest.add(next.cursor());
			}
			Head.add(heads, next.list(), next.index() + 1);
		}
		return newest;
	}

	/** The next place to take from a list. */
	private record Head(List<Cursor> list, int index) {

		static void add(PriorityQueue<Head> heads, List<Cursor> list, int index) {
			if (index < list.size()) {
				heads.add(new Head(list, index));
			}
		}

		Cursor cursor() {
			return this.list.get(this.index);
		}

	}

}
