package live.retwis.bookmark;

import live.retwis.post.PostListRepository;
import live.retwis.redis.Keys;
import live.retwis.removal.RemovalStep;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Removes the user's bookmarks. */
@Component
@Order(RemovalStep.LAST)
class BookmarksRemovalStep implements RemovalStep {

	private final PostListRepository lists;

	BookmarksRemovalStep(PostListRepository lists) {
		this.lists = lists;
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return this.lists.delete(Keys.bookmarks(userId)).thenReturn(true);
	}

}
