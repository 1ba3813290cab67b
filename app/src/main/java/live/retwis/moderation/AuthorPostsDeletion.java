package live.retwis.moderation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.ArchivedPostRepository;
import live.retwis.archive.PostArchive;
import live.retwis.post.PostDeletion;
import live.retwis.post.PostListRepository;
import live.retwis.post.PostRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Deletes all posts of an author, the newest first: those in Redis, then those in the
 * archive. A post that moves meanwhile is in one of them.
 */
@Component
class AuthorPostsDeletion {

	/** Places that are read at once. */
	private static final int PAGE = 500;

	private static final int CONCURRENCY = 8;

	/**
	 * Between two archived posts. An author may have any number of them, and each
	 * deletion has an entry in the log, which the workers must keep up with.
	 */
	private static final Duration PAUSE = Duration.ofMillis(20);

	/** Before all places of a list that begins with its newest post. */
	private static final Cursor NEWEST = new Cursor(Long.MAX_VALUE, "");

	private final PostListRepository lists;

	private final PostArchive archive;

	private final ArchivedPostRepository archivedPosts;

	private final PostDeletion deletion;

	AuthorPostsDeletion(PostListRepository lists, PostArchive archive, ArchivedPostRepository archivedPosts,
			PostDeletion deletion) {
		this.lists = lists;
		this.archive = archive;
		this.archivedPosts = archivedPosts;
		this.deletion = deletion;
	}

	/**
	 * Deletes them. Fails with {@link ArchiveAwayException}; then those in Redis are
	 * deleted.
	 * @return how many were deleted
	 */
	Mono<Long> delete(String userId) {
		return Flux.concat(inRedis(userId), archived(userId).delayElements(PAUSE))
			.map(Cursor::member)
			.filter(TimeSortedIdGenerator::isValid)
			.flatMap((postId) -> this.deletion.delete(postId, userId), CONCURRENCY)
			.filter(Predicate.isEqual(PostRepository.Deletion.DONE))
			.count();
	}

	/** The list of an author with archived posts also has marks, which are no ids. */
	private Flux<Cursor> inRedis(String userId) {
		return all((before) -> this.lists.newest(Keys.postsOf(userId), Optional.of(before), PAGE));
	}

	private Flux<Cursor> archived(String userId) {
		return this.archive.isUsed() ? all((before) -> this.archivedPosts.latest(userId, before, PAGE)) : this.archive
			.isUnnamed()
			.filter(Boolean::booleanValue)
			.flatMapMany(
					(unnamed) -> Flux.error(new ArchiveAwayException("Set retwis.archive.url as on the instances")));
	}

	/**
	 * A deleted post leaves its list when the workers of the site come to it. So each
	 * page begins where the one before ended.
	 */
	private static Flux<Cursor> all(Function<Cursor, Mono<List<Cursor>>> pageBefore) {
		return pageBefore.apply(NEWEST)
			.expand((page) -> (page.size() < PAGE) ? Mono.empty() : pageBefore.apply(page.get(PAGE - 1)))
			.flatMapIterable(Function.identity(), 1);
	}

}
