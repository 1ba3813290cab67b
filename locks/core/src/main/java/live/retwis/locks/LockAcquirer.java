package live.retwis.locks;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;
import reactor.util.retry.Retry.RetrySignal;

/**
 * The way of one caller to a lease. It tries until the wait is over, with a fresh owner
 * for each try. {@link #release()} may come at any point and leaves nothing behind.
 */
final class LockAcquirer {

	private final String resource;

	private final LockOptions options;

	private final LockDependencies dependencies;

	private final ClockReading start;

	private volatile @Nullable VotingRound current;

	private volatile @Nullable CompletableFuture<Void> turn;

	private volatile boolean claimFailed;

	/** Whether a lease was acquired and the fence has noted its owner. */
	private volatile boolean granted;

	private volatile boolean released;

	LockAcquirer(String resource, LockOptions options, LockDependencies dependencies) {
		this.resource = resource;
		this.options = options;
		this.dependencies = dependencies;
		this.start = dependencies.environment().now();
	}

	/** Acquires a lease within the wait. */
	Mono<HeldLease> lease() {
		if (this.options.waitTime().isZero()) {
			return once(Duration.ZERO);
		}
		return Mono.fromFuture(this::joinQueue, true)
			.then(once(this.options.waitTime()).retryWhen(Retry.from((failures) -> failures.concatMap(this::pause))))
			.doOnNext((hold) -> queues().held(this.resource))
			.timeout(this.options.waitTime(), Mono.error(this::waitOver), timers());
	}

	private CompletableFuture<Void> joinQueue() {
		CompletableFuture<Void> place = queues().enter(this.resource);
		this.turn = place;
		if (this.released) {
			leaveQueue();
		}
		return place;
	}

	private void leaveQueue() {
		CompletableFuture<Void> place = this.turn;
		if (place != null) {
			queues().leave(this.resource, place);
		}
	}

	private Scheduler timers() {
		return this.dependencies.environment().timers();
	}

	private LocalQueues queues() {
		return this.dependencies.queues();
	}

	/**
	 * Acquires a lease with one try. The caller releases it.
	 * <p>
	 * The caller may cancel while the lease is handed over. A caller that cancels within
	 * the handover has received the lease and keeps it. A caller that cancels on another
	 * thread, or later, has given up, and what it gave up drops the lease. So the lease
	 * is released here, also when the cancellation comes after the completion: what drops
	 * the lease drops the completion, too.
	 */
	Mono<Lease> handOver() {
		AtomicReference<@Nullable Thread> handing = new AtomicReference<>();
		return once(Duration.ZERO).<Lease>map((hold) -> hold)
			.doOnNext((lease) -> handing.set(Thread.currentThread()))
			.doAfterTerminate(() -> handing.set(null))
			.doOnCancel(() -> {
				if (handing.get() != Thread.currentThread()) {
					release();
				}
			})
			.doOnError((error) -> release())
			.onErrorResume((error) -> error instanceof LockTaken && !this.claimFailed, (taken) -> Mono.empty());
	}

	private Mono<HeldLease> once(Duration wait) {
		return Mono.defer(() -> {
			VotingRound attempt = new VotingRound(this.resource, this.options, this.dependencies);
			this.current = attempt;
			if (this.released) {
				attempt.release();
			}
			return Mono.fromFuture(() -> attempt.start(wait), true)
				.flatMap((validity) -> Mono.justOrEmpty(validity.map((length) -> new HeldLease(attempt, length)))
					.switchIfEmpty(Mono.error(attempt::refusal)));
		})
			.flatMap((hold) -> hold.claim().doOnError((error) -> this.claimFailed = true))
			.doOnNext((hold) -> this.granted = true);
	}

	/**
	 * The pause before the next try. Fails when the next try would begin after the wait.
	 */
	private Publisher<?> pause(RetrySignal signal) {
		Throwable failure = signal.failure();
		// A fence may work under a lock of its own, and fail with the same exceptions.
		if (this.claimFailed || !(failure instanceof LockTaken || failure instanceof NoQuorum)) {
			return refused(failure);
		}
		queues().refused(this.resource, (LockException) failure);
		Duration pause = RetryDelay.after(failure, signal.totalRetries(), this.dependencies.environment());
		boolean inTime = elapsed().plus(pause).compareTo(this.options.waitTime()) < 0;
		return inTime ? Mono.delay(pause, timers()) : refused(failure);
	}

	/** Reactor gives no signal for some errors unless they are hidden from it. */
	private static Mono<Long> refused(Throwable failure) {
		return Mono.<Long>error(failure).hide();
	}

	/**
	 * The last refusal that is known. The try that is under way may have no answer for a
	 * long time.
	 */
	private Throwable waitOver() {
		LockException refusal = queues().refusal(this.resource);
		return (refusal != null) ? refusal : new NoQuorum(this.resource, "undecided when the wait was over");
	}

	/** By the monotonic clock: a wall clock that is set must not end a wait. */
	private Duration elapsed() {
		return Duration.ofNanos(this.dependencies.environment().now().nanos() - this.start.nanos());
	}

	/**
	 * Gives up the attempt, or gives back the lease. Begins at once, whether or not the
	 * caller still listens.
	 * @return done when the lease is given back. Done at once when there was no lease, so
	 * that a refusal does not come later than the end of the wait
	 */
	CompletableFuture<Void> release() {
		this.released = true;
		VotingRound attempt = this.current;
		if (attempt == null) {
			leaveQueue();
			return CompletableFuture.completedFuture(null);
		}
		CompletableFuture<Void> done = attempt.release().whenComplete((answered, never) -> leaveQueue());
		return this.granted ? done : CompletableFuture.completedFuture(null);
	}

}
