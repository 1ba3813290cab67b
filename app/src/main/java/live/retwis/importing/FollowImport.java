package live.retwis.importing;

import java.util.OptionalLong;

import live.retwis.follow.FollowLimitException;
import live.retwis.follow.FollowRepository;
import live.retwis.follow.FollowWriter;
import live.retwis.importing.ImportCounts.Kind;
import live.retwis.redis.DataClock;
import live.retwis.restriction.BlockedException;
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
		return this.marks.beyond(Kind.FOLLOW, (mark) -> users.imported()
			.flatMap((followed) -> followersOf(followed, layout, mark, users, counts), USERS));
	}

	private Flux<String> followersOf(long followed, RetwisLayout layout, ImportMark mark, ImportedUserIndex users,
			ImportCounts counts) {
		return layout.followers(followed).flatMap((follow) -> follow(follow, followed, mark, users, counts), FOLLOWERS);
	}

	private Flux<String> follow(RetwisFollow follow, long followed, ImportMark mark, ImportedUserIndex users,
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
		return mark.pass(Math.max(follower.getAsLong(), followed)) ? look(followerId, followedId, label, counts)
				: add(followerId, followedId, follow.time(), label, counts);
	}

	private Flux<String> look(String follower, String followed, String label, ImportCounts counts) {
		Flux<String> absent = counts.skipped(Kind.FOLLOW,
				label + ", but not here: taken back, or skipped by an earlier run");
		return this.follows.isFollowing(follower, followed)
			.flatMapMany((there) -> there ? counts.done(Kind.FOLLOW) : absent);
	}

	private Flux<String> add(String follower, String followed, String time, String label, ImportCounts counts) {
		Flux<String> blocked = counts.skipped(Kind.FOLLOW, label + ", but one of them has blocked the other here");
		Flux<String> full = counts.skipped(Kind.FOLLOW, label + ", but follows as many as a user may follow here");
		return this.clock.millis()
			.map((now) -> RetwisTime.millis(time, now).orElse(now))
			.flatMap((millis) -> this.writer.followSilently(follower, followed, millis))
			.thenMany(counts.done(Kind.FOLLOW))
			.onErrorResume(BlockedException.class, (refused) -> blocked)
			.onErrorResume(FollowLimitException.class, (refused) -> full);
	}

}
