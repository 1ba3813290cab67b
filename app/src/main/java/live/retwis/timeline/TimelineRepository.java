package live.retwis.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import live.retwis.redis.CommitOrder;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.SortedSets;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Lists of posts in commit order: reads them all, and writes {@code posts:{id}},
 * {@code pulled:{id}} and {@code {live}:public}. The score is the millisecond of the
 * post's place in the log.
 */
@Repository
public class TimelineRepository {

	private static final LuaScript PUBLIC_PAGE = LuaScript.named("public-page");

	/**
	 * Pages that are looked through for an author's pushed posts, each of as many as a
	 * home timeline holds: 20,000 posts by default.
	 */
	private static final int PAGES = 25;

	private final DataNode data;

	private final ReactiveStringRedisTemplate redis;

	private final SortedSets sortedSets;

	private final TimelineProperties properties;

	private final CommitTimes times;

	private volatile @Nullable Newest newest;

	TimelineRepository(DataNode data, ReactiveStringRedisTemplate redis, SortedSets sortedSets,
			TimelineProperties properties, CommitTimes times) {
		this.data = data;
		this.redis = redis;
		this.sortedSets = sortedSets;
		this.properties = properties;
		this.times = times;
	}

	/** ZADD to the author's own posts. */
	Mono<Void> addToPostsOf(String authorId, String postId, long committed) {
		return this.redis.opsForZSet().add(Keys.postsOf(authorId), postId, committed).then();
	}

	/** ZREM from the author's own posts. */
	Mono<Void> removeFromPostsOf(String authorId, String postId) {
		return this.redis.opsForZSet().remove(Keys.postsOf(authorId), postId).then();
	}

	/** ZREM from the public timeline. */
	Mono<Void> removeFromPublic(String postId) {
		return this.redis.opsForZSet().remove(Keys.PUBLIC_TIMELINE, postId).then();
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
			.map((places) -> known(TimelineMerge.newest(List.of(places, CommitOrder.after(missing, before)), count)));
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
		return this.redis.opsForZSet().add(Keys.pulledOf(authorId), postId, committed).then();
	}

	/** ZREM: whether it was one that readers pull. */
	Mono<Boolean> removeFromPulledOf(String authorId, String postId) {
		return this.redis.opsForZSet().remove(Keys.pulledOf(authorId), postId).map((removed) -> removed > 0);
	}

	/** ZREM: readers look for no posts of that author any more. */
	public Mono<Void> removePulledAuthor(String authorId) {
		return this.redis.opsForZSet().remove(Keys.PULLED_AUTHORS, authorId).then();
	}

	/** A page of a user's own posts, oldest first. */
	public Mono<List<Cursor>> oldestOf(String userId, Cursor after, int count) {
		return this.sortedSets.lowest(Keys.postsOf(userId), Optional.of(after), count);
	}

	/**
	 * As many of a user's own posts that are pushed as a home timeline can hold. Which
	 * ones of a page are pulled is read after the page: a post is among these first. What
	 * was pushed before so many pages is not found, but then it is known where these end.
	 */
	Mono<PushedPosts> latestPushedOf(String userId) {
		return latestPushedOf(userId, Optional.empty(), this.properties.size(), PAGES);
	}

	private Mono<PushedPosts> latestPushedOf(String userId, Optional<Cursor> before, int count, int pages) {
		return this.sortedSets.highest(Keys.postsOf(userId), before, this.properties.size())
			.flatMap((page) -> withoutPulled(userId, page).map((pushed) -> found(page, pushed, count)))
			.flatMap((found) -> {
				int missing = count - found.places().size();
				Optional<Cursor> end = Optional.ofNullable(found.from());
				return (missing == 0 || end.isEmpty() || pages == 1) ? Mono.just(found)
						: latestPushedOf(userId, end, missing, pages - 1).map(found::with);
			});
	}

	/** Nothing comes after a page that is not full. */
	private PushedPosts found(List<Cursor> page, List<Cursor> pushed, int count) {
		if (pushed.size() >= count) {
			return new PushedPosts(pushed.subList(0, count), pushed.get(count - 1));
		}
		return new PushedPosts(pushed, (page.size() == this.properties.size()) ? page.get(page.size() - 1) : null);
	}

	/** ZREVRANGEBYSCORE of the pulled ones that may be in a page. */
	private Mono<List<Cursor>> withoutPulled(String userId, List<Cursor> page) {
		return page.isEmpty() ? Mono.just(page)
				: this.redis.opsForZSet()
					.reverseRangeByScore(Keys.pulledOf(userId),
							Range.closed((double) page.get(page.size() - 1).score(), (double) page.get(0).score()))
					.collect(Collectors.toSet())
					.map((pulled) -> page.stream().filter((place) -> !pulled.contains(place.member())).toList());
	}

	/**
	 * ZRANGE of a home timeline, all of it, and ZMSCORE: the posts in it that an author
	 * made.
	 * @return empty when there is no timeline
	 */
	Mono<List<String>> inTimeline(String readerId, String authorId) {
		return this.sortedSets.all(Keys.homeTimeline(readerId))
			.filter((ids) -> !ids.isEmpty())
			.flatMap((ids) -> this.sortedSets.present(Keys.postsOf(authorId), ids));
	}

	/** ZCARD of a user's own posts. */
	Mono<Long> countPostsOf(String userId) {
		return this.redis.opsForZSet().size(Keys.postsOf(userId));
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
