package live.retwis.follow;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import live.retwis.log.CommitLog;
import live.retwis.log.Intent;
import live.retwis.log.IntentFinisher;
import live.retwis.log.Intents;
import live.retwis.log.LogBacklog;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataClock;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.SortedSets;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Repository;

/**
 * Who follows whom: {@code following:{id}} and {@code followers:{id}}, user ids by the
 * time of the follow. {@code following} is written first and is the truth; each step can
 * be repeated.
 */
@Repository
public class FollowRepository implements IntentFinisher {

	private static final LuaScript ADD_FOLLOWING = LuaScript.named("add-following");

	private static final LuaScript REMOVE_FOLLOWING = LuaScript.named("remove-following");

	private final DataNode data;

	private final SortedSets sortedSets;

	private final Followers followers;

	private final DataClock clock;

	private final CommitLog log;

	private final Intents intents;

	private final LogBacklog backlog;

	private final FollowProperties properties;

	FollowRepository(DataNode data, SortedSets sortedSets, Followers followers, DataClock clock, CommitLog log,
			Intents intents, LogBacklog backlog, FollowProperties properties) {
		this.data = data;
		this.sortedSets = sortedSets;
		this.followers = followers;
		this.clock = clock;
		this.log = log;
		this.intents = intents;
		this.backlog = backlog;
		this.properties = properties;
	}

	/**
	 * {@code add-following.lua}, then the other side and an entry in the log; repeated it
	 * finishes what was left half done, and tells nobody.
	 * @return done; {@link LimitReached} when the follower follows as many as one may;
	 * {@link LogBacklog.Overloaded} when too much waits to be delivered
	 */
	public Mono<Void> follow(String followerId, String followedId) {
		Intent intent = Intent.of(Intent.Kind.FOLLOW, followerId, followedId);
		Mono<Void> steps = this.clock.millis()
			.flatMap((now) -> this.data.run(ADD_FOLLOWING, List.of(Keys.following(followerId)), followedId,
					Long.toString(now), Integer.toString(this.properties.limit())))
			.flatMap((answer) -> answer.get(0).equals("full")
					? this.intents.drop(intent).then(Mono.error(new LimitReached(this.properties.limit())))
					: agree(followerId, followedId, millis(answer.get(1)), Optional.empty())
						.flatMap((now) -> (now.isPresent() && answer.get(0).equals("1"))
								? this.log.followed(intent, followerId, followedId).then()
								: this.intents.drop(intent)));
		return this.backlog.admit().then(this.intents.run(intent, Intents.SHORT, steps));
	}

	private static Optional<Long> millis(String score) {
		return Optional.of((long) Double.parseDouble(score));
	}

	/**
	 * Takes it off both sides, and an entry in the log. Of who is not followed the other
	 * side is looked at, too, and nobody is told.
	 * @return done; {@link LogBacklog.Overloaded} when too much waits to be delivered
	 */
	public Mono<Void> unfollow(String followerId, String followedId) {
		Intent intent = Intent.of(Intent.Kind.FOLLOW, followerId, followedId);
		return isFollowing(followerId, followedId)
			.flatMap((follows) -> (follows ? this.backlog.admit() : Mono.<Void>empty())
				.then(this.intents.run(intent, Intents.SHORT, unfollow(intent, follows))));
	}

	/** Somebody may have begun to follow, or to unfollow, since it was looked. */
	private Mono<Void> unfollow(Intent intent, boolean follows) {
		String follower = intent.subject();
		String followed = intent.detail();
		return removeFollowing(follower, followed)
			.flatMap((before) -> agree(follower, followed, Optional.empty(), before)
				.flatMap((now) -> ((follows || before.isPresent()) && now.isEmpty())
						? this.log.unfollowed(intent, follower, followed).then() : this.intents.drop(intent)));
	}

	@Override
	public Set<Intent.Kind> kinds() {
		return Set.of(Intent.Kind.FOLLOW);
	}

	/** The other side, and the log, are as whom the one follows says. */
	@Override
	public Mono<Void> finish(Intent intent) {
		String follower = intent.subject();
		String followed = intent.detail();
		return since(follower, followed).flatMap((since) -> agree(follower, followed, since, Optional.empty()))
			.flatMap((now) -> now.isPresent() ? this.log.followed(intent, follower, followed)
					: this.log.unfollowed(intent, follower, followed))
			.then();
	}

	/**
	 * Brings {@code followers} in line with {@code following}; again when that changed
	 * meanwhile, for whoever changed it may have been quicker on the other side.
	 * @param since what {@code following} says, in ms; empty for no follow
	 * @param before what it said before that, where that is known
	 * @return what it says now
	 */
	private Mono<Optional<Long>> agree(String followerId, String followedId, Optional<Long> since,
			Optional<Long> before) {
		return (since.isPresent() ? this.followers.add(followedId, followerId, since.get())
				: this.followers.remove(followedId, followerId, before).then())
			.then(since(followerId, followedId))
			.flatMap((now) -> now.equals(since) ? Mono.just(now) : agree(followerId, followedId, now, since));
	}

