package live.retwis.repost;

import java.time.Duration;

import live.retwis.account.DeletedAccountsCache;
import live.retwis.post.PostCleanup;
import live.retwis.post.PostCountType;
import live.retwis.post.PostCountWriter;
import live.retwis.post.PostRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Of a deleted repost, it updates what the original knows of it. */
@Component
class DeletedRepostCleanup implements PostCleanup {

	private final RepostRepository reposts;

	private final PostRepository posts;

	private final PostCountWriter counts;

	private final DeletedAccountsCache closed;

	DeletedRepostCleanup(RepostRepository reposts, PostRepository posts, PostCountWriter counts,
			DeletedAccountsCache closed) {
		this.reposts = reposts;
		this.posts = posts;
		this.counts = counts;
		this.closed = closed;
	}

	@Override
	public Mono<Void> forget(String postId, Duration after) {
		return this.posts.findRepost(postId).flatMap((repost) -> remove(repost, postId));
	}

	/**
	 * A repost stays in the list of a deleted original until it is removed from
	 * everywhere else.
	 */
	private Mono<Void> remove(PostRepository.Repost repost, String repostId) {
		return this.posts.isThere(repost.original())
			.flatMap((there) -> there ? removeAndTell(repost, repostId) : Mono.empty());
	}

	/** Of a user who is gone, the removal of the account tells of all reposts at once. */
	private Mono<Void> removeAndTell(PostRepository.Repost repost, String repostId) {
		String original = repost.original();
		Mono<Long> count = this.reposts.count(original);
		return this.reposts.remove(original, repost.userId(), repostId)
			.then(this.closed.contains(repost.userId()) ? this.counts.store(original, PostCountType.REPOSTS, count)
					: this.counts.tell(original, PostCountType.REPOSTS, count));
	}

}
