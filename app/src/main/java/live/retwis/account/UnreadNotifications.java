package live.retwis.account;

import reactor.core.publisher.Mono;

/** Counts what a user has not read, for the badge on every page. */
public interface UnreadNotifications {

	/** How many notifications the user has not read, by one command. */
	Mono<Long> count(String userId);

}
