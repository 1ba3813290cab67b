package live.retwis.repost;

import java.time.Duration;

import live.retwis.account.DeletedAccountsCache;
import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.PostArchive;
import live.retwis.post.PostCleanup;
import live.retwis.post.PostCountType;
import live.retwis.post.PostCountWriter;
import live.retwis.post.PostDeletion;
import live.retwis.post.PostRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Deletes the reposts of a deleted post. Of a deleted repost, it updates what the
 * original knows of it.
 */
@Component
class RepostPostCleanup implements PostCleanup {

	private static final int CONCURRENCY = 16;

	private final RepostRepository reposts;

	private final PostRepository posts;

	private final PostDeletion deletion;

	private final PostCountWriter counts;

	private final DeletedAccountsCache closed;

	private final PostArchive archive;

	RepostPostCleanup(RepostRepository reposts, PostRepository posts, PostDeletion deletion, PostCountWriter counts,
			DeletedAccountsCache closed, PostArchive archive) {
		this.reposts = reposts;
		this.posts = posts;
		this.deletion = deletion;
		this.counts = counts;
		this.closed = closed;
		this.archive = archive;
	}

	@Override
	public Mono<Void> forget(String postId, Duration after) {
		Mono<Void> deleteReposts = this.reposts.all(postId)
			.flatMap(
					(repost) -> this.deletion.withdraw(repost.getValue(), repost.getKey())
						.onErrorResume(ArchiveAwayException.class, (away) -> this.archive.deleted(repost.getValue())),
					CONCURRENCY)
			.then(this.reposts.forget(postId, after));
		return this.posts.findRepost(postId).flatMap((repost) -> remove(repost, postId)).then(deleteReposts);
	}

	/** Of a user who is gone, the removal of the account tells of all reposts at once. */
	private Mono<Void> remove(PostRepository.Repost repost, String repostId) {
		String original = repost.original();
		Mono<Long> count = this.reposts.count(original);
		return this.reposts.remove(original, repost.userId(), repostId)
			.then(this.closed.contains(repost.userId()) ? this.counts.store(original, PostCountType.REPOSTS, count)
					: this.counts.tell(original, PostCountType.REPOSTS, count));
	}

}
