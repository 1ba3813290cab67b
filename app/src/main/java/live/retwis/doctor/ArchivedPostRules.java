package live.retwis.doctor;

import java.util.Map;
import java.util.Optional;

import live.retwis.account.AccountStateRepository;
import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.ArchiveMarkers;
import live.retwis.archive.ArchivedPost;
import live.retwis.redis.Keys;
import live.retwis.redis.RedisErrorClassifier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

import org.springframework.stereotype.Component;

/**
 * The posts of an author in the archive, and what Redis says of them. Readers get there
 * from the author's lists. What is deleted in Redis is also deleted in the archive, soon.
 * A post that both have says so in Redis.
 */
@Component
class ArchivedPostRules {

	/** Posts checked concurrently. Their commands share one connection. */
	private static final int CONCURRENCY = 64;

	private final ArchiveReader archive;

	private final StoreReader store;

	private final Repairs repairs;

	private final InFlightGrace inFlightGrace;

	ArchivedPostRules(ArchiveReader archive, StoreReader store, Repairs repairs, InFlightGrace inFlightGrace) {
		this.archive = archive;
		this.store = store;
		this.repairs = repairs;
		this.inFlightGrace = inFlightGrace;
	}

	/** If the archive does not answer, nothing is known. */
	Flux<Finding> of(String author) {
		String key = ArchiveReader.POSTS_OF + author;
		return this.store.fields(Keys.user(author), "username", "state", "deleted")
			.flatMapMany((user) -> (user.isEmpty() || AccountStateRepository.DELETED.equals(user.get("state")))
					? ofGone(key, author, user).flux() : posts(key, author))
			.onErrorResume(ArchiveAwayException.class, (away) -> this.archive.unanswered().thenMany(Flux.empty()));
	}

	/**
	 * A user who is gone must be noted, so that the posts are deleted. A younger deletion
	 * may be in progress.
	 */
	private Mono<Finding> ofGone(String key, String author, Map<String, String> user) {
		return this.store.score(Keys.ARCHIVE_CLOSED, author)
			.filter(Optional::isEmpty)
			.filterWhen((unnoted) -> this.inFlightGrace.isOver(Long.parseLong(user.getOrDefault("deleted", "0"))))
			.map((unnoted) -> user.isEmpty()
					? Finding.byHand(key, "its user " + author + " does not exist",
							"restore the user or delete the posts in the database by hand")
					: Finding
						.repairable(key, "its user has deleted the account, but is not in " + Keys.ARCHIVE_CLOSED,
								"adds the user", () -> this.repairs.noteClosed(author))
						.afterFanOut());
	}

	private Flux<Finding> posts(String key, String author) {
		PlaceTally own = new PlaceTally();
		PlaceTally pulled = new PlaceTally();
		return this.archive.postsOf(author)
			.concatMap((page) -> Flux.fromIterable(page)
				.flatMap((post) -> post(key, author, post, own, pulled), CONCURRENCY), 1)
			.concatWith(Flux.defer(() -> boundary(key, Keys.postsOf(author), own, true)
				.concatWith(boundary(key, Keys.pulledOf(author), pulled, false))));
	}

	private Mono<Finding> post(String key, String author, ArchivedPost post, PlaceTally own, PlaceTally pulled) {
		String id = post.id();
		return Mono
			.zip(this.store.fields(Keys.post(id), "author", "deleted", "archived"),
					this.store.score(Keys.postsOf(author), id), this.store.score(Keys.pulledOf(author), id))
			.flatMap(TupleUtils.function((fields, ownScore, pulledScore) -> {
				boolean deleted = fields.containsKey("deleted");
				own.add(post, deleted, ownScore.isPresent());
				if (post.pulled()) {
					pulled.add(post, deleted, pulledScore.isPresent());
				}
				return deleted ? deleted(key, id, fields) : Mono.justOrEmpty(unmarked(key, id, fields));
			}))
			.onErrorResume(RedisErrorClassifier::isWrongType, (wrong) -> {
				own.addUnknown();
				pulled.addUnknown();
				return Mono.empty();
			});
	}

	/**
	 * The worker that removes a deleted post from the lists notes it. {@link PostRules}
	 * has the same rule for those that have the field {@code archived}.
	 */
	private Mono<Finding> deleted(String key, String id, Map<String, String> post) {
		return Mono.just(post)
			.filter((fields) -> !fields.containsKey("archived"))
			.flatMap((fields) -> this.store.score(Keys.ARCHIVE_DELETED, id))
			.filter(Optional::isEmpty)
			.map((unnoted) -> Finding
				.repairable(key, "has post " + id + ", which is deleted, but not in " + Keys.ARCHIVE_DELETED, "adds it",
						() -> this.repairs.noteDeleted(id))
				.afterFanOut());
	}

	private Optional<Finding> unmarked(String key, String id, Map<String, String> post) {
		return (post.isEmpty() || post.containsKey("archived")) ? Optional.empty()
				: Optional.of(Finding.repairable(key, "has post " + id + ", which Redis has without the field archived",
						"sets the field", () -> this.repairs.markArchived(id)));
	}

	/**
	 * Checks that a list leads to the posts, and how many it says there are. Posts that
	 * are deleted or still in the list may count or not.
	 */
	private Flux<Finding> boundary(String key, String list, PlaceTally tally, boolean counted) {
		return Mono.zip(this.store.score(list, ArchiveMarkers.MARK), this.store.score(list, ArchiveMarkers.COUNT))
			.flatMapMany(TupleUtils.function((mark, count) -> {
				long said = count.map(Double::longValue).orElse(0L);
				if (tally.posts > 0 && mark.orElse(0.0) < tally.newest) {
					return Flux.just(Finding.repairable(key, "has posts to which " + list + " does not lead",
							"lets it lead there",
							() -> this.repairs.setBoundary(list, mark, count, tally.newest, tally.posts)));
				}
				return (!counted || tally.mayBe(said)) ? Flux.empty()
						: Flux.just(Finding.repairable(key,
								"has " + tally.posts + " posts, but " + list + " says " + said, "sets the number",
								() -> this.repairs.setBoundary(list, mark, count, tally.newest, tally.posts)));
			}));
	}

	/** What was counted so far of the posts that a list leads to. */
	private static final class PlaceTally {

		/** Posts that are in the archive alone. */
		private long posts;

		/** Those that Redis calls deleted, or of which a key has another type. */
		private long uncertain;

		/** ms of the newest one that is in the archive alone. */
		private long newest;

		synchronized void add(ArchivedPost post, boolean isDeleted, boolean isListed) {
			if (isDeleted) {
				addUnknown();
			}
			else if (!isListed) {
				this.posts++;
				this.newest = Math.max(this.newest, post.committed());
			}
		}

		/** It may count or not. */
		synchronized void addUnknown() {
			this.uncertain++;
		}

		boolean mayBe(long count) {
			return count >= this.posts && count <= this.posts + this.uncertain;
		}

	}

}
