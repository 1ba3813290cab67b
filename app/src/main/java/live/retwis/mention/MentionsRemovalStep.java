package live.retwis.mention;

import live.retwis.post.PostListRepository;
import live.retwis.redis.Keys;
import live.retwis.removal.RemovalStep;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Removes the list of posts that mention the user. */
@Component
@Order(RemovalStep.LAST)
class MentionsRemovalStep implements RemovalStep {

	private final PostListRepository lists;

	MentionsRemovalStep(PostListRepository lists) {
		this.lists = lists;
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return this.lists.delete(Keys.mentions(userId)).thenReturn(true);
	}

}
