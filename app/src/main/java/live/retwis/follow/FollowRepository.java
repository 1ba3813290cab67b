package live.retwis.follow;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import live.retwis.account.FollowSummaryLookup;
import live.retwis.limit.RateLimit;
import live.retwis.limit.RateLimiter;
import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;
import live.retwis.redis.DataClock;
import live.retwis.redis.DeadlineScriptRunner;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.SortedSetReader;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.web.RateLimitAddress;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

import org.springframework.stereotype.Repository;

/**
 * Who follows whom: {@code following:{id}}, user ids by the time of the follow. It reads
 * both sides of a follow. {@link FollowWriter} changes them.
 */
@Repository
public class FollowRepository implements FollowSummaryLookup {

	private static final LuaScript ADD = LuaScript.withDeadline("add-within-limit");

	private static final LuaScript REMOVE_FOLLOWING = LuaScript.withDeadline("remove-following");

	/** More follows are compared with those of others only so often in a while. */
	private static final int FEW = 200;

	private final SortedSetReader sortedSets;

	private final FollowerListRepository followers;

	private final DataClock clock;

	private final DeadlineScriptRunner deadlines;

	private final FollowerCounts counts;

	private final FollowProperties properties;

	private final RateLimiter limiter;

	FollowRepository(SortedSetReader sortedSets, FollowerListRepository followers, DataClock clock,
			DeadlineScriptRunner deadlines, FollowerCounts counts, FollowProperties properties, RateLimiter limiter) {
		this.sortedSets = sortedSets;
		this.followers = followers;
		this.clock = clock;
		this.deadlines = deadlines;
		this.counts = counts;
		this.properties = properties;
		this.limiter = limiter;
	}

	/**
	 * ZMSCORE {@code following}: since when the user is followed, in ms; empty when not.
	 */
	Mono<Optional<Long>> since(String followerId, String followedId) {
		return this.sortedSets.scores(Keys.following(followerId), List.of(followedId))
			.map((scores) -> Optional.ofNullable(scores.get(0)).map(Double::longValue));
	}

	/**
	 * {@code add-within-limit.lua}: writes {@code following} only.
	 * @return what {@code following} says now; {@link FollowLimitException} when the
	 * follower follows as many users as allowed
	 */
	Mono<Added> addFollowing(String followerId, String followedId) {
		return this.clock.millis().flatMap((now) -> addFollowing(followerId, followedId, now));
	}

	/**
	 * {@code add-within-limit.lua}, for a follow since an earlier time.
	 * @param since ms of the follow
	 */
	Mono<Added> addFollowing(String followerId, String followedId, long since) {
		return this.deadlines
			.run(ADD, List.of(Keys.following(followerId)), followedId, Long.toString(since),
					Integer.toString(this.properties.limit()))
			.flatMap((answer) -> answer.get(0).equals("full")
					? Mono.error(new FollowLimitException(this.properties.limit()))
					: Mono.just(new Added(answer.get(0).equals("1"), millis(answer.get(1)))));
	}

	/**
	 * {@code remove-following.lua}: writes {@code following} only.
	 * @return since when the user was followed, in ms; empty when not
	 */
	Mono<Optional<Long>> removeFollowing(String followerId, String followedId) {
		return this.deadlines.run(REMOVE_FOLLOWING, List.of(Keys.following(followerId)), followedId)
			.map((before) -> before.stream().findFirst().map(FollowRepository::millis));
	}

	private static long millis(String score) {
		return (long) Double.parseDouble(score);
	}

	/** ZMSCORE {@code following}. */
	public Mono<Boolean> isFollowing(String followerId, String followedId) {
		return since(followerId, followedId).map(Optional::isPresent);
	}

	/**
	 * ZRANGE {@code following}: all followed users. The limit of follows bounds them.
	 */
	public Mono<List<String>> allFollowed(String followerId) {
		return this.sortedSets.all(Keys.following(followerId));
	}

	/**
	 * Those of the given users whom the follower follows: ZMSCORE, or ZRANGE when that is
	 * less work.
	 */
	@Override
	public Mono<Set<String>> followedAmong(String followerId, Set<String> userIds) {
		if (userIds.size() > this.properties.limit()) {
			return allFollowed(followerId)
				.map((all) -> all.stream().filter(userIds::contains).collect(Collectors.toSet()));
		}
		return this.sortedSets.present(Keys.following(followerId), List.copyOf(userIds)).map(Set::copyOf);
	}

	@Override
	public Mono<List<Long>> followerCounts(List<String> userIds) {
		return this.counts.of(userIds);
	}

	/** A page of the users whom a user follows, latest first. */
	public Mono<List<Cursor>> following(String userId, Optional<Cursor> before, int count) {
		return this.sortedSets.highest(Keys.following(userId), before, count);
	}

	/** A page of a user's followers, latest first. */
	public Mono<List<Cursor>> followers(String userId, Optional<Cursor> before, int count) {
		return this.followers.latest(userId, before, count);
	}

