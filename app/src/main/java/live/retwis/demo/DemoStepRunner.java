package live.retwis.demo;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import live.retwis.account.Registration;
import live.retwis.log.LogAdmissionControl;
import live.retwis.redis.DataNodeFullException;
import live.retwis.redis.NotConfirmedException;
import live.retwis.redis.RedisErrorClassifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The steps of the demo that have begun and are not done. When the demo is stopped, it
 * finishes these and begins no others, so that nothing is left half made.
 */
@Component
class DemoStepRunner implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(DemoStepRunner.class);

	/** A step that fails because of a state that passes is begun again a second later. */
	private static final Retry FOR_NOW = Retry.fixedDelay(Long.MAX_VALUE, Duration.ofSeconds(1))
		.filter(DemoStepRunner::isForNow)
		.doBeforeRetry(DemoStepRunner::tellOnce);

	private final Set<CompletableFuture<?>> steps = new HashSet<>();

	private boolean running;

	/**
	 * Runs a step. Once begun it runs to its end, even when cancelled. While the data
	 * node is away or nearly full, while too much waits for fan-out, while too few
	 * replicas confirm, and while a name cannot be registered, the step is begun again
	 * and again.
	 * @return the step's answer; never completes when the demo was stopped before the
	 * step began
	 */
	<T> Mono<T> run(Mono<T> step) {
		return Mono.defer(() -> begin(step)).retryWhen(FOR_NOW);
	}

	private static boolean isForNow(Throwable error) {
		return RedisErrorClassifier.isAway(error) || error instanceof DataNodeFullException
				|| error instanceof LogAdmissionControl.NotAdmittedException || error instanceof NotConfirmedException
				|| error instanceof Registration.RegistrationPausedException;
	}

	private static void tellOnce(Retry.RetrySignal signal) {
		if (signal.totalRetries() == 0) {
			log.warn("The demo waits: {}", RedisErrorClassifier.reasonText(signal.failure()));
		}
	}

	private synchronized <T> Mono<T> begin(Mono<T> step) {
		if (!this.running) {
			return Mono.never();
		}
		CompletableFuture<T> begun = step.toFuture();
		this.steps.add(begun);
		begun.whenComplete((answer, error) -> end(begun));
		return Mono.fromFuture(begun, true);
	}

	private synchronized void end(CompletableFuture<?> step) {
		this.steps.remove(step);
	}

	@Override
	public synchronized void start() {
		this.running = true;
	}

	/**
	 * Waits for the steps that have begun. Each ends in bounded time, and Spring limits
	 * the time of a shutdown phase too.
	 */
	@Override
	public synchronized void stop(Runnable done) {
		this.running = false;
		CompletableFuture.allOf(this.steps.toArray(CompletableFuture<?>[]::new))
			.whenComplete((answer, error) -> done.run());
	}

	@Override
	public void stop() {
		stop(() -> {
			// Nothing waits for the steps here.
		});
	}

	@Override
	public synchronized boolean isRunning() {
		return this.running;
	}

	/**
	 * In a phase of its own, because all beans of a phase are stopped at the same time.
	 */
	@Override
	public int getPhase() {
		return SmartLifecycle.DEFAULT_PHASE - 2;
	}

}
