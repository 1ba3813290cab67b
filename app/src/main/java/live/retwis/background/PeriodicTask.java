package live.retwis.background;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.context.SmartLifecycle;
import org.springframework.core.NestedExceptionUtils;

/**
 * A task that runs periodically while the site runs. A run starts one period after the
 * end of the run before it, however long that took. A failure is logged at debug level,
 * and the next run starts as usual.
 */
public abstract class PeriodicTask implements SmartLifecycle {

	private final Logger log = LoggerFactory.getLogger(getClass());

	private final Duration period;

	private @Nullable Disposable running;

	protected PeriodicTask(Duration period) {
		this.period = period;
	}

	/** One run. */
	protected abstract Mono<Void> run();

	@Override
	public void start() {
		this.running = Mono.defer(this::run).onErrorResume((error) -> {
			this.log.debug("It is tried again later: {}", NestedExceptionUtils.getMostSpecificCause(error).toString());
			return Mono.empty();
		}).repeatWhen((ends) -> ends.delayElements(this.period)).subscribeOn(Schedulers.parallel()).subscribe();
	}

	@Override
	public void stop() {
		if (this.running != null) {
			this.running.dispose();
			this.running = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.running != null;
	}

}
