package live.retwis.post;

import live.retwis.redis.Position;
import reactor.core.publisher.Mono;

/**
 * Is told of a post right after its commit, before its author gets an answer: what the
 * author looks at next shows it already.
 */
public interface CommitListener {

	/** Done when the author's own lists have the post. */
	Mono<Void> committed(Post post, Position position);

}