	/** The numbers of followers and of followed users, in one round trip. */
	public Mono<Counts> counts(String userId) {
		return Mono.zip(this.followers.count(userId), this.sortedSets.size(Keys.following(userId)), Counts::new);
	}

	/**
	 * How two users are related, in two round trips. The first one reads the viewer's
	 * follows and the user's shards. The second one looks the viewer, and the viewer's
	 * follows, up in the user's lists: {@link FollowerListRepository#among} and ZMSCORE.
	 * Sorted sets are not intersected, because in a cluster they are on different nodes.
	 * @param hidden whom the viewer does not see; they are not counted and not named.
	 * When it is empty, the second round trip is not made, which costs more the more
	 * users the viewer follows. Who follows many gets that only so often in a while; then
	 * it is left out whom they have in common
	 * @return empty when {@code hidden} is
	 */
	public Mono<Relation> relation(String viewerId, String userId, Mono<HiddenAuthors> hidden) {
		return Mono.zip(allFollowed(viewerId), this.followers.shards(userId), hidden)
			.flatMap(TupleUtils
				.function((followed, shards, authors) -> relation(viewerId, userId, followed, shards, authors)));
	}

	private Mono<Relation> relation(String viewerId, String userId, List<String> followed, FollowerShards shards,
			HiddenAuthors hidden) {
		return (followed.size() <= FEW) ? whole(viewerId, userId, followed, shards, hidden)
				: Mono.deferContextual(
						(context) -> this.limiter.takeBoth(RateLimit.RELATIONS, viewerId, RateLimitAddress.in(context)))
					.flatMap((wait) -> wait.isZero() ? whole(viewerId, userId, followed, shards, hidden)
							: since(userId, viewerId).map((back) -> new Relation(followed.contains(userId),
									back.isPresent(), 0, FollowerListRepository.Some.of(List.of()))));
	}

	private Mono<Relation> whole(String viewerId, String userId, List<String> followed, FollowerShards shards,
			HiddenAuthors hidden) {
		List<String> seen = followed.stream().filter((id) -> !hidden.contains(id)).toList();
		return Mono.zip(followedAmong(userId, seen, viewerId), this.followers.some(viewerId, seen, hidden, shards),
				(both, followedBy) -> new Relation(followed.contains(userId), both.followsViewer(), both.count(),
						followedBy));
	}

	/**
	 * ZMSCORE: how many of those whom the viewer follows and sees the user follows, too,
	 * and whether the user follows the viewer.
	 */
	private Mono<Both> followedAmong(String userId, List<String> seen, String viewerId) {
		List<String> asked = new ArrayList<>(seen);
		asked.add(viewerId);
		return this.sortedSets.scores(Keys.following(userId), asked)
			.map((scores) -> new Both((int) scores.subList(0, seen.size()).stream().filter(Objects::nonNull).count(),
					scores.get(seen.size()) != null));
	}

	/**
	 * A page of the users whom the viewer follows and who follow the user, those first
	 * whom the viewer follows latest. ZREVRANGE of all whom the viewer follows, and
	 * {@link FollowerListRepository#among}.
	 */
	public Mono<List<Cursor>> common(String viewerId, String userId, Optional<Cursor> before, int count) {
		return Mono.zip(this.sortedSets.highest(Keys.following(viewerId), Optional.empty(), this.properties.limit()),
				this.followers.shards(userId), (followed, shards) -> {
					List<Cursor> places = CursorOrder.after(followed, before);
					return this.followers.among(places.stream().map(Cursor::member).toList(), shards).map((common) -> {
						Set<String> there = Set.copyOf(common);
						return places.stream().filter((place) -> there.contains(place.member())).limit(count).toList();
					});
				})
			.flatMap(Function.identity());
	}

	/**
	 * What a user and a viewer have in common.
	 *
	 * @param count how many users both of them follow
	 * @param followsViewer whether the user follows the viewer
	 */
	private record Both(int count, boolean followsViewer) {
	}

	/**
	 * The state of {@code following} after a follow.
	 *
	 * @param isNew whether the user was not followed before
	 * @param since ms of the follow
	 */
	record Added(boolean isNew, long since) {
	}

	/**
	 * How many followers a user has, and how many users the user follows.
	 *
	 * @param followers number of followers
	 * @param following number of followed users
	 */
	public record Counts(long followers, long following) {
	}

	/**
	 * How a viewer is related to a user.
	 *
	 * @param following whether the viewer follows the user
	 * @param followsYou whether the user follows the viewer
	 * @param bothFollow how many users both of them follow, of those whom the viewer sees
	 * @param followedBy those of the users whom the viewer follows and sees who follow
	 * the user
	 */
	public record Relation(boolean following, boolean followsYou, int bothFollow,
			FollowerListRepository.Some followedBy) {
	}

}
