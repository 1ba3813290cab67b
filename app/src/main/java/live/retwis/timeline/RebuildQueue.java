package live.retwis.timeline;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.BufferOverflowStrategy;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Makes the home timelines of those who come back, while they read what their page found
 * for them otherwise. What is too much, or fails, is done at the next page.
 */
@Component
class RebuildQueue implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(RebuildQueue.class);

	private static final int MOST_WAITING = 1000;

	private static final int CONCURRENCY = 4;

	private final TimelineRebuild rebuild;

	private final Sinks.Many<String> returned = Sinks.many().multicast().directBestEffort();

	private @Nullable Disposable rebuilding;

	RebuildQueue(TimelineRebuild rebuild) {
		this.rebuild = rebuild;
	}

	/** A user without a timeline is here, and follows somebody who has posted. */
	void rebuild(String userId) {
		this.returned.tryEmitNext(userId);
	}

	private Mono<Void> run(String userId) {
		return this.rebuild.run(userId).then().onErrorResume((error) -> {
			log.debug("A timeline is made next time: {}", error.toString());
			return Mono.empty();
		});
	}

	@Override
	public void start() {
		this.rebuilding = this.returned.asFlux().onBackpressureBuffer(MOST_WAITING, (tooMany) -> {
		}, BufferOverflowStrategy.DROP_LATEST).flatMap(this::run, CONCURRENCY).subscribe();
	}

	@Override
	public void stop() {
		if (this.rebuilding != null) {
			this.rebuilding.dispose();
			this.rebuilding = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.rebuilding != null;
	}

}
