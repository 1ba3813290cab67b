package live.retwis.timeline;

import java.time.Duration;
import java.util.List;

import live.retwis.redis.Availability;
import live.retwis.redis.LogEntry;
import live.retwis.redis.LogListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Works through the log: woken by each new entry, and each second in case a wake-up was
 * lost. While the data node is away it waits and goes on where it was. A command that
 * ends soon goes without: what it took up and left would be taken over only later.
 */
@Component
@ConditionalOnProperty(name = "retwis.fan-out.worker", matchIfMissing = true)
class FanOutWorker implements LogListener, SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(FanOutWorker.class);

	private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

	private static final Duration CLAIM_EVERY = Duration.ofSeconds(10);

	/** Tries of an entry that fails for another reason than the data node's absence. */
	private static final int TRIES = 5;

	private static final Duration FIRST_RETRY = Duration.ofMillis(100);

	private static final Duration LAST_RETRY = Duration.ofSeconds(2);

	private final FanOutQueue queue;

	private final FanOut fanOut;

	private final Sinks.Many<Object> wakeUps = Sinks.many().multicast().directBestEffort();

	private @Nullable Disposable working;

	FanOutWorker(FanOutQueue queue, FanOut fanOut) {
		this.queue = queue;
		this.fanOut = fanOut;
	}

	@Override
	public void accept(LogEntry entry) {
		this.wakeUps.tryEmitNext(entry);
	}

	@Override
	public void start() {
		Flux<Object> wakeUp = Flux.merge(this.wakeUps.asFlux(), Flux.interval(Duration.ZERO, LOOK_EVERY));
		Flux<Void> fresh = wakeUp.onBackpressureLatest().concatMap((wake) -> drain(this.queue.next()), 1);
		Flux<Void> abandoned = Flux.interval(CLAIM_EVERY)
			.onBackpressureDrop()
			.concatMap((tick) -> drain(this.queue.abandoned()), 1);
		this.working = Flux.merge(fresh, abandoned)
			.retryWhen(again())
			.subscribe(null, (error) -> log.error("Fan-out has ended", error));
	}

	/** A mistake of ours stops one round, not the worker. */
	private static Retry again() {
		return Retry.backoff(Long.MAX_VALUE, FIRST_RETRY)
			.maxBackoff(LAST_RETRY)
			.doBeforeRetry((signal) -> log.error("Fan-out starts again", signal.failure()));
	}

	/** Takes batch after batch until there is none. */
	private Mono<Void> drain(Mono<List<LogEntry>> batch) {
		return batch.expand((entries) -> entries.isEmpty() ? Mono.empty() : batch)
			.concatMap((entries) -> Flux.fromIterable(entries).concatMap(this::work, 1), 1)
			.then()
			.onErrorResume((error) -> {
				log.debug("Fan-out waits: {}", error.toString());
				return Mono.empty();
			});
	}

	private Mono<Void> work(LogEntry entry) {
		Mono<Void> done = Mono.defer(() -> this.fanOut.apply(entry)).then(this.queue.done(entry));
		Retry whileAway = Retry.backoff(Long.MAX_VALUE, FIRST_RETRY)
			.maxBackoff(LAST_RETRY)
			.filter(Availability::isAway);
		Retry fewTimes = Retry.backoff(TRIES - 1, FIRST_RETRY).maxBackoff(LAST_RETRY);
		return done.retryWhen(whileAway).retryWhen(fewTimes).onErrorResume((error) -> {
			log.error("Entry {} cannot be done and is put aside", entry, error);
			return this.queue.dead(entry, error);
		});
	}

	@Override
	public void stop() {
		if (this.working != null) {
			this.working.dispose();
			this.working = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.working != null;
	}

	/** From before the web server to after it: until then posts come in. */
	@Override
	public int getPhase() {
		return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 2;
	}

}
