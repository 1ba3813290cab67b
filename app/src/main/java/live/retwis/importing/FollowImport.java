package live.retwis.importing;

import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongFunction;

import live.retwis.follow.FollowLimitException;
import live.retwis.follow.FollowRepository;
import live.retwis.follow.FollowWriter;
import live.retwis.importing.ImportCounts.Kind;
import live.retwis.redis.DataClock;
import live.retwis.restriction.BlockedException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Imports the follows: for each user the followers, the earliest first, because lists of
 * followers are divided by time. Then come those whom the user follows without being in
 * their lists of followers.
 */
@Component
class FollowImport {

	/** Users whose follows are imported concurrently. */
	private static final int USERS = 16;

	/**
	 * Follows of one user imported concurrently. Few, so that followers come nearly in
	 * their order.
	 */
	private static final int FOLLOWS = 4;

	private final FollowWriter writer;

	private final FollowRepository follows;

	private final DataClock clock;

	private final HighestImportedNumberRepository marks;

	FollowImport(FollowWriter writer, FollowRepository follows, DataClock clock,
			HighestImportedNumberRepository marks) {
		this.writer = writer;
		this.follows = follows;
		this.clock = clock;
		this.marks = marks;
	}

	/**
	 * Imports all follows. If both users were imported before, the follow stays as it is.
	 * The lists of followers come first, because followers are divided by time, and are
	 * added in that order.
	 * @param given the last number of a user that was given before the import began
	 * @return lines that report it
	 */
	Flux<String> run(RetwisLayout layout, long given, ImportedUserIndex users, ImportCounts counts) {
		return this.marks.beyond(Kind.FOLLOW, given,
				(mark) -> RetwisNumber.distinct(layout.followLists()).flatMapMany((numbers) -> {
					Function<RetwisFollow, Flux<String>> add = (follow) -> follow(follow, mark, users, counts);
					LongFunction<Flux<RetwisFollow>> others = (number) -> layout.following(number)
						.filterWhen((follow) -> isNotRead(follow, layout));
					return Flux.concat(all(numbers, layout::followers, add), all(numbers, others, add));
				}));
	}

	private static Flux<String> all(long[] numbers, LongFunction<Flux<RetwisFollow>> listOf,
			Function<RetwisFollow, Flux<String>> add) {
		return Flux.fromStream(() -> Arrays.stream(numbers).mapToObj(listOf))
			.flatMap((list) -> list.flatMap(add, FOLLOWS), USERS);
	}

	/** Whether no list of followers that is read has the follow. */
	private static Mono<Boolean> isNotRead(RetwisFollow follow, RetwisLayout layout) {
		return RetwisNumber.parse(follow.followed()).isEmpty() ? Mono.just(true)
				: layout.isListedAsFollower(follow).map((listed) -> !listed);
	}

	private Flux<String> follow(RetwisFollow follow, HighestImportedNumber mark, ImportedUserIndex users,
			ImportCounts counts) {
		String label = "user " + RetwisText.printable(follow.follower()) + " follows user "
				+ RetwisText.printable(follow.followed());
		OptionalLong follower = imported(follow.follower(), users);
		OptionalLong followed = imported(follow.followed(), users);
		if (followed.isEmpty()) {
			return counts.skipped(Kind.FOLLOW, label + ", who is no user here");
		}
		if (follower.isEmpty()) {
			return counts.skipped(Kind.FOLLOW, label + ", but is no user here");
		}
		if (follower.equals(followed)) {
			return counts.skipped(Kind.FOLLOW, label + ", the same user");
		}
		String followerId = ImportedUserIndex.idOf(follower.getAsLong());
		String followedId = ImportedUserIndex.idOf(followed.getAsLong());
		return mark.pass(Math.max(follower.getAsLong(), followed.getAsLong()))
				? look(followerId, followedId, label, counts)
				: add(followerId, followedId, follow.time(), label, counts);
	}

	/** The user's number; empty when it is none, or that of nobody who was imported. */
	private static OptionalLong imported(String number, ImportedUserIndex users) {
		OptionalLong user = RetwisNumber.parse(number);
		return (user.isPresent() && users.contains(user.getAsLong())) ? user : OptionalLong.empty();
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