	private Mono<Optional<Long>> since(String followerId, String followedId) {
		return this.data.call((c) -> c.zscore(Keys.following(followerId), followedId))
			.map((score) -> Optional.of(score.longValue()))
			.defaultIfEmpty(Optional.empty());
	}

	/** {@code remove-following.lua}, then the other side; nobody is told. */
	public Mono<Void> sever(String followerId, String followedId) {
		return removeFollowing(followerId, followedId)
			.flatMap((before) -> agree(followerId, followedId, Optional.empty(), before))
			.then();
	}

	/** What it said before. */
	private Mono<Optional<Long>> removeFollowing(String followerId, String followedId) {
		return this.data.run(REMOVE_FOLLOWING, List.of(Keys.following(followerId)), followedId)
			.map((before) -> before.stream().findFirst().flatMap(FollowRepository::millis));
	}

	/** ZSCORE {@code following}. */
	public Mono<Boolean> isFollowing(String followerId, String followedId) {
		return this.data.call((c) -> c.zscore(Keys.following(followerId), followedId)).hasElement();
	}

	/** ZRANGE {@code following}: all of them, no more than the limit of follows. */
	public Mono<List<String>> allFollowed(String followerId) {
		return this.data.call((c) -> c.zrange(Keys.following(followerId), 0, -1));
	}

	/**
	 * Those of the users whom the follower follows: ZMSCORE, or ZRANGE when that is less.
	 */
	public Mono<Set<String>> followedAmong(String followerId, Set<String> userIds) {
		if (userIds.isEmpty()) {
			return Mono.just(Set.of());
		}
		if (userIds.size() > this.properties.limit()) {
			return allFollowed(followerId)
				.map((all) -> all.stream().filter(userIds::contains).collect(Collectors.toSet()));
		}
		List<String> asked = List.copyOf(userIds);
		return this.data.call((c) -> c.zmscore(Keys.following(followerId), asked.toArray(String[]::new)))
			.map((scores) -> IntStream.range(0, asked.size())
				.filter((i) -> scores.get(i) != null)
				.mapToObj(asked::get)
				.collect(Collectors.toSet()));
	}

	/** A page of whom the user follows, latest first. */
	public Mono<List<Cursor>> following(String userId, Optional<Cursor> before, int count) {
		return this.sortedSets.highest(Keys.following(userId), before, count);
	}

	/** A page of who follows the user, latest first. */
	public Mono<List<Cursor>> followers(String userId, Optional<Cursor> before, int count) {
		return this.followers.latest(userId, before, count);
	}

	/** How many there are on both sides, in one round trip. */
	public Mono<Counts> counts(String userId) {
		return Mono.zip(this.followers.count(userId), this.data.call((c) -> c.zcard(Keys.following(userId))),
				Counts::new);
	}

	/**
	 * How two users stand to each other: ZSCORE twice and the viewer's follows in one
	 * round trip, {@link Followers#countAmong} and ZMSCORE of these in the other's lists
	 * in a second. No key is intersected with another: in a cluster they lie on different
	 * nodes.
	 */
	public Mono<Relation> relation(String viewerId, String userId) {
		return Mono
			.zip(isFollowing(viewerId, userId), isFollowing(userId, viewerId), allFollowed(viewerId),
					this.followers.shards(userId))
			.flatMap((known) -> Mono.zip(among(known.getT3(), Keys.following(userId)),
					this.followers.countAmong(viewerId, known.getT3(), known.getT4()),
					(both, by) -> new Relation(known.getT1(), known.getT2(), both, by)));
	}

	private Mono<Integer> among(List<String> userIds, String key) {
		if (userIds.isEmpty()) {
			return Mono.just(0);
		}
		return this.data.call((c) -> c.zmscore(key, userIds.toArray(String[]::new)))
			.map((scores) -> (int) scores.stream().filter(Objects::nonNull).count());
	}

	/**
	 * How many follow a user, and how many the user follows.
	 *
	 * @param followers who follow the user
	 * @param following whom the user follows
	 */
	public record Counts(long followers, long following) {
	}

	/**
	 * How a viewer stands to a user.
	 *
	 * @param following the viewer follows the user
	 * @param followsYou the user follows the viewer
	 * @param bothFollow how many users both follow
	 * @param followedBy how many of those whom the viewer follows follow the user
	 */
	public record Relation(boolean following, boolean followsYou, int bothFollow, int followedBy) {
	}

	/** One follows as many users as one may. */
	public static class LimitReached extends RuntimeException {

		private final int limit;

		LimitReached(int limit) {
			super("follows " + limit + " users, which is as many as one can");
			this.limit = limit;
		}

		int limit() {
			return this.limit;
		}

	}

}
