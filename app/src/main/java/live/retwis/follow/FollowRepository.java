package live.retwis.follow;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import live.retwis.redis.CommitLog;
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
public class FollowRepository {

	private static final LuaScript ADD_FOLLOWING = LuaScript.named("add-following");

	private static final LuaScript REMOVE_FOLLOWING = LuaScript.named("remove-following");

	private final DataNode data;

	private final SortedSets sortedSets;

	private final Followers followers;

	private final DataClock clock;

	private final CommitLog log;

	private final FollowProperties properties;

	FollowRepository(DataNode data, SortedSets sortedSets, Followers followers, DataClock clock, CommitLog log,
			FollowProperties properties) {
		this.data = data;
		this.sortedSets = sortedSets;
		this.followers = followers;
		this.clock = clock;
		this.log = log;
		this.properties = properties;
	}

	/**
	 * {@code add-following.lua}, then the other side, an entry in the log; repeated it
	 * finishes what was left half done.
	 * @return done; {@link LimitReached} when the follower follows as many as one may
	 */
	public Mono<Void> follow(String followerId, String followedId) {
		return this.clock.millis()
			.flatMap((now) -> this.data.run(ADD_FOLLOWING, List.of(Keys.following(followerId)), followedId,
					Long.toString(now), Integer.toString(this.properties.limit())))
			.flatMap((answer) -> answer.get(0).equals("full") ? Mono.error(new LimitReached(this.properties.limit()))
					: this.followers.add(followedId, followerId, (long) Double.parseDouble(answer.get(1))))
			.then(this.log.followed(followerId, followedId))
			.then();
	}

	/** Takes it off both sides, and an entry in the log. */
	public Mono<Void> unfollow(String followerId, String followedId) {
		return sever(followerId, followedId).then(this.log.unfollowed(followerId, followedId)).then();
	}

	/** {@code remove-following.lua}, then the other side; nobody is told. */
	public Mono<Void> sever(String followerId, String followedId) {
		return this.data.run(REMOVE_FOLLOWING, List.of(Keys.following(followerId)), followedId)
			.flatMap((since) -> this.followers.remove(followedId, followerId,
					since.stream().findFirst().map((millis) -> (long) Double.parseDouble(millis))))
			.then();
	}

	/** ZSCORE {@code following}. */
	public Mono<Boolean> isFollowing(String followerId, String followedId) {
		return this.data.call((c) -> c.zscore(Keys.following(followerId), followedId)).hasElement();
	}

	/** ZRANGE {@code following}: all of them, no more than the limit of follows. */
	public Mono<List<String>> allFollowed(String followerId) {
		return this.data.call((c) -> c.zrange(Keys.following(followerId), 0, -1));
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
