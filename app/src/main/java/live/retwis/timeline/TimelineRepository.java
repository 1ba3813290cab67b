package live.retwis.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

import live.retwis.archive.ArchiveMarkers;
import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.SortedSetReader;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Lists of posts in commit order. This class reads all of them, and writes
 * {@code posts:{id}}, {@code pulled:{id}} and {@code {live}:public}. The score is the
 * time of the post's commit, in ms.
 */
@Repository
public class TimelineRepository {

	private static final LuaScript ADD_TO_PUBLIC = LuaScript.named("add-to-list");

	private static final LuaScript PUBLIC_PAGE = LuaScript.named("public-page");

	/**
	 * Most pages that are searched for an author's pushed posts. Each has as many posts
	 * as a home timeline. By default that is 20,000 posts in all.
	 */
	private static final int PAGES = 25;

	private final DataNodeCommands data;

	private final ReactiveStringRedisTemplate redis;

	private final SortedSetReader sortedSets;

	private final AuthorPostListReader authorPosts;

	private final TimelineProperties properties;

	private final CommitTimeCache times;

	private volatile @Nullable Newest newest;

	TimelineRepository(DataNodeCommands data, ReactiveStringRedisTemplate redis, SortedSetReader sortedSets,
			AuthorPostListReader authorPosts, TimelineProperties properties, CommitTimeCache times) {
		this.data = data;
		this.redis = redis;
		this.sortedSets = sortedSets;
		this.authorPosts = authorPosts;
		this.properties = properties;
		this.times = times;
	}

	/** ZADD to the author's own posts. */
	public Mono<Void> addToPostsOf(String authorId, String postId, long committed) {
		return this.redis.opsForZSet().add(Keys.postsOf(authorId), postId, committed).then();
	}

	/** ZSCORE: whether it is one of the author's own posts, except for archived ones. */
	Mono<Boolean> isInPostsOf(String authorId, String postId) {
		return this.redis.opsForZSet().score(Keys.postsOf(authorId), postId).hasElement();
	}

	/** ZREM from the author's own posts. */
	public Mono<Void> removeFromPostsOf(String authorId, String postId) {
		return this.redis.opsForZSet().remove(Keys.postsOf(authorId), postId).then();
	}

	/** {@code add-to-list.lua} on the public timeline. */
	public Mono<Void> addToPublic(Cursor place) {
		return ADD_TO_PUBLIC
			.run(this.redis, List.of(Keys.PUBLIC_TIMELINE), Integer.toString(this.properties.publicSize()),
					Long.toString(place.score()), place.member())
			.then();
	}

	/** ZREM from the public timeline. */
	public Mono<Void> removeFromPublic(String postId) {
		return this.redis.opsForZSet().remove(Keys.PUBLIC_TIMELINE, postId).then();
	}

	/** Ids of a list, newest first. */
	Mono<List<String>> newest(String key, Optional<Cursor> before, int count) {
		return before.isEmpty() ? this.sortedSets.highest(key, count)
				: this.sortedSets.highest(key, before, count).map(this::learn);
	}

	/**
	 * Ids of an author's own posts, archived ones included, together with posts that may
	 * not be in the list yet. Archived posts have no places in the list that could be
	 * read later, so with an archive the places are read at once.
	 * @param missing places of these posts, newest first
	 */
	Mono<List<String>> newestOf(String authorId, Optional<Cursor> before, int count, List<Cursor> missing) {
		return (before.isEmpty() && missing.isEmpty() && !this.authorPosts.isArchiveUsed())
				? this.sortedSets.highest(Keys.postsOf(authorId), count)
				: this.authorPosts.latest(authorId, before, count)
					.map((places) -> learn(missing.isEmpty() ? places
							: CursorOrder.newest(List.of(places, CursorOrder.after(missing, before)), count)));
	}

	/** The places of posts in a list, see {@link CommitTimeCache#places}. */
	Mono<Map<String, Cursor>> places(String key, List<String> postIds) {
		return this.times.places(key, postIds);
	}

	/** Caches a place, so that it is not read again. */
	void learn(Cursor place) {
		this.times.learn(place);
	}

	private List<String> learn(List<Cursor> places) {
		places.forEach(this.times::learn);
		return places.stream().map(Cursor::member).toList();
	}

	/** ZADD to the author's posts that readers pull. */
	Mono<Void> addToPulledOf(String authorId, String postId, long committed) {
		return this.redis.opsForZSet().add(Keys.pulledOf(authorId), postId, committed).then();
	}

