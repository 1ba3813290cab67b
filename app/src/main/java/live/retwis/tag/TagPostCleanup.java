package live.retwis.tag;

import java.time.Duration;
import java.util.Collection;

import live.retwis.post.PostCleanup;
import live.retwis.post.PostListRepository;
import live.retwis.post.PostRepository;
import live.retwis.redis.Keys;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Removes a deleted post from the lists of its tags. The search no longer finds a tag
 * without posts.
 */
@Component
class TagPostCleanup implements PostCleanup {

	private final PostRepository posts;

	private final PostListRepository lists;

	private final EmptyTagRemover empty;

	TagPostCleanup(PostRepository posts, PostListRepository lists, EmptyTagRemover empty) {
		this.posts = posts;
		this.lists = lists;
		this.empty = empty;
	}

	@Override
	public Mono<Void> forget(String postId, Duration after) {
		return this.posts.findDeleted(postId).flatMap((deleted) -> remove(postId, deleted.tags()));
	}

	Mono<Void> remove(String postId, Collection<String> tags) {
		return Flux.fromIterable(tags)
			.concatMapDelayError((tag) -> this.lists.remove(Keys.tag(tag), postId)
				.then(this.lists.size(Keys.tag(tag)))
				.filter((left) -> left == 0)
				.doOnNext((none) -> this.empty.found(tag)))
			.then();
	}

}
