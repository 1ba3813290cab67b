package live.retwis.importing;

import java.util.OptionalLong;

import live.retwis.block.BlockedException;
import live.retwis.follow.FollowLimitException;
import live.retwis.follow.FollowWriter;
import live.retwis.importing.ImportCounts.Kind;
import live.retwis.redis.DataClock;
import reactor.core.publisher.Flux;

import org.springframework.stereotype.Component;

/**
 * Imports the follows: the followers of each user, the earliest first, because lists of
 * followers are divided by time.
 */
@Component
class FollowImport {

	/** Users whose followers are imported concurrently. */
	private static final int USERS = 16;

	/**
	 * Followers of one user imported concurrently. Few, so that they come nearly in their
	 * order.
	 */
	private static final int FOLLOWERS = 4;

	private final FollowWriter follows;

	private final DataClock clock;

	FollowImport(FollowWriter follows, DataClock clock) {
		this.follows = follows;
		this.clock = clock;
	}

	/**
	 * Imports all follows.
	 * @return lines that report it
	 */
	Flux<String> run(RetwisLayout layout, ImportedUserIndex users, ImportCounts counts) {
		return users.imported()
			.flatMap((number) -> layout.followers(number)
				.flatMap((follow) -> add(follow, number, users, counts), FOLLOWERS), USERS);
	}

	private Flux<String> add(RetwisFollow follow, long followed, ImportedUserIndex users, ImportCounts counts) {
		String label = "user " + RetwisText.printable(follow.follower()) + " follows user " + followed;
		OptionalLong follower = RetwisNumber.parse(follow.follower());
		if (follower.isEmpty() || !users.contains(follower.getAsLong())) {
			return counts.skipped(Kind.FOLLOW, label + ", but is no user here");
		}
		if (follower.getAsLong() == followed) {
			return counts.skipped(Kind.FOLLOW, label + ", the same user");
		}
		return this.clock.millis()
			.flatMap((now) -> this.follows.followSilently(ImportedUserIndex.idOf(follower.getAsLong()),
					ImportedUserIndex.idOf(followed), RetwisTime.millis(follow.time(), now).orElse(now)))
			.thenMany(counts.done(Kind.FOLLOW))
			.onErrorResume(BlockedException.class,
					(blocked) -> counts.skipped(Kind.FOLLOW, label + ", but one of them has blocked the other here"))
			.onErrorResume(FollowLimitException.class,
					(full) -> counts.skipped(Kind.FOLLOW, label + ", but follows as many as a user may follow here"));
	}

}
