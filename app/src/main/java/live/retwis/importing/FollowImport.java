package live.retwis.importing;

import java.util.OptionalLong;

import live.retwis.block.BlockedException;
import live.retwis.follow.FollowLimitException;
import live.retwis.follow.FollowRepository;
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

	private final FollowWriter writer;

	private final FollowRepository follows;

	private final DataClock clock;

	private final ImportMarkRepository marks;

	FollowImport(FollowWriter writer, FollowRepository follows, DataClock clock, ImportMarkRepository marks) {
		this.writer = writer;
		this.follows = follows;
		this.clock = clock;
		this.marks = marks;
	}

	/**
	 * Imports all follows. If both users were imported before, the follow stays as it is.
	 * @return lines that report it
	 */
	Flux<String> run(RetwisLayout layout, ImportedUserIndex users, ImportCounts counts) {
		return this.marks.beyond(
				Kind.FOLLOW, (
						mark) -> users.imported()
							.flatMap(
									(number) -> layout.followers(number)
										.flatMap((follow) -> add(follow, number, mark, users, counts), FOLLOWERS),
									USERS));
	}

	private Flux<String> add(RetwisFollow follow, long followed, ImportMark mark, ImportedUserIndex users,
			ImportCounts counts) {
		String label = "user " + RetwisText.printable(follow.follower()) + " follows user " + followed;
		OptionalLong follower = RetwisNumber.parse(follow.follower());
		if (follower.isEmpty() || !users.contains(follower.getAsLong())) {
			return counts.skipped(Kind.FOLLOW, label + ", but is no user here");
		}
		if (follower.getAsLong() == followed) {
			return counts.skipped(Kind.FOLLOW, label + ", the same user");
		}
		String followerId = ImportedUserIndex.idOf(follower.getAsLong());
		String followedId = ImportedUserIndex.idOf(followed);
		if (mark.pass(Math.max(follower.getAsLong(), followed))) {
			return this.follows.isFollowing(followerId, followedId)
				.flatMapMany((there) -> there ? counts.done(Kind.FOLLOW)
						: counts.skipped(Kind.FOLLOW, label + ", but not here any more"));
		}
		return this.clock.millis()
			.flatMap((now) -> this.writer.followSilently(followerId, followedId,
					RetwisTime.millis(follow.time(), now).orElse(now)))
			.thenMany(counts.done(Kind.FOLLOW))
			.onErrorResume(BlockedException.class,
					(blocked) -> counts.skipped(Kind.FOLLOW, label + ", but one of them has blocked the other here"))
			.onErrorResume(FollowLimitException.class,
					(full) -> counts.skipped(Kind.FOLLOW, label + ", but follows as many as a user may follow here"));
	}

}
