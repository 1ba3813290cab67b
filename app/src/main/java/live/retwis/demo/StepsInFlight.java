package live.retwis.demo;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import reactor.core.publisher.Mono;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The demo's steps that have begun and are not done. A demo that is stopped finishes
 * these, so that nothing is left half made, and begins no others.
 */
@Component
class StepsInFlight implements SmartLifecycle {

	private final Set<CompletableFuture<?>> steps = new HashSet<>();

	private boolean running;

	/**
	 * A step that is done to its end once it has begun, also when it is cancelled.
	 * @return its answer; none when the demo is stopped before it begins
	 */
	<T> Mono<T> run(Mono<T> step) {
		return Mono.defer(() -> begin(step));
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

	/** Each step ends in bounded time, and so does a phase of the shutdown. */
	@Override
	public synchronized void stop(Runnable done) {
		this.running = false;
		CompletableFuture.allOf(this.steps.toArray(CompletableFuture<?>[]::new))
			.whenComplete((answer, error) -> done.run());
	}

	@Override
	public void stop() {
		stop(() -> {
			// Nobody waits for it.
		});
	}

	@Override
	public synchronized boolean isRunning() {
		return this.running;
	}

	/** In a phase of its own: the parts of a phase stop together. */
	@Override
	public int getPhase() {
		return SmartLifecycle.DEFAULT_PHASE - 2;
	}

}
