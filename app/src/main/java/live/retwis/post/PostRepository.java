package live.retwis.post;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import live.retwis.account.ClosedAccounts;
import live.retwis.account.SuspendedAccounts;
import live.retwis.block.HiddenAuthors;
import live.retwis.files.FilesListener;
import live.retwis.log.LogEntry;
import live.retwis.log.LogListener;
import live.retwis.redis.Availability;
import live.retwis.redis.CacheLoads;
import live.retwis.redis.ConfirmedWrites;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Posts: {@code post:{id}}. A bounded local cache holds them with their markup. Only the
 * counts of a post change, and the log tells of them or that they have changed. A post
 * leaves the cache when the log says that the post or its author's account is deleted, or
 * that the author has changed, who may have another picture. This also discards a load
 * that is in progress.
 */
@Repository
public class PostRepository implements LogListener, FilesListener, PostCleanup {

	private static final LuaScript CREATE = LuaScript.named("create-post");

	private static final LuaScript DELETE = LuaScript.named("delete-post");

	private static final LuaScript SET_COUNT = LuaScript.named("set-count");

	private static final LuaScript FORGET = LuaScript.named("forget-post");

	private static final List<String> TEXTS = List.of("author", "username", "created", "body", "reply_to",
			"reply_username", "repost_of", "deleted");

	private static final String[] FIELDS = Stream.concat(TEXTS.stream(), PostCounts.fields().stream())
		.toArray(String[]::new);

	/** Bytes of markup plus characters of text in the cache. A post has about 1,000. */
	private static final int CACHED = 64_000_000;

	/** Weight of a cache entry beside its post, or of a deleted post. */
	private static final int PLACE = 200;

	/** Extra posts read for a page, in case some of its posts are deleted. */
	private static final int SPARE = 5;

	private final DataNode data;

	private final ReactiveStringRedisTemplate redis;

	private final ConfirmedWrites confirmed;

	private final ClosedAccounts closed;

	private final SuspendedAccounts suspended;

	private final UnreadablePosts unreadable;

	private final ArticleRenderer articles;

	private final AsyncLoadingCache<String, CachedPost> posts = Caffeine.newBuilder()
		.maximumWeight(CACHED)
		.weigher((String id, CachedPost post) -> post.weight() + PLACE)
		.buildAsync((id, executor) -> read(id).toFuture());

	PostRepository(DataNode data, ReactiveStringRedisTemplate redis, ConfirmedWrites confirmed, ClosedAccounts closed,
			SuspendedAccounts suspended, UnreadablePosts unreadable, ArticleRenderer articles) {
		this.data = data;
		this.redis = redis;
		this.confirmed = confirmed;
		this.closed = closed;
		this.suspended = suspended;
		this.unreadable = unreadable;
		this.articles = articles;
	}

	/**
	 * {@code create-post.lua}: stores a post that nothing refers to yet.
	 * @return false when another post has the id, or the post was deleted
	 */
	public Mono<Boolean> create(Post post) {
		List<String> fields = new ArrayList<>(List.of("author", post.authorId(), "created",
				Long.toString(post.created()), "body", post.body(), "username", post.author()));
		if (post.replyTo() != null && post.replyAuthor() != null) {
			fields.addAll(List.of("reply_to", post.replyTo(), "reply_username", post.replyAuthor()));
		}
		if (post.repostOf() != null) {
			fields.addAll(List.of("repost_of", post.repostOf()));
		}
		return this.confirmed.run(CREATE, List.of(Keys.post(post.id())), fields.toArray(String[]::new))
			.map((answer) -> answer.get(0).equals("1"));
	}

	/** DEL: removes a post that nothing refers to. */
	Mono<Void> discard(String postId) {
		return this.redis.delete(Keys.post(postId)).then();
	}

	/**
	 * {@code delete-post.lua}: marks a post as deleted and removes its text and all
	 * names.
	 * @param mark identifies the request, so that a repeated request is recognised
	 */
	Mono<Deletion> delete(String postId, String userId, String mark) {
		return DELETE.run(this.redis, List.of(Keys.post(postId)), userId, mark)
			.map((answer) -> Deletion.valueOf(answer.get(0).toUpperCase(java.util.Locale.ROOT)))
			.doOnNext((deletion) -> this.posts.synchronous().invalidate(postId));
	}

	/** {@code forget-post.lua}: lets a deleted post expire. */
	@Override
	public Mono<Void> forget(String postId, Duration after) {
		return FORGET.run(this.redis, List.of(Keys.post(postId)), Long.toString(after.toSeconds())).then();
	}

