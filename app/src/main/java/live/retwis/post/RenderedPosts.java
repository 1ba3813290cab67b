package live.retwis.post;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import live.retwis.account.DeletedAccountsCache;
import live.retwis.account.SuspendedAccountsCache;
import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.OlderPostsAbsence;
import live.retwis.files.FileChangeListener;
import live.retwis.i18n.Message;
import live.retwis.log.CommitLogListener;
import live.retwis.log.LogEntry;
import live.retwis.post.PostRepository.StoredPost;
import live.retwis.redis.BulkCacheReads;
import live.retwis.redis.CommandRecorderContext;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.web.ProblemException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Posts with their markup, as pages show them. A bounded local cache holds them. Only the
 * counts of a post change, and the log tells of them or that they have changed. A post
 * leaves the cache when the log says that the post or its author's account is deleted, or
 * that the author has changed, who may have another picture. This also discards a load
 * that is in progress.
 */
@Component
public class RenderedPosts implements CommitLogListener, FileChangeListener {

	/** Bytes of markup plus characters of text in the cache. A post has about 1,000. */
	private static final int CACHED = 64_000_000;

	/** Weight of a cache entry beside its post, or of a deleted post. */
	private static final int PLACE = 200;

	/** Extra posts read for a page, in case some are deleted, hidden or there twice. */
	private static final int SPARE = 10;

	private final PostRepository repository;

	private final DeletedAccountsCache closed;

	private final SuspendedAccountsCache suspended;

	private final CorruptPostReporter unreadable;

	private final ArticleRenderer articles;

	/**
	 * A page asks for thirty posts. So the thread that asks also keeps the cache in
	 * order: to wake another thread for that costs a page more.
	 */
	private final AsyncCache<String, CachedPost> posts = Caffeine.newBuilder()
		.executor(Runnable::run)
		.maximumWeight(CACHED)
		.weigher((String id, CachedPost post) -> post.weight() + PLACE)
		.buildAsync();

	RenderedPosts(PostRepository repository, DeletedAccountsCache closed, SuspendedAccountsCache suspended,
			CorruptPostReporter unreadable, ArticleRenderer articles) {
		this.repository = repository;
		this.closed = closed;
		this.suspended = suspended;
		this.unreadable = unreadable;
		this.articles = articles;
	}

	/**
	 * HMGET {@code post:{id}}, unless the post is in the cache: the id of the post that
	 * this post replies to, even if this post is deleted.
	 */
	Mono<String> repliedTo(String postId) {
		return cached(postId).flatMap((post) -> Mono.justOrEmpty(post.replyTo()));
	}

	/**
	 * HMGET {@code post:{id}}, unless the post is in the cache. In place of a repost it
	 * is the post that it shows. Empty when the post does not exist, is deleted, or is
	 * unreadable.
	 */
	public Mono<RenderedPost> find(String postId) {
		return stored(postId).flatMap((found) -> {
			String original = found.post().repostOf();
			return (original == null) ? Mono.just(found)
					: stored(original).map((post) -> post.repostedBy(found, List.of()));
		});
	}

	/**
	 * The same for an id from an address: fails with 404 when there is no such post, or
	 * when the text is no id.
	 */
	public Mono<RenderedPost> findOrFail(String postId) {
		return Mono.just(postId)
			.filter(TimeSortedIdGenerator::isValid)
			.flatMap(this::find)
			.switchIfEmpty(ProblemException.notFound(Message.of("post.missing-or-deleted")));
	}

	private Mono<RenderedPost> stored(String postId) {
		return kept(postId).filter(this::isShown);
	}

	private Mono<RenderedPost> kept(String postId) {
		return cached(postId).flatMap((post) -> Mono.justOrEmpty(post.shown()))
			.filter((post) -> !this.closed.contains(post.post().authorId()));
	}

	/**
	 * Whether there is a post with this id, whether it is shown or not. A post that only
	 * the archive may have while it is away counts as there.
	 */
	Mono<Boolean> isKept(String postId) {
		return kept(postId).hasElement().onErrorReturn(ArchiveAwayException.class, true);
	}

	private Mono<CachedPost> cached(String postId) {
		return CommandRecorderContext
			.using(() -> cached(postId, this.repository::read), this.repository::<CachedPost>withinPageTime)
			.flatMap((post) -> (post.away() == null) ? Mono.just(post) : Mono.error(post.away().error()));
	}

	/**
	 * The post itself, also when it is a repost, and when its author is suspended. For
	 * work that must not be skipped: fails when the post is unreadable. If the cache has
	 * it as deleted, it is read again, because a fail-over may have lost the deletion.
	 */
	public Mono<Post> require(String postId) {
		return keptOrReadAgain(postId).switchIfEmpty(Mono.defer(() -> this.unreadable.failure(postId)));
	}

