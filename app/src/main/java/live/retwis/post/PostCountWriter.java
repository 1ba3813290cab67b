package live.retwis.post;

import java.util.Collection;
import java.util.Optional;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.ArchivedCountsListener;
import live.retwis.archive.ArchivedPost;
import live.retwis.archive.PostArchive;
import live.retwis.log.CommitLog;
import live.retwis.post.PostRepository.Counted;
import live.retwis.redis.ConvergingWrite;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Stores the counts of a post with the post, and logs them for the open pages. */
@Component
public class PostCountWriter implements ArchivedCountsListener {

	private final PostRepository posts;

	private final CommitLog log;

	private final PostArchive archive;

	PostCountWriter(PostRepository posts, CommitLog log, PostArchive archive) {
		this.posts = posts;
		this.log = log;
		this.archive = archive;
	}

	/**
	 * Stores one count of a post, and logs all its counts. Does nothing if the post is
	 * deleted. Several workers may do this at the same time, and their log entries may be
	 * in another order than their writes. So each worker reads the count again after its
	 * entry, and writes another entry if the counts have changed. The last entry is
	 * always right.
	 * @param current reads the count
	 */
	public Mono<Void> tell(String postId, PostCountType what, Mono<Long> current) {
		return tell(postId, orLater(postId, current).flatMap((count) -> this.posts.setCount(postId, what, count)),
				Optional.empty())
			.then();
	}

	@Override
	public Mono<Boolean> counted(String postId, Mono<ArchivedPost> post) {
		return tell(postId, post.map(Counted::of), Optional.empty());
	}

	/**
	 * Stores one count of a post, and does not log it. After a bulk change, call
	 * {@link #tellOfMany} once.
	 * @param current reads the count
	 */
	public Mono<Void> store(String postId, PostCountType what, Mono<Long> current) {
		return ConvergingWrite.of(orLater(postId, current), (count) -> this.posts.setCount(postId, what, count).then());
	}

	/** While the archive is away, what it has of a list cannot be counted. */
	private Mono<Long> orLater(String postId, Mono<Long> current) {
		return current.onErrorResume(ArchiveAwayException.class,
				(away) -> this.archive.countLater(postId).then(Mono.empty()));
	}

	/**
	 * Logs once that counts of these posts have changed. Instances read the posts again
	 * when somebody wants to see them. Open pages are not told.
	 * @param userId whose account is deleted, so that the counts changed
	 */
	public Mono<Void> tellOfMany(String userId, Collection<String> postIds) {
		return this.log.recounted(userId, postIds).then();
	}

	/** Whether the log has taken all entries. */
	private Mono<Boolean> tell(String postId, Mono<Counted> current, Optional<EngagementCounts> told) {
		return current.filter((counted) -> told.filter(counted.counts()::equals).isEmpty())
			.flatMap((counted) -> this.log.counted(postId, counted.authorId(), counted.counts().facts(postId))
				.hasElement()
				.flatMap((taken) -> tell(postId, current, Optional.of(counted.counts()))
					.map((others) -> taken && others)))
			.defaultIfEmpty(true);
	}

}
