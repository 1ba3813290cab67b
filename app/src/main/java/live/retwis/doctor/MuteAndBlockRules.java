package live.retwis.doctor;

import java.util.List;

import live.retwis.doctor.StoreReader.Member;
import live.retwis.follow.FollowWriter;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.restriction.RestrictionRepository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Muted and blocked users: the lists keep their bounds, and nobody follows a user who has
 * blocked them or whom they have blocked. Users in a list may have deleted their
 * accounts.
 */
@Component
class MuteAndBlockRules implements RuleSet {

	private final StoreReader store;

	private final ListChecks lists;

	private final InFlightGrace inFlightGrace;

	private final FollowWriter follows;

	MuteAndBlockRules(StoreReader store, ListChecks lists, InFlightGrace inFlightGrace, FollowWriter follows) {
		this.store = store;
		this.lists = lists;
		this.inFlightGrace = inFlightGrace;
		this.follows = follows;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List.of(new KeySchema(Keys.muted(""), TimeSortedIdGenerator::isValid, "zset", this::muted),
				new KeySchema(Keys.blocked(""), TimeSortedIdGenerator::isValid, "zset", this::blocked));
	}

	private Flux<Finding> muted(String userId) {
		return bounded(Keys.muted(userId), userId);
	}

	private Flux<Finding> blocked(String userId) {
		String key = Keys.blocked(userId);
		return bounded(key, userId)
			.concatWith(this.lists.members(key, (member) -> this.inFlightGrace.isOver((long) member.score())
				.flatMap((old) -> follow(key, userId, member))));
	}

	private Flux<Finding> bounded(String key, String userId) {
		return this.lists.owner(key, userId).switchIfEmpty(this.lists.bound(key, RestrictionRepository.MOST));
	}

	/** Checks that none of the two follows the other. */
	private Mono<Finding> follow(String key, String userId, Member blocked) {
		return Mono
			.zip(this.store.score(Keys.following(userId), blocked.value()),
					this.store.score(Keys.following(blocked.value()), userId),
					(follows, followed) -> follows.isPresent() || followed.isPresent())
			.filter(Boolean::booleanValue)
			.map((follow) -> Finding.repairable(key,
					"has " + blocked.value() + ", but one of the two follows the other", "ends the follows",
					() -> this.follows.blocked(userId, blocked.value())));
	}

}
