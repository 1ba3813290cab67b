package live.retwis.doctor;

import java.util.List;
import java.util.Optional;
import java.util.Set;

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
 * Likes: the post and the user exist, whoever likes a post has it among what they like
 * and the other way round, and both lists keep their bounds. A like that does not count
 * yet has an intent, so it breaks no rule.
 */
@Component
class ReactionRules implements RuleSet {

	private final StoreReader store;

	private final ListChecks lists;

	private final PostRepository posts;

	private final ReactionWriter updates;

	private final InFlightGrace inFlightGrace;

	ReactionRules(StoreReader store, ListChecks lists, PostRepository posts, ReactionWriter updates,
			InFlightGrace inFlightGrace) {
		this.store = store;
		this.lists = lists;
		this.posts = posts;
		this.updates = updates;
		this.inFlightGrace = inFlightGrace;
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
		String userId = member.value();
		String liked = Keys.liked(userId);
		String what = "holds user " + userId + ", but " + liked + " does not hold the post";
		return ListChecks.isTakenOut(member) ? Mono.empty()
				: this.store.score(liked, postId)
					.filter(Optional::isEmpty)
					.flatMap((absent) -> hasLikes(userId))
					.map((known) -> known
							? Finding.repairable(key, what, "removes the user",
									() -> Repairs.ifStill(hasLikes(userId), recheck(userId, postId)))
							: Finding.byHand(key, what, "restore what the user likes or remove the user by hand"))
					.map(Finding::afterFanOut);
	}

	/** Whether the user and the list are there. A backup may have what is missing. */
	private Mono<Boolean> hasLikes(String userId) {
		return Flux.just(Keys.user(userId), Keys.liked(userId))
			.concatMap(this.store::exists)
			.all(Boolean::booleanValue);
	}

	private Flux<Finding> liked(String userId) {
		String key = Keys.liked(userId);
		return this.lists.owner(key, userId)
			.switchIfEmpty(this.lists.bound(key, ReactionRepository.MOST)
				.concatWith(this.lists.members(key, (member) -> liked(key, member, userId))));
	}

	/** A full list has lost its oldest. The list of an archived post may be there. */
	private Mono<Finding> liked(String key, Member member, String userId) {
		String postId = member.value();
		String likes = Keys.likes(postId);
		return this.store.score(likes, userId)
			.filter(Optional::isEmpty)
			.filterWhen((absent) -> this.inFlightGrace.isOver(member.score()))
			.filterWhen((absent) -> this.store.isUser(userId))
			.filterWhen((absent) -> this.store.fields(Keys.post(postId), "author", "deleted", "archived")
				.map((post) -> post.keySet().equals(Set.of("author"))))
			.filterWhen((absent) -> this.store.size(likes).map((size) -> size < ReactionRepository.MOST))
			.map((absent) -> Finding
				.repairable(key, "holds post " + postId + ", but " + likes + " does not hold the user",
						"counts the like again", () -> recheck(userId, postId))
				.afterFanOut());
	}

	private Mono<Void> recheck(String userId, String postId) {
		return this.posts.authorOf(postId).flatMap((author) -> this.updates.recheckLike(userId, postId, author));
	}

}
