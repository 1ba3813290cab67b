package live.retwis.doctor;

import java.util.List;
import java.util.Optional;

import live.retwis.doctor.StoreReader.Member;
import live.retwis.follow.FollowProperties;
import live.retwis.follow.FollowerListRepository;
import live.retwis.follow.FollowerShards;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Each follow is stored on both sides. The key {@code following} is authoritative. */
@Component
class FollowRules implements RuleSet {

	/** Prefix of the keys of further shards and of their directory. */
	private static final String SHARD_PREFIX = "{" + Keys.followers("");

	private final StoreReader store;

	private final Repairs repairs;

	private final ListChecks lists;

	private final InFlightGrace inFlightGrace;

	private final FollowerListRepository followers;

	private final FollowProperties properties;

	FollowRules(StoreReader store, Repairs repairs, ListChecks lists, InFlightGrace inFlightGrace,
			FollowerListRepository followers, FollowProperties properties) {
		this.store = store;
		this.repairs = repairs;
		this.lists = lists;
		this.inFlightGrace = inFlightGrace;
		this.followers = followers;
		this.properties = properties;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List.of(new KeySchema(Keys.following(""), TimeSortedIdGenerator::isValid, "zset", this::following),
				new KeySchema(Keys.followers(""), TimeSortedIdGenerator::isValid, "zset", this::followers),
				new KeySchema(SHARD_PREFIX, (rest) -> rest.matches("[0-9A-Z]{13}}:[0-9]+"), "zset", this::shard),
				new KeySchema(SHARD_PREFIX, (rest) -> rest.matches("[0-9A-Z]{13}}:shards"), "hash", this::directory));
	}

	private Flux<Finding> following(String id) {
		String key = Keys.following(id);
		Flux<Finding> limit = this.store.size(key)
			.filter((size) -> size > this.properties.limit())
			.map((size) -> Finding.byHand(key, "follows more than the limit of " + this.properties.limit(),
					"only the user can choose whom to unfollow"))
			.flux();
		return this.lists.owner(key, id)
			.switchIfEmpty(limit.concatWith(this.lists.members(key, (member) -> followed(key, id, member))));
	}

	private Mono<Finding> followed(String key, String id, Member followed) {
		String followedId = followed.value();
		long since = (long) followed.score();
		return this.lists.userOf(key, followed)
			.switchIfEmpty(
					this.followers.shards(followedId)
						.map((shards) -> shards.keyAt(since))
						.flatMap((other) -> this.store.score(other, id)
							.filter((score) -> score.isEmpty())
							.flatMap((missing) -> this.inFlightGrace.isOver(since))
							.map((old) -> Finding.repairable(key,
									"follows " + followedId + ", but is not among " + other, "adds the follower",
									() -> complete(key, id, followedId, since)))));
	}

	/**
	 * Adds the follower with the time of the follow. If the user has unfollowed at the
	 * same moment, the follower is removed again.
	 */
	private Mono<Void> complete(String key, String id, String followedId, long since) {
		return this.followers.add(followedId, id, since)
			.then(this.store.score(key, followedId))
			.flatMap((score) -> score.isEmpty() ? this.followers.remove(followedId, id, Optional.of(since)).then()
					: (score.get().longValue() == since) ? Mono.<Void>empty()
							: complete(key, id, followedId, score.get().longValue()));
	}

	private Flux<Finding> followers(String id) {
		return followers(id, Keys.followers(id));
	}

	/**
	 * Checks a shard.
	 * @param rest the key after the prefix: the user id, a brace and the shard's number
	 */
	private Flux<Finding> shard(String rest) {
		return followers(rest.substring(0, rest.indexOf('}')), SHARD_PREFIX + rest);
	}

	private Flux<Finding> followers(String id, String key) {
		return this.lists.owner(key, id)
			.switchIfEmpty(this.followers.shards(id)
				.flatMapMany((shards) -> this.lists.members(key, (member) -> follower(key, id, shards, member))));
	}

	/**
	 * Checks a follower. If the other side is missing, an unfollow broke off, because
	 * that removes {@code following} first. If the other side has another time, a follow
	 * was made since then.
	 */
	private Mono<Finding> follower(String key, String id, FollowerShards shards, Member follower) {
		String other = Keys.following(follower.value());
		return this.lists.userOf(key, follower)
			.switchIfEmpty(this.store.score(other, id)
				.flatMap((since) -> since.isPresent() ? ofThatTime(key, id, follower, since.get())
						: Mono.just(Finding.repairable(key,
								"is followed by " + follower.value() + ", but is not among " + other,
								"removes the follower", () -> remove(id, follower)))))
			.switchIfEmpty(Mono.justOrEmpty(shards.keyAt((long) follower.score()))
				.filter((right) -> !right.equals(key))
				.map((right) -> Finding.repairable(key,
						"has follower " + follower.value() + ", whose place is " + right, "removes it there",
						() -> this.repairs.remove(key, follower.value(), follower.score()))));
	}

	/** Checks that a follower has the time that {@code following} has. */
	private Mono<Finding> ofThatTime(String key, String id, Member follower, double since) {
		String other = Keys.following(follower.value());
		return (follower.score() == since) ? Mono.empty()
				: this.inFlightGrace.isOver(since)
					.map((old) -> Finding.repairable(key,
							"is followed by " + follower.value() + " since another time than " + other + " says",
							"takes that time", () -> complete(other, follower.value(), id, (long) since)));
	}

	private Mono<Void> remove(String id, Member follower) {
		return this.followers.remove(id, follower.value(), Optional.of((long) follower.score()))
			.flatMap((removed) -> removed ? Mono.empty() : Mono.error(Repairs.NotRepairedException.hasChanged()));
	}

	/**
	 * Checks the directory of the shards.
	 * @param rest the key after the prefix: the user id, a brace and the directory's name
	 */
	private Flux<Finding> directory(String rest) {
		String id = rest.substring(0, rest.indexOf('}'));
		String key = SHARD_PREFIX + rest;
		return this.lists.owner(key, id)
			.switchIfEmpty(this.followers.recount(id, false)
				.filter((wrong) -> wrong)
				.map((wrong) -> Finding.repairable(key, "counts others than there are", "counts them again",
						() -> this.followers.recount(id, true).then()))
				.flux());
	}

}
