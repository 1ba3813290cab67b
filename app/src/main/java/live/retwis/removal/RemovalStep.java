package live.retwis.removal;

import reactor.core.publisher.Mono;

/**
 * Removes one kind of data of a user who has deleted the account. Steps run in the order
 * of their {@link org.springframework.core.annotation.Order}, each until nothing of its
 * kind is left. The user's name and hash are removed after all steps.
 */
public interface RemovalStep {

	/**
	 * Order of the step that removes followers. It comes first because it has to know the
	 * posts that were pushed to them.
	 */
	int FOLLOWERS = 1;

	/** Order of the step that removes posts. */
	int POSTS = 2;

	/** Order of steps that can run at any time after the others. */
	int LAST = 3;

	/**
	 * Order of a step that goes through data of all users in one part. It comes after the
	 * steps of many parts, because each part begins with the first step.
	 */
	int ONCE = 4;

	/**
	 * Removes a part of the data, small enough to bound memory and concurrent commands.
	 * If other code adds data of the user at the same time, that code removes it itself.
	 * @return whether nothing was left to remove
	 */
	Mono<Boolean> removeSome(String userId);

}