	/**
	 * The author of a post, who may be suspended; empty when the post is deleted. For
	 * work that must not be skipped, see {@link #require}. Fails with
	 * {@link ArchiveAwayException} when only the archive has the post, which is away.
	 */
	public Mono<String> authorOf(String postId) {
		return keptOrReadAgain(postId).map(Post::authorId);
	}

	private Mono<Post> keptOrReadAgain(String postId) {
		Mono<Post> post = kept(postId).map(RenderedPost::post);
		return post.switchIfEmpty(Mono.defer(() -> {
			readAgain(postId);
			return post;
		}));
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
		return find(postIds, hidden, false).map(PostListSlice::posts);
	}

	/**
	 * The same as a part of a list.
	 * @param complete whether the part ends before a post that only the archive has,
	 * which is away; else that post is left out. If the first one is such a post, this
	 * fails with {@link ArchiveAwayException}
	 */
	public Mono<PostListSlice> find(List<String> postIds, HiddenAuthors hidden, boolean complete) {
		return Mono.defer(() -> {
			List<RenderedPost> known = known(postIds, hidden);
			return (known != null) ? Mono.just(new PostListSlice(postIds, known, null))
					: loadAll(postIds, hidden, complete);
		});
	}

	/**
	 * Posts and reposts themselves: a repost is not replaced by the post that it shows.
	 * Fails with {@link ArchiveAwayException} when only the archive has one of them, and
	 * it is away.
	 */
	public Mono<List<RenderedPost>> findUnreplaced(List<String> postIds) {
		return cachedAll(postIds).map((found) -> {
			found.stream().flatMap((post) -> Stream.ofNullable(post.away())).findFirst().ifPresent((away) -> {
				throw away.error();
			});
			return shown(found, HiddenAuthors.NOBODY);
		});
	}

	/** The same when everything is in the cache, as for most pages; else null. */
	private @Nullable List<RenderedPost> known(List<String> postIds, HiddenAuthors hidden) {
		List<CachedPost> found = BulkCacheReads.known(this.posts, postIds);
		if (found == null || isAnyAway(found)) {
			return null;
		}
		List<RenderedPost> listed = shown(found, hidden);
		List<String> originals = originals(listed);
		if (originals.isEmpty()) {
			return listed;
		}
		List<CachedPost> reposted = BulkCacheReads.known(this.posts, originals);
		return (reposted != null && !isAnyAway(reposted)) ? RenderedPost.each(listed, shown(reposted, hidden)) : null;
	}

	private static boolean isAnyAway(List<CachedPost> posts) {
		for (CachedPost post : posts) {
			if (post.away() != null) {
				return true;
			}
		}
		return false;
	}

	private Mono<PostListSlice> loadAll(List<String> postIds, HiddenAuthors hidden, boolean complete) {
		return cachedAll(postIds).flatMap((found) -> {
			List<RenderedPost> listed = shown(found, hidden);
			List<String> originals = originals(listed);
			return (originals.isEmpty() ? Mono.just(List.<CachedPost>of()) : cachedAll(originals))
				.flatMap((reposted) -> {
					List<Away> away = Stream.of(found, reposted)
						.flatMap(List::stream)
						.flatMap((post) -> Stream.ofNullable(post.away()))
						.toList();
					List<RenderedPost> shown = shown(reposted, hidden);
					return (complete || away.isEmpty()) ? Mono.just(slice(postIds, listed, shown, away))
							: OlderPostsAbsence.without(slice(postIds, listed, shown, List.of()));
				});
		});
	}

	private Mono<List<CachedPost>> cachedAll(List<String> postIds) {
		PostRepository.Batch batch = this.repository.batch();
		return this.repository.withinPageTime(BulkCacheReads.all(() -> {
			try {
				return postIds.stream().map((postId) -> cached(postId, batch::read)).toList();
			}
			finally {
				batch.complete();
			}
		}))
			.delayUntil((posts) -> batch.tellPage())
			.onErrorResume(ArchiveAwayException.class, (late) -> Mono.just(loaded(postIds, late)));
	}

	/** Posts that are in the cache. The others are away. */
	private List<CachedPost> loaded(List<String> postIds, ArchiveAwayException late) {
		return postIds.stream().map((postId) -> {
			CompletableFuture<CachedPost> load = this.posts.getIfPresent(postId);
			CachedPost post = (load == null || load.isCompletedExceptionally()) ? null : load.getNow(null);
			return (post != null) ? post : new CachedPost(null, null, new Away(postId, late));
		}).toList();
	}

	/**
	 * The posts of a list, up to the first one that is away, or that shows one.
	 * @param listed posts and reposts
	 * @param reposted the posts that are reposted
	 */
	private static PostListSlice slice(List<String> postIds, List<RenderedPost> listed, List<RenderedPost> reposted,
			List<Away> away) {
		if (away.isEmpty()) {
			return new PostListSlice(postIds, RenderedPost.each(listed, reposted), null);
		}
		Set<String> missing = away.stream().map(Away::postId).collect(Collectors.toSet());
		listed.stream()
			.map(RenderedPost::post)
			.filter((post) -> post.repostOf() != null && missing.contains(post.repostOf()))
			.toList()
			.forEach((repost) -> missing.add(repost.id()));
		List<String> before = postIds.stream().takeWhile((id) -> !missing.contains(id)).toList();
		if (before.isEmpty()) {
			throw away.get(0).error();
		}
		Set<String> there = Set.copyOf(before);
		return new PostListSlice(before, RenderedPost
			.each(listed.stream().filter((post) -> there.contains(post.post().id())).toList(), reposted),
				away.get(0).error());
	}

