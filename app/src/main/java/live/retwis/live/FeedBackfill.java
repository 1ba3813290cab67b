package live.retwis.live;

import java.time.Duration;
import java.util.List;

import live.retwis.log.CommitLog;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Loads older log entries into the memory of the feed when a stream asks for a position
 * that is not there. An instance that has just started needs this. Streams that ask at
 * the same time share one read. Used on the feed's thread only.
 */
class FeedBackfill {

	/** Entries that one XREVRANGE reads. */
	private static final int BATCH = 1000;

	/** Most entries that are encoded concurrently. */
	private static final int CONCURRENCY = 64;

	private final FeedMemory memory;

	private final CommitLog log;

	private final EntryEncoder encoder;

	private final CommitLogTailer reader;

	private final Scheduler thread;

	private @Nullable Mono<Void> reading;

	private boolean exhausted;

	FeedBackfill(FeedMemory memory, CommitLog log, EntryEncoder encoder, CommitLogTailer reader) {
		this.memory = memory;
		this.log = log;
		this.encoder = encoder;
		this.reader = reader;
		this.thread = reader.thread();
	}

	/**
	 * Looks for a position that is not in the memory. If the log holds it, there are
	 * three possible reasons: this instance is behind, it does not know yet that the log
	 * was cut, or it has not loaded such old entries.
	 * @return whether the memory may hold the position now or soon
	 */
	Mono<Boolean> find(LogPosition position) {
		return Mono.defer(() -> {
			LogPosition oldest = this.memory.oldest();
			if (oldest != null && position.compareTo(oldest) >= 0) {
				return isInLog(position).filter(Boolean::booleanValue)
					.delayElement(Duration.ofMillis(50))
					.publishOn(this.thread)
					.doOnNext((there) -> this.reader.readNow())
					.defaultIfEmpty(false);
			}
			return isBefore(position) ? loadOlder().repeat(() -> isBefore(position)).then(Mono.just(true))
					: Mono.just(false);
		}).subscribeOn(this.thread);
	}

	private Mono<Boolean> isInLog(LogPosition position) {
		return this.log.from(position, 1)
			.map((entries) -> !entries.isEmpty() && entries.get(0).position().equals(position));
	}

	/** Whether loading older entries may reach the position. */
	private boolean isBefore(LogPosition position) {
		LogPosition oldest = this.memory.oldest();
		return oldest != null && position.compareTo(oldest) < 0 && canGoBack();
	}

	/**
	 * Whether the log may hold entries older than the memory, and the memory has room for
	 * them.
	 */
	boolean canGoBack() {
		return !this.exhausted && !this.memory.isFull();
	}

	/** Called when the memory is cleared and starts again. */
	void restart() {
		this.exhausted = false;
	}

	/**
	 * Loads one batch of older entries.
	 * @return done when the batch is in the memory; an error when the log that answers is
	 * not the one that the memory was read from
	 */
	Mono<Void> loadOlder() {
		return Mono.defer(() -> {
			Mono<Void> current = this.reading;
			if (current == null) {
				current = read().cache();
				this.reading = current;
			}
			return current;
		}).subscribeOn(this.thread);
	}

	private Mono<Void> read() {
		LogPosition oldest = this.memory.oldest();
		if (oldest == null) {
			return Mono.empty();
		}
		return this.log.upTo(oldest, BATCH)
			.flatMap((entries) -> isOf(oldest, entries)
					? encoded(entries).publishOn(this.thread)
						.doOnNext((older) -> add(oldest, older, entries.size() < BATCH))
					: Mono.error(new IllegalStateException("the log does not hold " + oldest)))
			.publishOn(this.thread)
			.doOnTerminate(() -> this.reading = null)
			.then();
	}

	/**
	 * Whether the entries continue the memory. A former master that does not know yet
	 * that it was replaced may have answered with other entries. If there are no entries
	 * at all, the log has been trimmed.
	 */
	private static boolean isOf(LogPosition oldest, List<LogEntry> newestFirst) {
		return newestFirst.isEmpty() || newestFirst.get(0).position().equals(oldest);
	}

	private Mono<List<FeedEntry>> encoded(List<LogEntry> entries) {
		return Flux.fromIterable(entries).flatMapSequential(this.encoder::encode, CONCURRENCY).collectList();
	}

	/** Adds the batch, unless the memory has been cleared meanwhile. */
	private void add(LogPosition oldest, List<FeedEntry> older, boolean last) {
		if (oldest.equals(this.memory.oldest())) {
			this.memory.prepend(older);
			this.exhausted = last;
		}
	}

}
