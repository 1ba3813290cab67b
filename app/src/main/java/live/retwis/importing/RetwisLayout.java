package live.retwis.importing;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One of the two ways in which the PHP Retwis has stored its data. What cannot be read is
 * left empty: whoever uses it says what is missing.
 */
interface RetwisLayout {

	/**
	 * Posts or users that are read at the same time. Few, because each may have many
	 * megabytes.
	 */
	int READ_AT_ONCE = 4;

	/** The year from which on it was used. */
	int year();

	/** The last numbers that were given by now. */
	Mono<HighestSourceNumbers> given();

	/** Numbers of all users, in no order, some of them more than once. */
	Flux<Long> users();

	/** The user with this number. */
	Mono<RetwisUser> user(long number);

	/**
	 * Numbers of all who have a list of followers or of whom they follow, in no order,
	 * some of them more than once. Not all of them are users.
	 */
	Flux<Long> followLists();

	/**
	 * The list of somebody's followers, the earliest first where the times are known.
	 */
	Flux<RetwisFollow> followers(long number);

	/** The list of whom somebody follows. */
	Flux<RetwisFollow> following(long number);

	/** Whether the followed user's list of followers has it. */
	Mono<Boolean> isListedAsFollower(RetwisFollow follow);

	/** All posts, in no order, some of them more than once. */
	Flux<RetwisPost> posts();

}
