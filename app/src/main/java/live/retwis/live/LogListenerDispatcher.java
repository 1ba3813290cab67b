package live.retwis.live;

import java.util.List;

import live.retwis.log.CommitLogListener;
import live.retwis.log.InstanceLogPosition;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;

import org.springframework.stereotype.Component;

/**
 * Tells all listeners of this instance of the log's entries, each entry once and in
 * order. Used on the feed's thread only.
 */
@Component
class LogListenerDispatcher {

	private static final Logger logger = LoggerFactory.getLogger(LogListenerDispatcher.class);

	private final List<CommitLogListener> listeners;

	private final InstanceLogPosition heard;

	/** Listeners that failed and have to be prepared again. */
	private final Sinks.Many<CommitLogListener> failed = Sinks.many().multicast().directBestEffort();

	/**
	 * Position of the last entry that the listeners were told of; null until there is
	 * one.
	 */
	private @Nullable LogPosition last;

	LogListenerDispatcher(List<CommitLogListener> listeners, InstanceLogPosition heard) {
		this.listeners = listeners;
		this.heard = heard;
	}

	/**
	 * Resets and prepares the listeners, one after the other. What they read then is at
	 * least as new as the newest entry at the time of this call. A cache that is filled
	 * after its reset can rely on the listeners before it.
	 */
	Mono<Void> prepare() {
		return Flux.fromIterable(this.listeners).concatMap((listener) -> {
			listener.reset();
			return listener.prepare();
		}).then();
	}

	/** Prepares listeners that fail, until cancelled. */
	Flux<Void> preparing(Retry retry) {
		return this.failed.asFlux().flatMap((listener) -> listener.prepare().retryWhen(retry));
	}

	/** Begins after the entry at this position. The listeners are prepared. */
	void begin(LogPosition newest) {
		this.last = newest;
		this.heard.heard(newest);
	}

	/**
	 * Tells the listeners of an entry.
	 * @return false when they were told of it before
	 */
	boolean tell(LogEntry entry) {
		if (this.last != null && entry.position().compareTo(this.last) <= 0) {
			return false;
		}
		this.listeners.forEach((listener) -> tell(listener, entry));
		this.last = entry.position();
		this.heard.heard(entry.position());
		return true;
	}

	/**
	 * Tells one listener. If it fails it is reset, because it must not continue with work
	 * that may be half done.
	 */
	private void tell(CommitLogListener listener, LogEntry entry) {
		try {
			listener.accept(entry);
		}
		catch (RuntimeException ex) {
			logger.error("{} failed at {}, and is reset", listener.getClass().getSimpleName(), entry, ex);
			listener.reset();
			this.failed.tryEmitNext(listener);
		}
	}

}
