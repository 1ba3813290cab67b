package live.retwis.post;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lettuce.core.KeyValue;
import live.retwis.account.ClosedAccounts;
import live.retwis.files.FilesListener;
import live.retwis.log.ConfirmedWrites;
import live.retwis.log.LogEntry;
import live.retwis.log.LogListener;
import live.retwis.redis.Availability;
import live.retwis.redis.CacheLoads;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.web.FragmentTemplate;
import live.retwis.web.Templates;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Repository;

/**
 * Posts: {@code post:{id}}, with their markup in a bounded local cache. A post does not
 * change, so only its deletion, or that of its author's account, told by the log, takes
 * it out again; that also discards a load in flight.
 */
@Repository
public class PostRepository implements LogListener, FilesListener {

	private static final LuaScript CREATE = LuaScript.named("create-post");

	private static final LuaScript DELETE = LuaScript.named("delete-post");

	private static final LuaScript FORGET = LuaScript.named("forget-post");

	/** For so long a deleted post is known as such to whatever was under way. */
	private static final Duration REMEMBERED = Duration.ofDays(1);

	private static final String[] FIELDS = { "author", "username", "created", "body", "reply_to", "reply_username",
			"deleted" };

	/** Bytes of markup and characters of text in the cache; a post has about 1,000. */
	private static final int CACHED = 64_000_000;

	/** Of a post of which it is known only that it is deleted. */
	private static final int PLACE = 200;

	/** Posts read beyond a page, in case some on it are deleted. */
	private static final int SPARE = 5;

	private final DataNode data;

	private final ConfirmedWrites confirmed;

	private final ClosedAccounts closed;

	private final UnreadablePosts unreadable;

	private final FragmentTemplate article;

	private final AsyncLoadingCache<String, Optional<RenderedPost>> posts = Caffeine.newBuilder()
		.maximumWeight(CACHED)
		.weigher((String id, Optional<RenderedPost> post) -> post.map(PostRepository::weight).orElse(0) + PLACE)
		.buildAsync((id, executor) -> read(id).toFuture());

	PostRepository(DataNode data, ConfirmedWrites confirmed, ClosedAccounts closed, UnreadablePosts unreadable,
			Templates templates) {
		this.data = data;
		this.confirmed = confirmed;
		this.closed = closed;
		this.unreadable = unreadable;
		this.article = templates.fragment("partials/post");
	}

	/**
	 * {@code create-post.lua}: stores a post that nothing leads to yet.
	 * @return false when the id is another post's
	 */
	Mono<Boolean> create(Post post) {
		List<String> fields = new ArrayList<>(List.of("author", post.authorId(), "created",
				Long.toString(post.created()), "body", post.body(), "username", post.author()));
		if (post.replyTo() != null && post.replyAuthor() != null) {
			fields.addAll(List.of("reply_to", post.replyTo(), "reply_username", post.replyAuthor()));
		}
		return this.confirmed.run(CREATE, List.of(Keys.post(post.id())), fields.toArray(String[]::new))
			.map((answer) -> answer.get(0).equals("1"));
	}

	/** DEL of a post that nothing leads to. */
	Mono<Void> discard(String postId) {
		return this.data.call((c) -> c.del(Keys.post(postId))).then();
	}

	/**
	 * {@code delete-post.lua}: marks it and forgets its text and all names.
	 * @param mark of the wish, so that its repetition is known from another one
	 */
	Mono<Deletion> delete(String postId, String userId, String mark) {
		return this.data.run(DELETE, List.of(Keys.post(postId)), userId, mark)
			.map((answer) -> Deletion.valueOf(answer.get(0).toUpperCase(java.util.Locale.ROOT)))
			.doOnNext((deletion) -> this.posts.synchronous().invalidate(postId));
	}

	/**
	 * {@code forget-post.lua}, and EXPIRE of its list of replies: nothing of a deleted
	 * post stays for ever.
	 */
	public Mono<Void> forget(String postId) {
		return Mono.when(this.data.run(FORGET, List.of(Keys.post(postId)), Long.toString(REMEMBERED.toSeconds())),
				this.data.call((c) -> c.expire(Keys.replies(postId), REMEMBERED)));
	}

