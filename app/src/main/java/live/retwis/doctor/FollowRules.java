package live.retwis.doctor;

import java.util.List;

import io.lettuce.core.ScoredValue;
import live.retwis.follow.FollowProperties;
import live.retwis.redis.Ids;
import live.retwis.redis.Keys;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Each follow stands on both sides; {@code following} is the truth.
 */
@Component
class FollowRules implements Rules {

	private final Store store;

	private final Repairs repairs;

	private final Lists lists;

	private final Youth youth;

	private final FollowProperties properties;

	FollowRules(Store store, Repairs repairs, Lists lists, Youth youth, FollowProperties properties) {
		this.store = store;
		this.repairs = repairs;
		this.lists = lists;
		this.youth = youth;
		this.properties = properties;
	}

	@Override
	public List<Family> families() {
		return List.of(new Family(Keys.following(""), Ids::isValid, "zset", this::following),
				new Family(Keys.followers(""), Ids::isValid, "zset", this::followers));
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

	private Mono<Finding> followed(String key, String id, ScoredValue<String> followed) {
		String other = Keys.followers(followed.getValue());
		return this.lists.userOf(key, followed)
			.switchIfEmpty(this.store.score(other, id)
				.filter((score) -> score.isEmpty())
				.flatMap((missing) -> this.youth.isOver(followed.getScore()))
				.filter(Boolean::booleanValue)
				.map((old) -> Finding.repairable(key, "follows " + followed.getValue() + ", but is not among " + other,
						"adds the follower", () -> complete(key, other, id, followed))));
	}

	/** Unfollowed in the same moment, it is taken back. */
	private Mono<Void> complete(String key, String other, String id, ScoredValue<String> followed) {
		return this.repairs.add(other, id, followed.getScore())
			.then(this.store.score(key, followed.getValue()))
			.flatMap((still) -> still.isPresent() ? Mono.empty() : this.repairs.remove(other, id, followed.getScore()));
	}

	private Flux<Finding> followers(String id) {
		String key = Keys.followers(id);
		return this.lists.owner(key, id).switchIfEmpty(this.lists.members(key, (member) -> follower(key, id, member)));
	}

	/**
	 * An unfollow that broke off; it took the other side away first. A follow made since
	 * has another score.
	 */
	private Mono<Finding> follower(String key, String id, ScoredValue<String> follower) {
		String other = Keys.following(follower.getValue());
		return this.lists.userOf(key, follower)
			.switchIfEmpty(this.store.score(other, id)
				.filter((score) -> score.isEmpty())
				.map((missing) -> Finding.repairable(key,
						"is followed by " + follower.getValue() + ", but is not among " + other, "removes the follower",
						() -> this.repairs.remove(key, follower.getValue(), follower.getScore()))));
	}

}
