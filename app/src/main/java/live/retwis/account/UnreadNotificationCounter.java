package live.retwis.account;

import java.util.concurrent.CompletableFuture;

/** Counts what a user has not read, for the badge on every page. */
public interface UnreadNotificationCounter {

	/**
	 * How many notifications the user has not read. If that is not known, one command for
	 * it is sent at once. What another instance has changed may be missing for a second.
	 */
	CompletableFuture<Long> count(String userId);

}
