package live.retwis.live;

import java.time.Duration;
import java.util.List;

import live.retwis.log.CommitLog;
import live.retwis.log.LogEntry;
import live.retwis.log.Position;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Fills the memory of an instance that has just started with what the log holds from
 * before, when a stream asks for it: once for all that ask. Used on the feed's thread
 * only.
 */
class FeedBackfill {

	/** Entries of one XREVRANGE. */
	private static final int BATCH = 1000;

	/** Entries that are encoded at the same time. */
	private static final int CONCURRENCY = 64;

	private final FeedMemory memory;

	private final CommitLog log;

	private final EntryEncoder encoder;

	private final LogReader reader;

	private final Scheduler thread;

	private @Nullable Mono<Void> reading;

	private boolean exhausted;

	FeedBackfill(FeedMemory memory, CommitLog log, EntryEncoder encoder, LogReader reader) {
		this.memory = memory;
		this.log = log;
		this.encoder = encoder;
		this.reader = reader;
		this.thread = reader.thread();
	}

	/**
	 * Looks for a position that is not in the memory. Where the log holds it, this
	 * instance is behind, or does not know yet that the log was cut, or has not gone back
	 * so far.
	 * @return whether the memory may hold it now, or soon
	 */
	Mono<Boolean> find(Position position) {
		return Mono.defer(() -> {
			Position oldest = this.memory.oldest();
			if (oldest != null && position.compareTo(oldest) >= 0) {
				return isInLog(position).filter(Boolean::booleanValue)
					.delayElement(Duration.ofMillis(50))
					.publishOn(this.thread)
					.doOnNext((there) -> this.reader.readNow())
					.defaultIfEmpty(false);
			}
			return isBefore(position) ? goBack().repeat(() -> isBefore(position)).then(Mono.just(true))
					: Mono.just(false);
		}).subscribeOn(this.thread);
	}

	private Mono<Boolean> isInLog(Position position) {
		return this.log.from(position, 1)
			.map((entries) -> !entries.isEmpty() && entries.get(0).position().equals(position));
	}

	/** Whether going back may lead there. */
	private boolean isBefore(Position position) {
		Position oldest = this.memory.oldest();
		return oldest != null && position.compareTo(oldest) < 0 && canGoBack();
	}

	/**
	 * Whether the log may hold entries older than the memory, and there is room for them.
	 */
	boolean canGoBack() {
		return !this.exhausted && !this.memory.isFull();
	}

	/** The memory starts anew. */
	void restart() {
		this.exhausted = false;
	}

	/**
	 * Goes back by one batch.
	 * @return done when it is in the memory; an error when the log that answers is not
	 * the one that the memory is of
	 */
	Mono<Void> goBack() {
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
		Position oldest = this.memory.oldest();
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
	 * A master that was replaced and does not know it yet may answer. A log without
	 * entries up to there has been trimmed.
	 */
	private static boolean isOf(Position oldest, List<LogEntry> newestFirst) {
		return newestFirst.isEmpty() || newestFirst.get(0).position().equals(oldest);
	}

	private Mono<List<FeedEntry>> encoded(List<LogEntry> entries) {
		return Flux.fromIterable(entries).flatMapSequential(this.encoder::encode, CONCURRENCY).collectList();
	}

	/** Unless the memory has started anew meanwhile. */
	private void add(Position oldest, List<FeedEntry> older, boolean last) {
		if (oldest.equals(this.memory.oldest())) {
			this.memory.prepend(older);
			this.exhausted = last;
		}
	}

}
