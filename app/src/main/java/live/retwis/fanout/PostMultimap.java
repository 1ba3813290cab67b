package live.retwis.fanout;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import live.retwis.redis.Cursor;

/**
 * Lists of posts by a key, such as their author. A single writer changes them. Readers on
 * other threads never wait.
 */
final class PostMultimap {

	private final Map<String, ImmutablePostList> lists = new ConcurrentHashMap<>();

	void add(String key, Cursor place) {
		this.lists.compute(key, (same, before) -> (before != null) ? before.with(place) : ImmutablePostList.of(place));
	}

	/** Removes the posts of a list that are done. */
	void removeDone(String key, Predicate<Cursor> done) {
		this.lists.computeIfPresent(key, (same, all) -> {
			ImmutablePostList remaining = all.without(done);
			return remaining.isEmpty() ? null : remaining;
		});
	}

	void clear() {
		this.lists.clear();
	}

	/** An unmodifiable list, newest first. */
	List<Cursor> newestFirst(String key) {
		ImmutablePostList posts = this.lists.get(key);
		return (posts != null) ? posts.newestFirst() : List.of();
	}

	/** The keys of the lists that are not empty. */
	Set<String> keys() {
		return this.lists.keySet();
	}

}
