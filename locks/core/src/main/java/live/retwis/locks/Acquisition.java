package live.retwis.locks;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;
import reactor.util.retry.Retry.RetrySignal;

/**
 * One caller's way to a lease: tries until the wait is over, each time for a fresh owner.
 * {@link #release()} leaves nothing behind at whatever point it comes.
 */
final class Acquisition {

	private final String resource;

	private final LockOptions options;

	private final LockContext lockContext;

	private final Moment start;

	private volatile @Nullable VotingRound current;

	private volatile @Nullable CompletableFuture<Void> turn;

	/** Whether it was had, with the claim. */
	private volatile boolean granted;

	private volatile boolean released;

	Acquisition(String resource, LockOptions options, LockContext lockContext) {
		this.resource = resource;
		this.options = options;
		this.lockContext = lockContext;
		this.start = lockContext.platform().now();
	}

	/** A lease within the wait. */
	Mono<HeldLease> lease() {
		if (this.options.waitTime().isZero()) {
			return once(Duration.ZERO);
		}
		return Mono.fromFuture(this::standInLine, true)
			.then(once(this.options.waitTime()).retryWhen(Retry.from((failures) -> failures.concatMap(this::pause))))
			.doOnNext((hold) -> lines().held(this.resource))
			.timeout(this.options.waitTime(), Mono.error(this::waitOver), timers());
	}

	private CompletableFuture<Void> standInLine() {
		CompletableFuture<Void> place = lines().enter(this.resource);
		this.turn = place;
		if (this.released) {
			leaveLine();
		}
		return place;
	}

	private void leaveLine() {
		CompletableFuture<Void> place = this.turn;
		if (place != null) {
			lines().leave(this.resource, place);
		}
	}

	private Scheduler timers() {
		return this.lockContext.platform().timers();
	}

	private LocalQueues lines() {
		return this.lockContext.lines();
	}

	/**
	 * A lease at once, the caller's to release. Who cancels while it is being handed over
	 * has it only if that is the thread which hands it over: any other one has given up,
	 * and what it gave up drops the lease.
	 */
	Mono<Lease> handOver() {
		AtomicReference<@Nullable Thread> handing = new AtomicReference<>();
		return once(Duration.ZERO).<Lease>map((hold) -> hold)
			.doOnNext((lease) -> handing.set(Thread.currentThread()))
			.doFinally((end) -> {
				if (end == SignalType.CANCEL && handing.get() != Thread.currentThread()) {
					release();
				}
			})
			.doOnError((error) -> release())
			.onErrorResume(LockTaken.class, (taken) -> Mono.empty());
	}

	private Mono<HeldLease> once(Duration wait) {
		return Mono.defer(() -> {
			VotingRound attempt = new VotingRound(this.resource, this.options, this.lockContext);
			this.current = attempt;
			if (this.released) {
				attempt.release();
			}
			return Mono.fromFuture(() -> attempt.start(wait), true)
				.flatMap((validity) -> Mono.justOrEmpty(validity.map((length) -> new HeldLease(attempt, length)))
					.switchIfEmpty(Mono.error(attempt::refusal)));
		}).flatMap(HeldLease::claim).doOnNext((hold) -> this.granted = true);
	}

	/** Before the next try, unless that would come too late. */
	private Publisher<?> pause(RetrySignal signal) {
		Throwable failure = signal.failure();
		if (!(failure instanceof LockTaken || failure instanceof NoQuorum)) {
			return Mono.error(failure);
		}
		lines().refused(this.resource, (LockException) failure);
		Duration pause = RetryDelay.after(failure, signal.totalRetries(), this.lockContext.platform());
		boolean inTime = elapsed().plus(pause).compareTo(this.options.waitTime()) < 0;
		return inTime ? Mono.delay(pause, timers()) : Mono.error(failure);
	}

	/** The last that is known, for the try that runs may have no answer for long. */
	private Throwable waitOver() {
		LockException refusal = lines().refusal(this.resource);
		return (refusal != null) ? refusal : new NoQuorum(this.resource, "undecided when the wait was over");
	}

	private Duration elapsed() {
		return this.lockContext.platform().now().since(this.start);
	}

	/**
	 * Gives up, or back, at once and whoever still listens.
	 * @return when what was had is given back; at once when nothing was had, so that a
	 * refusal does not come later than the wait is over
	 */
	CompletableFuture<Void> release() {
		this.released = true;
		VotingRound attempt = this.current;
		if (attempt == null) {
			leaveLine();
			return CompletableFuture.completedFuture(null);
		}
		CompletableFuture<Void> done = attempt.release().whenComplete((answered, never) -> leaveLine());
		return this.granted ? done : CompletableFuture.completedFuture(null);
	}

}