	/**
	 * {@code set-count.lua}: stores one count of a post.
	 * @return all counts of the post; empty when it does not exist, or is deleted
	 */
	Mono<Counted> setCount(String postId, PostCount what, long count) {
		List<String> args = new ArrayList<>(List.of(what.field(), Long.toString(count)));
		args.addAll(PostCounts.fields());
		return SET_COUNT.run(this.redis, List.of(Keys.post(postId)), args.toArray(String[]::new))
			.filter((answer) -> !answer.isEmpty())
			.map((answer) -> new Counted(answer.get(0), PostCounts.of(answer.subList(1, answer.size()))));
	}

	/**
	 * HMGET {@code post:{id}}, unless the post is in the cache: the id of the post that
	 * this post replies to, even if this post is deleted.
	 */
	Mono<String> repliedTo(String postId) {
		return cached(postId).flatMap((post) -> Mono.justOrEmpty(post.replyTo()));
	}

	/**
	 * HMGET: the ids of the posts that this post replies to or reposts, even if it is
	 * deleted.
	 */
	Flux<String> related(String postId) {
		return this.redis.<String, String>opsForHash()
			.multiGet(Keys.post(postId), List.of("reply_to", "repost_of"))
			.flatMapMany((row) -> Flux.fromStream(row.stream().filter(Objects::nonNull)));
	}

	/**
	 * HMGET: what a repost is, even if it is deleted. Empty when the post is not a
	 * repost.
	 */
	public Mono<Repost> findRepost(String postId) {
		return this.redis.<String, String>opsForHash()
			.multiGet(Keys.post(postId), List.of("author", "repost_of"))
			.filter((row) -> row.get(0) != null && row.get(1) != null)
			.map((row) -> new Repost(row.get(0), row.get(1)));
	}

	/** HMGET: user id of the post's author, even if the post is deleted. */
	public Mono<String> authorOf(String postId) {
		return this.redis.<String, String>opsForHash().get(Keys.post(postId), "author");
	}

	/** HMGET: whether the post exists and is not deleted, read from the data node. */
	public Mono<Boolean> isThere(String postId) {
		return this.redis.<String, String>opsForHash()
			.multiGet(Keys.post(postId), List.of("author", "deleted"))
			.map((row) -> row.get(0) != null && row.get(1) == null);
	}

	/**
	 * HMGET {@code post:{id}}, unless the post is in the cache. In place of a repost it
	 * is the post that it shows. Empty when the post does not exist, is deleted, or is
	 * unreadable.
	 */
	public Mono<RenderedPost> find(String postId) {
		return stored(postId).flatMap((found) -> {
			String original = found.post().repostOf();
			return (original == null) ? Mono.just(found) : stored(original).map((post) -> post.repostedBy(found));
		});
	}

	private Mono<RenderedPost> stored(String postId) {
		return kept(postId).filter(this::isShown);
	}

	private Mono<RenderedPost> kept(String postId) {
		return cached(postId).flatMap((post) -> Mono.justOrEmpty(post.shown()))
			.filter((post) -> !this.closed.contains(post.post().authorId()));
	}

	private Mono<CachedPost> cached(String postId) {
		return Mono.fromFuture(() -> this.posts.get(postId), true);
	}

	/**
	 * The post itself, also when it is a repost, and when its author is suspended. For
	 * work that must not be skipped: fails when the post is unreadable.
	 */
	public Mono<Post> require(String postId) {
		return kept(postId).map(RenderedPost::post).switchIfEmpty(Mono.defer(() -> this.unreadable.failure(postId)));
	}

	/**
	 * Posts in the order of their ids, each of them once. In place of a repost it is the
	 * post that it shows. Posts that do not exist are left out. Posts that are not in the
	 * cache are read in one round trip, and those that are reposted in another.
	 */
	public Mono<List<RenderedPost>> findAll(List<String> postIds) {
		return findAll(postIds, HiddenAuthors.NOBODY);
	}

	/**
	 * The same, without the posts and the reposts that a viewer does not see. A post that
	 * is hidden in a repost may be shown in another place of the list.
	 */
	public Mono<List<RenderedPost>> findAll(List<String> postIds, HiddenAuthors hidden) {
		return stored(postIds, hidden).flatMap((found) -> {
			List<String> originals = found.stream()
				.map((post) -> post.post().repostOf())
				.filter(Objects::nonNull)
				.toList();
			return originals.isEmpty() ? Mono.just(found)
					: stored(originals, hidden).map((reposted) -> RenderedPost.each(found, reposted));
		});
	}

