package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * The lock over the nodes of the settings.
 */
final class MajorityRedLock implements RedLock {

	private final LockDependencies dependencies;

	private final Duration longestDetached;

	private volatile boolean closed;

	/** Fails when the locks are closed, for callers that wait. */
	private final Sinks.Empty<HeldLease> closing = Sinks.empty();

	MajorityRedLock(LockDependencies dependencies, Duration longestDetached) {
		this.dependencies = dependencies;
		this.longestDetached = longestDetached;
	}

	static MajorityRedLock open(LockSettings settings, FenceRegister fence, LockListener listener, TimeSource time) {
		return open(settings, fence, listener, time, Ballot::new);
	}

	static MajorityRedLock open(LockSettings settings, FenceRegister fence, LockListener listener, TimeSource time,
			BiFunction<LockNode, CandidateOwner, Ballot> ballots) {
		OwnerNames.next();
		NodeScript.values();
		LockEnvironment environment = new RedissonLockEnvironment(settings, time);
		LockDependencies dependencies = new LockDependencies(new LockNodes(settings, environment, ballots), fence,
				new SafeLockListener(listener), environment, new LocalQueues(environment.timers()),
				new DetachedOperations());
		return new MajorityRedLock(dependencies, settings.nodeTimeout().multipliedBy(settings.nodes().size() + 1));
	}

	@Override
	public <T> Mono<T> withLock(String resource, LockOptions options, Function<Lease, Mono<T>> body) {
		return withLock(resource, options, body, environment().bodies());
	}

	/** The same with a body on other threads. */
	<T> Mono<T> withLock(String resource, LockOptions options, Function<Lease, Mono<T>> body, Scheduler bodies) {
		return Mono.usingWhen(Mono.fromSupplier(() -> acquisition(resource, options)),
				(acquisition) -> Mono.firstWithSignal(acquisition.lease(), this.closing.asMono())
					.flatMap((heldLease) -> guarded(heldLease, body, bodies)),
				this::release, (acquisition, error) -> release(acquisition), this::release);
	}

	private <T> Mono<T> guarded(HeldLease heldLease, Function<Lease, Mono<T>> body, Scheduler bodies) {
		return heldLease.whileValid(new ThrowableCapturingMono<>(() -> Mono.just(heldLease)
			.publishOn(bodies)
			// It may have ended, or been given back, while the body waited for a thread.
			.flatMap((lease) -> lease.isOver() ? Mono.error(lease.expired())
					: new ThrowableCapturingMono<>(() -> body.apply(lease)))));
	}

	private LockEnvironment environment() {
		return this.dependencies.environment();
	}

	private Mono<Void> release(LockAcquirer acquisition) {
		return Mono.fromFuture(acquisition::release, true);
	}

	@Override
	public Mono<Lease> tryAcquire(String resource, LockOptions options) {
		return Mono.defer(() -> acquisition(resource, options).handOver());
	}

	private LockAcquirer acquisition(String resource, LockOptions options) {
		if (this.closed) {
			throw closed();
		}
		return new LockAcquirer(resource, options, this.dependencies);
	}

	private static IllegalStateException closed() {
		return new IllegalStateException("The locks are closed");
	}

	@Override
	public Mono<Void> ready() {
		return environment().ready();
	}

	@Override
	public List<NodeState> nodes() {
		return this.dependencies.nodes().states();
	}

	/** How many acquisitions and releases go on without their callers. */
	int unfinished() {
		return this.dependencies.detached().size();
	}

	@Override
	public Mono<Void> close() {
		return Mono.defer(() -> {
			this.closed = true;
			this.closing.tryEmitError(closed());
			return this.dependencies.detached().ended(this.longestDetached).then(environment().close());
		});
	}

}