	/**
	 * ZREM from the author's posts that readers pull.
	 * @return whether it was one of them
	 */
	public Mono<Boolean> removeFromPulledOf(String authorId, String postId) {
		return this.redis.opsForZSet().remove(Keys.pulledOf(authorId), postId).map((removed) -> removed > 0);
	}

	/** ZREM from the authors whose posts readers pull. */
	public Mono<Void> removePulledAuthor(String authorId) {
		return this.redis.opsForZSet().remove(Keys.PULLED_AUTHORS, authorId).then();
	}

	/** A page of a user's own posts, oldest first, archived ones included. */
	public Mono<List<Cursor>> oldestOf(String userId, Cursor after, int count) {
		return this.authorPosts.earliest(userId, after, count);
	}

	/** ZMSCORE: whether posts of the user have moved to the archive. */
	public Mono<Boolean> isArchived(String userId) {
		return this.authorPosts.isArchived(userId);
	}

	/**
	 * DEL of both lists of a user's own posts: of all of them, and of those that readers
	 * pull. The lists also say which posts are in the archive.
	 */
	public Mono<Void> removeListsOf(String userId) {
		return this.redis.delete(Keys.postsOf(userId), Keys.pulledOf(userId)).then();
	}

	/**
	 * Finds the newest of a user's own posts that were pushed, as many as a home timeline
	 * holds. It reads a page of all posts, and then leaves out those that readers pull.
	 * This order is safe, because a post enters the list of pulled posts first. The
	 * search ends after a bounded number of pages, and before the posts in the archive.
	 * Then the result says down to which place it is complete.
	 */
	public Mono<NewestPostRange> latestPushedOf(String userId) {
		return latestPushedOf(userId, Optional.empty(), this.properties.size(), PAGES);
	}

	private Mono<NewestPostRange> latestPushedOf(String userId, Optional<Cursor> before, int count, int pages) {
		return this.authorPosts.inRedis(userId, before, this.properties.size())
			.flatMap((page) -> withoutPulled(userId, ArchiveMarkers.posts(page))
				.map((pushed) -> found(page, pushed, count)))
			.flatMap((found) -> {
				int missing = count - found.places().size();
				Optional<Cursor> end = Optional.ofNullable(found.from());
				return (missing == 0 || end.isEmpty() || end.get().member().isEmpty() || pages == 1) ? Mono.just(found)
						: latestPushedOf(userId, end, missing, pages - 1).map(found::with);
			});
	}

	/**
	 * What one page has. A page that is not full is the last one. Above archived posts it
	 * ends at a place without a post.
	 */
	private NewestPostRange found(List<Cursor> page, List<Cursor> pushed, int count) {
		if (pushed.size() >= count) {
			return new NewestPostRange(pushed.subList(0, count), pushed.get(count - 1));
		}
		OptionalLong archived = ArchiveMarkers.in(page);
		if (archived.isPresent()) {
			return new NewestPostRange(pushed, new Cursor(archived.getAsLong() + 1, ""));
		}
		return new NewestPostRange(pushed, (page.size() == this.properties.size()) ? page.get(page.size() - 1) : null);
	}

	/** ZREVRANGEBYSCORE: leaves out the posts of a page that readers pull. */
	private Mono<List<Cursor>> withoutPulled(String userId, List<Cursor> page) {
		return page.isEmpty() ? Mono.just(page)
				: this.redis.opsForZSet()
					.reverseRangeByScore(Keys.pulledOf(userId),
							Range.closed((double) page.get(page.size() - 1).score(), (double) page.get(0).score()))
					.collect(Collectors.toSet())
					.map((pulled) -> page.stream().filter((place) -> !pulled.contains(place.member())).toList());
	}

	/**
	 * ZRANGE of a whole home timeline, then ZMSCORE: which of its posts are by the
	 * author.
	 * @return empty when there is no timeline, or when only the archive knows and it is
	 * away
	 */
	public Mono<List<String>> inTimeline(String readerId, String authorId) {
		return this.sortedSets.all(Keys.homeTimeline(readerId))
			.filter((ids) -> !ids.isEmpty())
			.flatMap((ids) -> this.authorPosts.by(authorId, ids));
	}

	/**
	 * The posts before a cursor; without a cursor the newest ones, by
	 * {@code public-page.lua}. That script sends them only if they have changed since the
	 * last time.
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
		Newest read = new Newest(count, answer.get(0), learn(places));
		this.newest = read;
		return read.postIds();
	}

	/**
	 * The newest public posts as they were last read.
	 *
	 * @param count how many were asked for
	 * @param mark changes when the posts change
	 * @param postIds newest first
	 */
	private record Newest(int count, String mark, List<String> postIds) {
	}

}