	private Mono<List<RenderedPost>> stored(List<String> postIds, HiddenAuthors hidden) {
		return CacheLoads.all(this.posts, postIds)
			.map((found) -> found.stream()
				.flatMap((post) -> Stream.ofNullable(post.shown()))
				.filter(this::isShown)
				.filter((post) -> !post.isHidden(hidden))
				.toList());
	}

	/** How many ids of a list to read for a page of this many posts. */
	public static int placesFor(int posts) {
		return posts + SPARE;
	}

	/**
	 * Reads a post. The result is empty for a post that never existed. The cache
	 * remembers that a post is deleted.
	 */
	private Mono<CachedPost> read(String postId) {
		return this.data.hmget(Keys.post(postId), FIELDS)
			.filter((row) -> row.get(0) != null && (row.get(3) != null || row.get(7) != null))
			.flatMap((row) -> (row.get(7) != null) ? Mono.just(new CachedPost(null, row.get(4)))
					: render(postId, row).map((post) -> new CachedPost(post, row.get(4))))
			.onErrorResume((error) -> !Availability.isAway(error),
					(error) -> Mono.fromRunnable(() -> this.unreadable.leftOut(postId, error)));
	}

	/**
	 * Hides posts of authors who have deleted their account, whose posts still exist for
	 * a while, and of authors who are suspended.
	 */
	private boolean isShown(RenderedPost post) {
		String authorId = post.post().authorId();
		return !this.closed.contains(authorId) && !this.suspended.contains(authorId);
	}

	private Mono<RenderedPost> render(String postId, List<@Nullable String> row) {
		Post post = new Post(postId, row.get(0), row.get(1), Long.parseLong(row.get(2)), row.get(3), row.get(4),
				row.get(5), row.get(6));
		return this.articles.render(post, PostCounts.of(row.subList(TEXTS.size(), row.size())));
	}

	@Override
	public void accept(LogEntry entry) {
		switch (entry.type()) {
			case DELETE -> this.posts.synchronous().invalidate(entry.post());
			case COUNTS -> counted(entry);
			case RECOUNTED -> this.posts.synchronous().invalidateAll(entry.recounted());
			case PROFILE -> this.posts.asMap().values().removeIf((load) -> names(entry.user(), "", load));
			case FREED -> this.posts.asMap().values().removeIf((load) -> names(entry.user(), entry.facts(), load));
			default -> {
			}
		}
	}

	/**
	 * Renders a post in the cache with its new counts. A load that is in progress may not
	 * have read them, so it gets them when it ends.
	 */
	private void counted(LogEntry entry) {
		this.posts.asMap()
			.computeIfPresent(entry.post(),
					(id, load) -> load.thenApply((found) -> counted(found, PostCounts.of(entry.facts()))));
	}

	/** A load ends with null when there is no such post. */
	private @Nullable CachedPost counted(@Nullable CachedPost found, PostCounts counts) {
		return (found != null && found.shown() != null)
				? new CachedPost(this.articles.render(found.shown(), counts), found.replyTo()) : found;
	}

	/**
	 * Whether a cache entry may be a post by the user, or may mention the user. An entry
	 * that is being loaded may, so it is loaded again.
	 * @param name the user's name in lower case; empty when mentions do not matter
	 */
	private static boolean names(String userId, String name, CompletableFuture<CachedPost> load) {
		CachedPost post = load.isCompletedExceptionally() ? null : load.getNow(null);
		return post == null || Optional.ofNullable(post.shown())
			.filter((shown) -> shown.post().authorId().equals(userId) || shown.mentioned().containsKey(name))
			.isPresent();
	}

	@Override
	public void reset() {
		this.posts.synchronous().invalidateAll();
	}

	@Override
	public void filesChanged() {
		reset();
	}

	/**
	 * A post in the cache.
	 *
	 * @param shown the post; null when it is deleted
	 * @param replyTo id of the post that it replies to, which is known of a deleted post,
	 * too; null for none
	 */
	private record CachedPost(@Nullable RenderedPost shown, @Nullable String replyTo) {

		int weight() {
			return (this.shown != null) ? this.shown.utf8().length + this.shown.post().body().length() : 0;
		}

	}

	/**
	 * The counts of a post.
	 *
	 * @param authorId user id of the post's author
	 * @param counts all counts
	 */
	record Counted(String authorId, PostCounts counts) {
	}

	/**
	 * A repost.
	 *
	 * @param userId id of the user who reposts
	 * @param original id of the post that it shows
	 */
	public record Repost(String userId, String original) {
	}

	/** Results of a request to delete a post. */
	public enum Deletion {

		/** The post is deleted now. */
		DONE,
		/** The post was deleted before. */
		BEFORE,
		/** The post belongs to another user. */
		OTHER,
		/** There is no such post. */
		GONE

	}

}