	private static List<String> originals(List<RenderedPost> posts) {
		List<String> originals = new ArrayList<>();
		for (RenderedPost post : posts) {
			String original = post.post().repostOf();
			if (original != null) {
				originals.add(original);
			}
		}
		return originals;
	}

	private List<RenderedPost> shown(List<CachedPost> found, HiddenAuthors hidden) {
		List<RenderedPost> all = new ArrayList<>(found.size());
		for (CachedPost post : found) {
			RenderedPost shown = post.shown();
			if (shown != null && isShown(shown) && !shown.isHidden(hidden)) {
				all.add(shown);
			}
		}
		return all;
	}

	/** How many ids of a list to read for a page of this many posts. */
	public static int placesFor(int posts) {
		return posts + SPARE;
	}

	/**
	 * A post from the cache, or else it is read. The load may take longer than the page
	 * that began it waits, because others may wait for it. That the archive is away is
	 * for those alone who have asked by then.
	 */
	private CompletableFuture<CachedPost> cached(String postId, Function<String, Mono<StoredPost>> reading) {
		return this.posts.get(postId,
				(id, executor) -> forgetIfAway(id, CommandRecorderContext.toFuture(read(id, reading.apply(id)))));
	}

	/** A load may end while the cache begins it, so another thread removes it. */
	private CompletableFuture<CachedPost> forgetIfAway(String postId, CompletableFuture<CachedPost> load) {
		load.thenAccept((post) -> {
			if (post != null && post.away() != null) {
				ForkJoinPool.commonPool().execute(() -> this.posts.asMap().remove(postId, load));
			}
		});
		return load;
	}

	/**
	 * Reads a post. The result is empty for a post that never existed. The cache
	 * remembers that a post is deleted.
	 */
	private Mono<CachedPost> read(String postId, Mono<StoredPost> stored) {
		return stored
			.flatMap((found) -> (found.post() == null) ? Mono.just(CachedPost.of(null, found.replyTo()))
					: this.articles.render(found.post(), found.counts())
						.map((post) -> CachedPost.of(post, found.replyTo())))
			.onErrorResume(ArchiveAwayException.class,
					(error) -> Mono.just(new CachedPost(null, null, new Away(postId, error))))
			.onErrorResume((error) -> !RedisErrorClassifier.isAway(error),
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

	/** The next reader does not get the post from the cache. */
	void readAgain(String postId) {
		this.posts.synchronous().invalidate(postId);
	}

	@Override
	public void accept(LogEntry entry) {
		switch (entry.type()) {
			case DELETE -> readAgain(entry.post());
			case COUNTS -> counted(entry);
			case RECOUNTED -> this.posts.synchronous().invalidateAll(entry.recounted());
			case PROFILE -> this.posts.asMap().values().removeIf((load) -> names(entry.user(), "", load));
			// Texts mention the user again, and nothing tells which.
			case RESTORED -> reset();
			case FREED -> this.posts.asMap().values().removeIf((load) -> names(entry.user(), entry.facts(), load));
			default -> {
			}
		}
	}

	/**
	 * Renders a post in the cache with its new counts. A load that is in progress may not
	 * have read them, so it gets them when it ends. That is on another thread, because
	 * this one holds the entry.
	 */
	private void counted(LogEntry entry) {
		this.posts.asMap().computeIfPresent(entry.post(), (id, load) -> {
			Function<CachedPost, CachedPost> counted = (found) -> counted(found, EngagementCounts.of(entry.facts()));
			return forgetIfAway(id, load.isDone() ? load.thenApply(counted) : load.thenApplyAsync(counted));
		});
	}

	/** A load ends with null when there is no such post. */
	private @Nullable CachedPost counted(@Nullable CachedPost found, EngagementCounts counts) {
		return (found != null && found.shown() != null)
				? CachedPost.of(this.articles.render(found.shown(), counts), found.replyTo()) : found;
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
	 * @param away why the post could not be read; null when it was
	 */
	private record CachedPost(@Nullable RenderedPost shown, @Nullable String replyTo, @Nullable Away away) {

		static CachedPost of(@Nullable RenderedPost shown, @Nullable String replyTo) {
			return new CachedPost(shown, replyTo, null);
		}

		int weight() {
			return (this.shown != null) ? this.shown.utf8().length + this.shown.post().body().length() : 0;
		}

	}

	/** A post that only the archive may have, which is away. */
	private record Away(String postId, ArchiveAwayException error) {
	}

}
