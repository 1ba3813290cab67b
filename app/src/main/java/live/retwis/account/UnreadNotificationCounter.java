package live.retwis.account;

import java.util.concurrent.CompletableFuture;

/** Counts what a user has not read, for the badge on every page. */
public interface UnreadNotificationCounter {

	/**
	 * How many notifications the user has not read, by one command that is sent at once.
	 */
	CompletableFuture<Long> count(String userId);

}
