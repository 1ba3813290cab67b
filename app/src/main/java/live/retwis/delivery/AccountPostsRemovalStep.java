package live.retwis.delivery;

import live.retwis.redis.Cursor;
import live.retwis.removal.RemovalStep;
import live.retwis.timeline.AuthorPostListReader;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Erases the user's posts, first those in Redis, then those in the archive. */
@Component
@Order(RemovalStep.POSTS)
class AccountPostsRemovalStep implements RemovalStep {

	/** Posts processed at once. */
	private static final int PAGE = 500;

	private final AuthorPostListReader authorPosts;

	private final AccountPostEraser eraser;

	private final DeletedAccountArchiveEraser archived;

	AccountPostsRemovalStep(AuthorPostListReader authorPosts, AccountPostEraser eraser,
			DeletedAccountArchiveEraser archived) {
		this.authorPosts = authorPosts;
		this.eraser = eraser;
		this.archived = archived;
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return this.authorPosts.earliestInRedis(userId, Cursor.START, PAGE)
			.flatMap((page) -> page.isEmpty() ? this.archived.removeSome(userId)
					: this.eraser.eraseOrPostpone(userId, page.stream().map(Cursor::member).toList())
						.thenReturn(false));
	}

}
