package live.retwis.doctor;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import live.retwis.post.PostCountType;
import live.retwis.post.PostCountWriter;
import live.retwis.post.PostDeletion;
import live.retwis.redis.Keys;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.repost.RepostRepository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Reposts: the original exists, and each repost is a post of its user that shows it. The
 * original's list must name each repost; otherwise its user cannot undo it.
 */
@Component
class RepostRules implements RuleSet {

	private static final int CONCURRENCY = 16;

	private final StoreReader store;

	private final RepostRepository reposts;

	private final PostDeletion deletion;

	private final PostCountWriter counts;

	RepostRules(StoreReader store, RepostRepository reposts, PostDeletion deletion, PostCountWriter counts) {
		this.store = store;
		this.reposts = reposts;
		this.deletion = deletion;
		this.counts = counts;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List.of(new KeySchema(Keys.reposts(""), TimeSortedIdGenerator::isValid, "hash", this::reposts));
	}

	private Flux<Finding> reposts(String postId) {
		String key = Keys.reposts(postId);
		return this.store.postExists(postId)
			.flatMapMany((there) -> there
					? this.reposts.all(postId).flatMap((repost) -> repost(key, postId, repost), CONCURRENCY)
					: Flux.just(Finding.byHand(key, "its post " + postId + " does not exist",
							"restore the post or delete the list by hand")));
	}

	private Mono<Finding> repost(String key, String postId, Map.Entry<String, String> repost) {
		return this.store.post(repost.getValue(), "author", "repost_of", "deleted")
			.onErrorResume(RedisErrorClassifier::isWrongType, (wrong) -> Mono.empty())
			.filter((fields) -> !isRepost(fields, repost.getKey(), postId))
			.map((fields) -> fields.isEmpty()
					? Finding.byHand(key, "holds " + repost.getValue() + ", which does not exist",
							"restore the post or remove it by hand")
					: Finding.repairable(key,
							"holds " + repost.getValue() + ", which is no repost by user " + repost.getKey(),
							"removes it", () -> this.reposts.remove(postId, repost.getKey(), repost.getValue())))
			.map(Finding::afterFanOut);
	}

	private static boolean isRepost(Map<String, String> fields, String author, String original) {
		return fields.equals(Map.of("author", author, "repost_of", original));
	}

	/**
	 * Whether a post that is a repost is the one that its original names of the author.
	 * If the original names none, that may be lost.
	 */
	Mono<Finding> named(String repostId, Map<String, String> fields) {
		String author = fields.getOrDefault("author", "");
		return Mono.justOrEmpty(fields.get("repost_of"))
			.flatMap((original) -> remedy(repostId, author, original)
				.map((remedy) -> unnamed(repostId, author, original, remedy)));
	}

	/** Empty when the original names the repost, or when the archive cannot be asked. */
	private Mono<Remedy> remedy(String repostId, String author, String original) {
		return this.reposts.find(original, author)
			.singleOptional()
			.filter((named) -> !named.equals(Optional.of(repostId)))
			.flatMap((named) -> this.store.post(original, "author", "deleted").flatMap((post) -> {
				if (post.isEmpty()) {
					return Mono.just(Remedy.RESTORE_ORIGINAL);
				}
				return post.containsKey("deleted") ? Mono.just(Remedy.DELETE)
						: named.map((other) -> beside(other, author, original)).orElse(Mono.just(Remedy.ADD));
			}));
	}

	/** The original names another post, which may be deleted, or no repost at all. */
	private Mono<Remedy> beside(String other, String author, String original) {
		return this.store.post(other, "author", "repost_of", "deleted").map((fields) -> {
			if (fields.isEmpty()) {
				return Remedy.RESTORE_NAMED;
			}
			return isRepost(fields, author, original) ? Remedy.DELETE : Remedy.ADD;
		});
	}

	private Mono<Boolean> isShown(String postId) {
		return this.store.post(postId, "author", "deleted")
			.map((fields) -> fields.containsKey("author") && !fields.containsKey("deleted"));
	}

	private Finding unnamed(String repostId, String author, String original, Remedy remedy) {
		String key = Keys.post(repostId);
		String what = "is a repost that " + Keys.reposts(original) + " does not name";
		Mono<Boolean> still = Mono
			.zip(isShown(repostId), remedy(repostId, author, original), (shown, now) -> shown && now == remedy)
			.defaultIfEmpty(false);
		Finding finding = switch (remedy) {
			case ADD ->
				Finding.repairable(key, what, "adds it", () -> Repairs.ifStill(still, add(repostId, author, original)));
			case DELETE -> Finding.repairable(key, what, "deletes it",
					() -> Repairs.ifStill(still, this.deletion.delete(repostId, author).then()));
			case RESTORE_ORIGINAL -> Finding.byHand(key, "is a repost of " + original + ", which does not exist",
					"restore that post or delete the repost by hand");
			case RESTORE_NAMED -> Finding.byHand(key, what, "restore the post that it names or remove that by hand");
		};
		return finding.afterFanOut();
	}

	/**
	 * If the original names a post that is no repost of it, or is deleted, that one goes.
	 */
	private Mono<Void> add(String repostId, String author, String original) {
		return this.reposts.find(original, author)
			.filterWhen((other) -> beside(other, author, original).map(Remedy.ADD::equals))
			.flatMap((other) -> this.reposts.remove(original, author, other))
			.then(this.reposts.add(original, author, repostId))
			.filter(repostId::equals)
			.switchIfEmpty(Mono.error(Repairs.NotRepairedException::hasChanged))
			.then(this.counts.tell(original, PostCountType.REPOSTS, this.reposts.count(original)));
	}

	/**
	 * What is to be done about a repost that its original does not name. Of a post that
	 * is not there nobody knows whether it is deleted or lost.
	 */
	private enum Remedy {

		ADD, DELETE, RESTORE_ORIGINAL, RESTORE_NAMED

	}

}
