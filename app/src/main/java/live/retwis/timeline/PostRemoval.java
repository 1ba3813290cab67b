package live.retwis.timeline;

import java.util.List;

import live.retwis.post.PostRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Takes a deleted post out of every list but that of replies and the home timelines of
 * its author's followers.
 */
@Component
public class PostRemoval {

	private final TimelineRepository timelines;

	private final HomeTimelines homes;

	private final PostRepository posts;

	PostRemoval(TimelineRepository timelines, HomeTimelines homes, PostRepository posts) {
		this.timelines = timelines;
		this.homes = homes;
		this.posts = posts;
	}

	/**
	 * Removes the post from the author's own list almost last: while it is there, this
	 * has to be repeated. Only the author's home timeline, which is made from that list,
	 * comes later.
	 * @return whether readers pulled the post
	 */
	public Mono<Boolean> remove(String authorId, String postId) {
		return this.timelines.removeFromPublic(postId)
			.then(this.timelines.removeFromPulledOf(authorId, postId))
			.flatMap((pulled) -> this.posts.forget(postId)
				.then(this.timelines.removeFromPostsOf(authorId, postId))
				.then(this.homes.remove(authorId, List.of(postId)))
				.thenReturn(pulled));
	}

}
