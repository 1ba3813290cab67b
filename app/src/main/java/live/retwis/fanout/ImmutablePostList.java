package live.retwis.fanout;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.Predicate;

import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;

/**
 * Posts in commit order, as an immutable list. A single writer adds the newest post. That
 * takes constant time on average, because versions of the list share one array. A version
 * that a reader holds does not change.
 */
final class ImmutablePostList {

	private static final int FIRST = 4;

	/**
	 * Shared with other versions of this list. Newer versions write behind the end of
	 * this one.
	 */
	private final Cursor[] places;

	private final int begin;

	private final int end;

	private ImmutablePostList(Cursor[] places, int begin, int end) {
		this.places = places;
		this.begin = begin;
		this.end = end;
	}

	static ImmutablePostList of(Cursor place) {
		return new ImmutablePostList(new Cursor[FIRST], 0, 0).with(place);
	}

	/**
	 * A version with one more post. Call it on the newest version only, because versions
	 * share the array.
	 */
	ImmutablePostList with(Cursor place) {
		if (this.end > this.begin && CursorOrder.NEWEST_FIRST.compare(place, this.places[this.end - 1]) > 0) {
			return between(place);
		}
		boolean room = this.end < this.places.length;
		Cursor[] all = room ? this.places : Arrays.copyOfRange(this.places, this.begin,
				this.begin + Math.max(FIRST, 2 * (this.end - this.begin)));
		int first = room ? this.begin : 0;
		int last = room ? this.end : this.end - this.begin;
		all[last] = place;
		return new ImmutablePostList(all, first, last + 1);
	}

	/**
	 * A version with a post that is older than the last one. This happens when posts are
	 * read from the log after newer ones were announced.
	 */
	private ImmutablePostList between(Cursor place) {
		Cursor[] all = Arrays.copyOfRange(this.places, this.begin, this.end + 1);
		all[all.length - 1] = place;
		Arrays.sort(all, CursorOrder.NEWEST_FIRST.reversed());
		return new ImmutablePostList(all, 0, all.length);
	}

	/**
	 * A version without the posts that are done. It has an array of its own if one that
	 * is not done is older than one that is.
	 */
	ImmutablePostList without(Predicate<Cursor> done) {
		int first = this.begin;
		while (first < this.end && done.test(this.places[first])) {
			first++;
		}
		Cursor[] left = Arrays.stream(this.places, first, this.end).filter(done.negate()).toArray(Cursor[]::new);
		return (left.length == this.end - first) ? new ImmutablePostList(this.places, first, this.end)
				: new ImmutablePostList(left, 0, left.length);
	}

	boolean isEmpty() {
		return this.begin == this.end;
	}

	/** An unmodifiable view of the posts, newest first. */
	List<Cursor> newestFirst() {
		return new NewestFirst(this);
	}

	private static final class NewestFirst extends AbstractList<Cursor> implements RandomAccess {

		private final ImmutablePostList posts;

		NewestFirst(ImmutablePostList posts) {
			this.posts = posts;
		}

		@Override
		public Cursor get(int index) {
			return this.posts.places[this.posts.end - 1 - index];
		}

		@Override
		public int size() {
			return this.posts.end - this.posts.begin;
		}

	}

}
