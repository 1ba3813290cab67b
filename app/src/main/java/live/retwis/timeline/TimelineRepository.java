package live.retwis.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import live.retwis.post.TimelineProperties;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.SortedSets;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Repository;

/**
 * Lists of posts in commit order: reads them all, and writes {@code posts:{id}},
 * {@code pulled:{id}} and {@code {live}:public}. The score is the millisecond of the
 * post's place in the log.
 */
@Repository
class TimelineRepository {

	private static final LuaScript PUBLIC_PAGE = LuaScript.named("public-page");

	private final DataNode data;

	private final SortedSets sortedSets;

	private final TimelineProperties properties;

	private final CommitTimes times;

	private volatile @Nullable Newest newest;

	TimelineRepository(DataNode data, SortedSets sortedSets, TimelineProperties properties, CommitTimes times) {
		this.data = data;
		this.sortedSets = sortedSets;
		this.properties = properties;
		this.times = times;
	}

	/** ZADD to the author's own posts. */
	Mono<Void> addToPostsOf(String authorId, String postId, long committed) {
		return this.data.call((c) -> c.zadd(Keys.postsOf(authorId), (double) committed, postId)).then();
	}

	/** ZREM from the author's own posts. */
	Mono<Void> removeFromPostsOf(String authorId, String postId) {
		return this.data.call((c) -> c.zrem(Keys.postsOf(authorId), postId)).then();
	}

	/** ZREM from the public timeline. */
	Mono<Void> removeFromPublic(String postId) {
		return this.data.call((c) -> c.zrem(Keys.PUBLIC_TIMELINE, postId)).then();
	}

	/** The posts of a list, newest first. */
	Mono<List<String>> newest(String key, Optional<Cursor> before, int count) {
		return before.isEmpty() ? this.sortedSets.highest(key, count)
				: this.sortedSets.highest(key, before, count).map(this::known);
	}

	/**
	 * The same with posts that may not be in the list yet.
	 * @param missing newest first
	 */
	Mono<List<String>> newest(String key, Optional<Cursor> before, int count, List<Cursor> missing) {
		return missing.isEmpty() ? newest(key, before, count) : this.sortedSets.highest(key, before, count)
			.map((places) -> known(Followed.newest(List.of(places, CommitOrder.after(missing, before)), count)));
	}

	/** Where posts of a list stand in it. */
	Mono<Map<String, Cursor>> places(String key, List<String> postIds) {
		return this.times.places(key, postIds);
	}

	/** Keeps a place, so that it need not be read again. */
	void learn(Cursor place) {
		this.times.learn(place);
	}

	private List<String> known(List<Cursor> places) {
		places.forEach(this.times::learn);
		return places.stream().map(Cursor::member).toList();
	}

	/** ZADD to those of the author's posts that readers pull. */
	Mono<Void> addToPulledOf(String authorId, String postId, long committed) {
		return this.data.call((c) -> c.zadd(Keys.pulledOf(authorId), (double) committed, postId)).then();
	}

	/** ZREM: whether it was one that readers pull. */
	Mono<Boolean> removeFromPulledOf(String authorId, String postId) {
		return this.data.call((c) -> c.zrem(Keys.pulledOf(authorId), postId)).map((removed) -> removed > 0);
	}

	/** ZREM: readers look for no posts of that author any more. */
	Mono<Void> removePulledAuthor(String authorId) {
		return this.data.call((c) -> c.zrem(Keys.PULLED_AUTHORS, authorId)).then();
	}

	/** A page of a user's own posts, oldest first. */
	Mono<List<Cursor>> oldestOf(String userId, Cursor after, int count) {
		return this.sortedSets.lowest(Keys.postsOf(userId), Optional.of(after), count);
	}

	/** As many of a user's own posts as a home timeline can hold, newest first. */
	Mono<List<Cursor>> latestOf(String userId) {
		return this.sortedSets.highest(Keys.postsOf(userId), Optional.empty(), this.properties.size());
	}

	/**
	 * The same without those that readers pull, which are read afterwards: a post is
	 * among these first.
	 */
	Mono<List<Cursor>> latestPushedOf(String userId) {
		return latestOf(userId).flatMap((all) -> this.sortedSets.highest(Keys.pulledOf(userId), this.properties.size())
			.map(Set::copyOf)
			.map((pulled) -> all.stream().filter((place) -> !pulled.contains(place.member())).toList()));
	}

	/** ZCARD of a user's own posts. */
	Mono<Long> countPostsOf(String userId) {
		return this.data.call((c) -> c.zcard(Keys.postsOf(userId)));
	}

	/**
	 * The newest public posts ({@code public-page.lua}, which sends them only when they
	 * are others than the last time); or the posts before a cursor.
	 */
	Mono<List<String>> publicPage(Optional<Cursor> before, int count) {
		if (before.isPresent()) {
			return newest(Keys.PUBLIC_TIMELINE, before, count);
		}
		Newest known = this.newest;
		String mark = (known != null && known.count() == count) ? known.mark() : "";
		return this.data.run(PUBLIC_PAGE, List.of(Keys.LOG, Keys.PUBLIC_TIMELINE), Integer.toString(count), mark)
			.map((answer) -> (known != null && answer.isEmpty()) ? known.postIds() : remember(count, answer));
	}

	private List<String> remember(int count, List<String> answer) {
		List<Cursor> places = new ArrayList<>(count);
		for (int i = 1; i + 1 < answer.size(); i += 2) {
			places.add(new Cursor((long) Double.parseDouble(answer.get(i + 1)), answer.get(i)));
		}
		Newest read = new Newest(count, answer.get(0), known(places));
		this.newest = read;
		return read.postIds();
	}

	/**
	 * The newest public posts as they were read last.
	 *
	 * @param count how many were asked for
	 * @param mark tells whether they are the same still
	 * @param postIds newest first
	 */
	private record Newest(int count, String mark, List<String> postIds) {
	}

}
