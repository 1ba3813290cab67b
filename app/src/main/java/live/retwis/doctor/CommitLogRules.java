package live.retwis.doctor;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import live.retwis.doctor.Repairs.NotRepairedException;
import live.retwis.fanout.DeadLetters;
import live.retwis.fanout.DeadLetters.DeadLetter;
import live.retwis.log.LogEntry;
import live.retwis.redis.Keys;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Each log entry has a nonce, and the post that it names exists. Each unfinished task
 * exists in the stream of tasks. No entry was put aside.
 */
@Component
class CommitLogRules implements RuleSet {

	private static final int CONCURRENCY = 64;

	private static final String SKIPPED = "it is skipped, and disappears when the log is trimmed";

	private final StoreReader store;

	private final ListChecks lists;

	private final DeadLetters deadLetters;

	CommitLogRules(StoreReader store, ListChecks lists, DeadLetters deadLetters) {
		this.store = store;
		this.lists = lists;
		this.deadLetters = deadLetters;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List.of(KeySchema.single(Keys.LOG, "stream", (rest) -> log()),
				KeySchema.single(Keys.DEAD_LETTERS, "stream",
						(rest) -> this.deadLetters.all().concatMap(this::putAside)),
				KeySchema.single(Keys.FAN_OUT_TASKS, "stream", (rest) -> Flux.empty()),
				KeySchema.single(Keys.POSTPONED, "stream", (rest) -> Flux.empty()),
				KeySchema.single(Keys.UNFINISHED, "zset", (rest) -> index(Keys.UNFINISHED, Keys.FAN_OUT_TASKS)),
				KeySchema.single(Keys.POSTPONED_BY_COMMIT, "zset",
						(rest) -> index(Keys.POSTPONED_BY_COMMIT, Keys.POSTPONED)),
				KeySchema.single(Keys.INTENTS, "zset", (rest) -> Flux.empty()));
	}

	/**
	 * Every id in the index of a stream must have its entry in the stream. Without its
	 * entry, an id would stay forever.
	 */
	private Flux<Finding> index(String key, String stream) {
		return this.lists.members(key, (id) -> this.store.entryExists(stream, id.value())
			.flatMap((there) -> there ? Mono.empty() : Mono
				.just(this.lists.wrong(key, id, "holds " + id.value() + ", which " + stream + " does not have"))));
	}

	/** Lists lack what an entry was to write there, so it has to be processed again. */
	private Mono<Finding> putAside(DeadLetter letter) {
		String what = "has in " + letter.id() + name(letter) + ", which no worker could process: " + letter.error();
		Mono<Boolean> canBeProcessed = letter.isTask() ? Mono.just(letter.hasTask())
				: this.store.entryExists(Keys.LOG, letter.entry());
		return canBeProcessed.map((again) -> again
				? Finding.repairable(Keys.DEAD_LETTERS, what, "gives it to the workers again", () -> retry(letter))
				: Finding.byHand(Keys.DEAD_LETTERS, what, "nothing has it any more; to stop being told of it, XDEL "
						+ Keys.DEAD_LETTERS + " " + letter.id()));
	}

	private static String name(DeadLetter letter) {
		if (!letter.isTask()) {
			return " entry " + letter.entry() + " of the log";
		}
		return letter.hasTask() ? " a task of entry " + letter.entry() + " of the log" : " the task " + letter.entry();
	}

	private Mono<Void> retry(DeadLetter letter) {
		return this.deadLetters.retry(letter.id())
			.filter(Boolean::booleanValue)
			.switchIfEmpty(Mono.error(NotRepairedException::hasChanged))
			.then();
	}

	private Flux<Finding> log() {
		return deletedPosts()
			.flatMapMany((deleted) -> this.store.entries().flatMap((entry) -> entry(entry, deleted), CONCURRENCY));
	}

	/**
	 * Ids of deleted posts. They are exempt, because a deleted post is removed
	 * completely.
	 */
	private Mono<Set<String>> deletedPosts() {
		return this.store.entries()
			.filter((entry) -> entry.type() == LogEntry.Type.DELETE)
			.map(LogEntry::post)
			.collect(Collectors.toSet());
	}

	/** Checks an entry. A post is stored before its entry, so it must exist. */
	private Mono<Finding> entry(LogEntry entry, Set<String> deleted) {
		String id = entry.position().entryId();
		if (entry.position().nonce().isEmpty()) {
			return Mono.just(Finding.byHand(Keys.LOG, "entry " + id + " has no nonce", SKIPPED));
		}
		return (entry.type() == LogEntry.Type.POST && !deleted.contains(entry.post()))
				? this.store.postExists(entry.post())
					.flatMap((there) -> there ? Mono.empty()
							: Mono.just(Finding.byHand(Keys.LOG,
									"entry " + id + " names post " + entry.post() + ", which does not exist", SKIPPED)))
				: Mono.empty();
	}

}
