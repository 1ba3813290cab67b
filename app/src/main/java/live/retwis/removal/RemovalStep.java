package live.retwis.removal;

import reactor.core.publisher.Mono;

/**
 * Clears away one kind of what a user has left who deleted the account. Steps run in the
 * order of their {@link org.springframework.core.annotation.Order}, each until nothing is
 * left of its kind; the user's name and hash go after all of them.
 */
public interface RemovalStep {

	/** Followers, while the posts that were pushed to them are still known. */
	int FOLLOWERS = 1;

	/** Posts. */
	int POSTS = 2;

	/** What can go at any time after these. */
	int REST = 3;

	/**
	 * Clears some of it away: so much that memory and what is under way are bounded. What
	 * others add for the user at the same time, they take out themselves.
	 * @return whether nothing of it was left; known before, nothing happens
	 */
	Mono<Boolean> removeSome(String userId);

}
