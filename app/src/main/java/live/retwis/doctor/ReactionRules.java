package live.retwis.doctor;

import java.util.List;

import live.retwis.reaction.ReactionRepository;
import live.retwis.redis.Ids;
import live.retwis.redis.Keys;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Likes: the post and the user exist, and both lists keep their bounds. A like that does
 * not count yet has an intent, so it breaks no rule.
 */
@Component
class ReactionRules implements Rules {

	private final StoreReader store;

	private final ListChecks lists;

	ReactionRules(StoreReader store, ListChecks lists) {
		this.store = store;
		this.lists = lists;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List.of(new KeySchema(Keys.likes(""), Ids::isValid, "zset", this::likes),
				new KeySchema(Keys.liked(""), Ids::isValid, "zset", this::liked));
	}

	private Flux<Finding> likes(String postId) {
		String key = Keys.likes(postId);
		Mono<Finding> post = this.store.postExists(postId)
			.flatMap((there) -> there ? Mono.empty() : Mono.just(Finding.byHand(key,
					"its post " + postId + " does not exist", "restore the post or delete the list by hand")));
		return post.flux()
			.switchIfEmpty(this.lists.bound(key, ReactionRepository.MOST)
				.concatWith(this.lists.ofArchived(key, postId))
				.concatWith(this.lists.members(key, (member) -> this.lists.userOf(key, member))));
	}

	private Flux<Finding> liked(String userId) {
		String key = Keys.liked(userId);
		return this.lists.owner(key, userId).switchIfEmpty(this.lists.bound(key, ReactionRepository.MOST));
	}

}