	/** HGET reply_to: what a post replied to, also when it is deleted. */
	public Mono<String> repliedTo(String postId) {
		return this.data.call((c) -> c.hget(Keys.post(postId), "reply_to"));
	}

	/** HMGET: whether it is there and not deleted, as of now. */
	public Mono<Boolean> isThere(String postId) {
		return this.data.call((c) -> c.hmget(Keys.post(postId), "author", "deleted"))
			.map((row) -> row.get(0).hasValue() && !row.get(1).hasValue());
	}

	/**
	 * HMGET {@code post:{id}} unless known; a deleted post is not there, and neither is
	 * one that makes no sense.
	 */
	public Mono<RenderedPost> find(String postId) {
		return Mono.fromFuture(() -> this.posts.get(postId), true).flatMap(Mono::justOrEmpty).filter(this::isShown);
	}

	/**
	 * The same for work that must not be skipped: fails for a post that makes no sense.
	 */
	public Mono<RenderedPost> require(String postId) {
		return find(postId).switchIfEmpty(Mono.defer(() -> this.unreadable.failure(postId)));
	}

	/**
	 * Posts in the order of their ids, those that are not there left out; unknown ones
	 * are read in one round trip.
	 */
	public Mono<List<RenderedPost>> findAll(List<String> postIds) {
		return CacheLoads.all(this.posts, postIds)
			.map((found) -> found.stream().flatMap(Optional::stream).filter(this::isShown).toList());
	}

	/** How many places of a list to read for a page of that many posts. */
	public static int placesFor(int posts) {
		return posts + SPARE;
	}

	/** Empty for a post that never was; that one is deleted is remembered. */
	private Mono<Optional<RenderedPost>> read(String postId) {
		return this.data.call((c) -> c.hmget(Keys.post(postId), FIELDS))
			.filter((row) -> row.get(0).hasValue() && (row.get(3).hasValue() || row.get(6).hasValue()))
			.map((row) -> row.get(6).hasValue() ? Optional.<RenderedPost>empty() : Optional.of(render(postId, row)))
			.onErrorResume((error) -> !Availability.isAway(error),
					(error) -> Mono.fromRunnable(() -> this.unreadable.leftOut(postId, error)));
	}

	/** Not of who has deleted the account, though all of it is there for a while. */
	private boolean isShown(RenderedPost post) {
		return !this.closed.contains(post.post().authorId());
	}

	private static int weight(RenderedPost post) {
		return post.utf8().length + post.post().body().length();
	}

	private RenderedPost render(String postId, List<KeyValue<String, String>> row) {
		Post post = new Post(postId, row.get(0).getValue(), row.get(1).getValue(),
				Long.parseLong(row.get(2).getValue()), row.get(3).getValue(), row.get(4).getValueOrElse(null),
				row.get(5).getValueOrElse(null));
		return new RenderedPost(post, this.article.execute(PostView.of(post)));
	}

	@Override
	public void accept(LogEntry entry) {
		switch (entry.type()) {
			case DELETE -> this.posts.synchronous().invalidate(entry.post());
			case FREED -> this.posts.asMap().values().removeIf((load) -> isBy(entry.user(), load));
			default -> {
			}
		}
	}

	/** What is being loaded may be, and is loaded again. */
	private static boolean isBy(String author, CompletableFuture<Optional<RenderedPost>> load) {
		Optional<RenderedPost> post = load.isCompletedExceptionally() ? null : load.getNow(null);
		return post == null || post.filter((shown) -> shown.post().authorId().equals(author)).isPresent();
	}

	@Override
	public void reset() {
		this.posts.synchronous().invalidateAll();
	}

	@Override
	public void filesChanged() {
		reset();
	}

	/** What became of a wish to delete. */
	enum Deletion {

		/** It is deleted now. */
		DONE,
		/** It was deleted before. */
		BEFORE,
		/** It is another user's. */
		OTHER,
		/** There is no such post. */
		GONE

	}

}
