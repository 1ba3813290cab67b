package live.retwis.account;

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
 * Notes in {@code user:{id}} when users were here last. No page waits for it; what is too
 * much, or fails, is noted at the next visit.
 */
@Component
class VisitRecorder implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(VisitRecorder.class);

	private static final int MOST_WAITING = 1000;

	private static final int CONCURRENCY = 16;

	private final UserRepository users;

	private final VisitListener listener;

	private final Sinks.Many<String> seen = Sinks.many().multicast().directBestEffort();

	private @Nullable Disposable noting;

	VisitRecorder(UserRepository users, VisitListener listener) {
		this.users = users;
		this.listener = listener;
	}

	/**
	 * A user is here.
	 * @param last when the user was here before, in ms; null when that was never noted
	 */
	void seen(String userId, @Nullable String last) {
		if (last == null || now() - Long.parseLong(last) >= this.listener.pause().toMillis()) {
			this.seen.tryEmitNext(userId);
		}
	}

	private Mono<Void> note(String userId) {
		return Mono.when(this.users.noteVisit(userId, now()), this.listener.visited(userId)).onErrorResume((error) -> {
			log.debug("A visit is noted next time: {}", error.toString());
			return Mono.empty();
		});
	}

	private static long now() {
		return System.currentTimeMillis();
	}

	@Override
	public void start() {
		this.noting = this.seen.asFlux().onBackpressureBuffer(MOST_WAITING, (tooMany) -> {
		}, BufferOverflowStrategy.DROP_LATEST).flatMap(this::note, CONCURRENCY).subscribe();
	}

	@Override
	public void stop() {
		if (this.noting != null) {
			this.noting.dispose();
			this.noting = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.noting != null;
	}

}
