package live.retwis.mention;

import java.time.Duration;

import live.retwis.post.DeletedPostReaders;
import live.retwis.post.PostCleanup;
import live.retwis.post.PostListRepository;
import live.retwis.post.PostRepository;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Removes a deleted post from the lists of the users whom it mentioned, and of the user
 * to whom it replied.
 */
@Component
class MentionPostCleanup implements PostCleanup {

	private final PostRepository posts;

	private final DeletedPostReaders readers;

	private final PostListRepository lists;

	MentionPostCleanup(PostRepository posts, DeletedPostReaders readers, PostListRepository lists) {
		this.posts = posts;
		this.readers = readers;
		this.lists = lists;
	}

	@Override
	public Mono<Void> forget(String postId, Duration after) {
		return this.posts.findDeleted(postId)
			.flatMapMany(this.readers::of)
			.distinct()
			.concatMapDelayError((userId) -> this.lists.remove(Keys.mentions(userId), postId))
			.then();
	}

}
