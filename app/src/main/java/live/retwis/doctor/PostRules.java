package live.retwis.doctor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import live.retwis.log.CommitLog;
import live.retwis.log.LogEntry;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * A committed post is in its author's list. A deleted one is in no list. One that was
 * never committed is deleted.
 */
@Component
class PostRules implements RuleSet {

	/** How long X-ray keeps the way of a post. */
	private static final Duration TRAIL = Duration.ofMinutes(10);

	private final StoreReader store;

	private final Repairs repairs;

	private final InFlightGrace inFlightGrace;

	private final RepostRules reposts;

	PostRules(StoreReader store, Repairs repairs, InFlightGrace inFlightGrace, RepostRules reposts) {
		this.store = store;
		this.repairs = repairs;
		this.inFlightGrace = inFlightGrace;
		this.reposts = reposts;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List.of(new KeySchema(Keys.post(""), TimeSortedIdGenerator::isValid, "hash", this::post),
				new KeySchema(Keys.way(""), TimeSortedIdGenerator::isValid, "hash", TRAIL, (rest) -> Flux.empty()));
	}

	private Flux<Finding> post(String id) {
		return this.store
			.fields(Keys.post(id), "author", "username", "created", "body", "deleted", "repost_of", "archived")
			.filter((fields) -> !fields.isEmpty())
			.flatMapMany((fields) -> fields.containsKey("deleted") ? deleted(id, fields)
					: complete(id, fields).concatWith(fields.containsKey("author")
							? listed(id, fields).concatWith(named(id, fields)) : Flux.empty()));
	}

	private Flux<Finding> complete(String id, Map<String, String> fields) {
		String key = Keys.post(id);
		Flux<Finding> missing = Flux.fromStream(Stream.of("author", "username", "created", "body"))
			.filter((field) -> !fields.containsKey(field))
			.map((field) -> Finding.byHand(key, "has no " + field, "set it or delete the post by hand"));
		return missing.concatWith(Mono.justOrEmpty(fields.get("author"))
			.flatMap((author) -> this.store.userExists(author)
				.flatMap((there) -> there ? Mono.empty() : Mono.just(Finding.byHand(key,
						"its author " + author + " does not exist", "restore the user or delete the post by hand")))));
	}

	private Flux<Finding> deleted(String id, Map<String, String> fields) {
		String key = Keys.post(id);
		String author = fields.getOrDefault("author", "");
		Flux<Finding> body = fields.containsKey("body") ? Flux.just(Finding.repairable(key,
				"is deleted, but still has a body", "deletes the body", () -> this.repairs.forgetBody(key)))
				: Flux.empty();
		return body.concatWith(untold(id, fields))
			.concatWith(Flux.just(Keys.PUBLIC_TIMELINE, Keys.postsOf(author))
				.concatMap((list) -> this.store.score(list, id)
					.filter(Optional::isPresent)
					.map((score) -> Finding
						.repairable(key, "is deleted, but still in " + list,
								"logs the deletion again, so that the workers remove it",
								() -> this.repairs.logDeletion(id, author))
						.afterFanOut())));
	}

	/**
	 * A deleted post that the archive may have must be noted. Otherwise it stays forever.
	 */
	private Mono<Finding> untold(String id, Map<String, String> fields) {
		return Mono.justOrEmpty(fields.get("archived"))
			.flatMap((archived) -> this.store.score(Keys.ARCHIVE_DELETED, id))
			.filter(Optional::isEmpty)
			.map((unnoted) -> Finding
				.repairable(Keys.post(id),
						"is deleted, but the archive may have it, and it is not in " + Keys.ARCHIVE_DELETED, "adds it",
						() -> this.repairs.noteDeleted(id))
				.afterFanOut());
	}

	/**
	 * Checks that a post is in its author's list. A younger one may still be on its way
	 * into the log.
	 */
	private Flux<Finding> listed(String id, Map<String, String> fields) {
		String author = fields.getOrDefault("author", "");
		return this.inFlightGrace.isOver(TimeSortedIdGenerator.millisOf(id))
			.flatMap((old) -> this.store.score(Keys.postsOf(author), id))
			.filter(Optional::isEmpty)
			.flatMap((missing) -> unlisted(id, author, fields))
			.map(Finding::afterFanOut)
			.flux();
	}

	/** Checks a repost. A younger one may still be on its way into the log. */
	private Mono<Finding> named(String id, Map<String, String> fields) {
		return this.inFlightGrace.isOver(TimeSortedIdGenerator.millisOf(id))
			.flatMap((old) -> this.reposts.named(id, fields));
	}

	private Mono<Finding> unlisted(String id, String author, Map<String, String> fields) {
		String key = Keys.post(id);
		String list = Keys.postsOf(author);
		return committed(id, author)
			.map((millis) -> Finding.repairable(key, "is committed, but not in " + list, "adds it",
					() -> Repairs.ifStill(isShown(key), this.repairs.add(list, id, millis))))
			.switchIfEmpty(Mono.defer(() -> uncommitted(id, fields)));
	}

	private Mono<Boolean> isShown(String key) {
		return this.store.fields(key, "author", "deleted")
			.map((fields) -> fields.containsKey("author") && !fields.containsKey("deleted"));
	}

	/**
	 * When the post was committed, according to a list or the log; empty when neither
	 * knows.
	 */
	private Mono<Double> committed(String id, String author) {
		return Flux.just(Keys.PUBLIC_TIMELINE, Keys.homeTimeline(author))
			.concatMap((list) -> this.store.score(list, id))
			.concatMap(Mono::justOrEmpty)
			.next()
			.switchIfEmpty(this.store.committed(id).map(Long::doubleValue));
	}

	/**
	 * A post that no list and no log entry names. It is known to be uncommitted only if
	 * the log reaches back to the time at which it was made.
	 */
	private Mono<Finding> uncommitted(String id, Map<String, String> fields) {
		String key = Keys.post(id);
		return this.store.oldestEntry()
			.map((oldest) -> reachesBack(oldest, TimeSortedIdGenerator.millisOf(id)))
			.defaultIfEmpty(false)
			.map((proven) -> proven
					? Finding.repairable(key, "was never committed: no log entry names it", "deletes it",
							() -> discard(key, fields))
					: Finding.byHand(key, "is in no list, and the log does not reach back to it",
							"add it to its author's posts or delete it by hand"));
	}

	/**
	 * Whether the log reaches back to the time. If it still has its first entry, nothing
	 * was ever trimmed.
	 */
	private static boolean reachesBack(LogEntry oldest, long millis) {
		long margin = (oldest.type() == LogEntry.Type.START) ? 0 : CommitLog.CLOCK_DIFFERENCE.toMillis();
		return oldest.position().millis() <= millis - margin;
	}

	private Mono<Void> discard(String key, Map<String, String> fields) {
		return this.repairs.discardHash(key, Map.of("author", fields.getOrDefault("author", ""), "created",
				fields.getOrDefault("created", ""), "deleted", ""));
	}

}
