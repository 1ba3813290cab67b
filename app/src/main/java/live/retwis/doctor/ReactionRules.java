package live.retwis.doctor;

import java.util.List;
import java.util.Optional;

import live.retwis.doctor.StoreReader.Member;
import live.retwis.post.PostRepository;
import live.retwis.reaction.ReactionRepository;
import live.retwis.reaction.ReactionWriter;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Likes: the post and the user exist, whoever likes a post has it among what they like,
 * and both lists keep their bounds. A like that does not count yet has an intent, so it
 * breaks no rule.
 */
@Component
class ReactionRules implements RuleSet {

	private final StoreReader store;

	private final ListChecks lists;

	private final PostRepository posts;

	private final ReactionWriter updates;

	ReactionRules(StoreReader store, ListChecks lists, PostRepository posts, ReactionWriter updates) {
		this.store = store;
		this.lists = lists;
		this.posts = posts;
		this.updates = updates;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List.of(new KeySchema(Keys.likes(""), TimeSortedIdGenerator::isValid, "zset", this::likes),
				new KeySchema(Keys.liked(""), TimeSortedIdGenerator::isValid, "zset", this::liked));
	}

	private Flux<Finding> likes(String postId) {
		String key = Keys.likes(postId);
		Mono<Finding> post = this.store.postExists(postId)
			.flatMap((there) -> there ? Mono.empty() : Mono.just(Finding.byHand(key,
					"its post " + postId + " does not exist", "restore the post or delete the list by hand")));
		return post.flux()
			.switchIfEmpty(this.lists.bound(key, ReactionRepository.MOST)
				.concatWith(this.lists.ofArchived(key, postId))
				.concatWith(this.lists.members(key, (member) -> this.lists.userOf(key, member)
					.switchIfEmpty(Mono.defer(() -> likes(key, member, postId))))));
	}

	private Mono<Finding> likes(String key, Member member, String postId) {
		String liked = Keys.liked(member.value());
		return ListChecks.isTakenOut(
				member) ? Mono.empty()
						: this.store.score(liked, postId)
							.filter(Optional::isEmpty)
							.map((absent) -> Finding
								.repairable(key,
										"holds user " + member.value() + ", but " + liked + " does not hold the post",
										"removes the user",
										() -> this.posts.authorOf(postId)
											.flatMap((author) -> this.updates.recheckLike(member.value(), postId,
													author)))
								.afterFanOut());
	}

	private Flux<Finding> liked(String userId) {
		String key = Keys.liked(userId);
		return this.lists.owner(key, userId).switchIfEmpty(this.lists.bound(key, ReactionRepository.MOST));
	}

}
