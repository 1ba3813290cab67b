package live.retwis.repost;

import java.time.Duration;

import live.retwis.post.PostCleanup;
import live.retwis.post.PostCount;
import live.retwis.post.PostCountUpdates;
import live.retwis.post.PostRepository;
import live.retwis.post.PostDeletion;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Deletes the reposts of a deleted post. Of a deleted repost, it updates what the
 * original knows of it.
 */
@Component
class RepostsCleanup implements PostCleanup {

	private static final int CONCURRENCY = 16;

	private final RepostRepository reposts;

	private final PostRepository posts;

	private final PostDeletion deletion;

	private final PostCountUpdates counts;

	RepostsCleanup(RepostRepository reposts, PostRepository posts, PostDeletion deletion, PostCountUpdates counts) {
		this.reposts = reposts;
		this.posts = posts;
		this.deletion = deletion;
		this.counts = counts;
	}

	@Override
	public Mono<Void> forget(String postId, Duration after) {
		Mono<Void> deleteReposts = this.reposts.all(postId)
			.flatMap((repost) -> this.deletion.withdraw(repost.getValue(), repost.getKey()), CONCURRENCY)
			.then(this.reposts.forget(postId, after));
		return this.posts.findRepost(postId).flatMap((repost) -> remove(repost, postId)).then(deleteReposts);
	}

	private Mono<Void> remove(PostRepository.Repost repost, String repostId) {
		String original = repost.original();
		return this.reposts.remove(original, repost.userId(), repostId)
			.then(this.counts.tell(original, PostCount.REPOSTS, this.reposts.count(original)));
	}

}
