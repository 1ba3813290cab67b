package live.retwis.locks;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import reactor.core.publisher.Mono;

/**
 * A lease that a majority of the nodes granted.
 */
final class HeldLease implements Lease {

	/**
	 * The longest time between two looks at the clocks. Timers stand still while the
	 * machine is suspended, and the end of the lease must be noticed soon after that.
	 */
	private static final Duration LONGEST_GLANCE = Duration.ofMillis(250);

	private final VotingRound attempt;

	private volatile Validity validity;

	private volatile boolean lost;

	private final AtomicBoolean told = new AtomicBoolean();

	HeldLease(VotingRound attempt, Validity validity) {
		this.attempt = attempt;
		this.validity = validity;
	}

	@Override
	public String resource() {
		return this.attempt.resource();
	}

	@Override
	public String owner() {
		return this.attempt.owner();
	}

	@Override
	public Instant validUntil() {
		return this.validity.until();
	}

	@Override
	public Duration remaining() {
		return (this.lost || this.attempt.isReleased()) ? Duration.ZERO : this.validity.remaining(now());
	}

	@Override
	public Map<String, NodeOutcome> outcomes() {
		return this.attempt.outcomes();
	}

	/** How many nodes have voted and have not withdrawn their vote since. */
	long votes() {
		return this.attempt.votes();
	}

	boolean isOver() {
		return remaining().isZero();
	}

	/**
	 * Notes the owner in the protected store. An acquisition is complete only after that.
	 * A lease that is over already notes nothing, because another owner may have done so.
	 * @return this lease. {@link LeaseExpired} when the lease is over before that is done
	 */
	Mono<HeldLease> claim() {
		return Mono
			.defer(() -> isOver() ? Mono.error(expired())
					: whileValid(new ThrowableCapturingMono<>(() -> this.attempt.dependencies().fence().claim(this))))
			.thenReturn(this);
	}

	/**
	 * Runs the work and cancels it when the lease is over. The result is LeaseExpired
	 * then.
	 */
	<T> Mono<T> whileValid(Mono<T> work) {
		return Mono.firstWithSignal(this.<T>expiry(), work).doOnSuccess((result) -> {
			// The lease may have ended while this machine was stopped, before the timer
			// ran.
			if (isOver()) {
				throw expired();
			}
		});
	}

	private <T> Mono<T> expiry() {
		return Mono.defer(() -> Mono.delay(glance(), this.attempt.dependencies().environment().timers()))
			.repeat(() -> !isOver())
			.then(Mono.error(this::expired));
	}

	/**
	 * The error of a lease that is over. The listener is told the first time, unless the
	 * lease was given back.
	 */
	LeaseExpired expired() {
		if (!this.attempt.isReleased() && this.told.compareAndSet(false, true)) {
			this.attempt.dependencies().listener().onExpired(resource());
		}
		return new LeaseExpired(resource());
	}

	private Duration glance() {
		Duration remaining = remaining();
		return (remaining.compareTo(LONGEST_GLANCE) < 0) ? remaining.plusMillis(1) : LONGEST_GLANCE;
	}

	@Override
	public Mono<Void> extend() {
		return Mono.defer(() -> isOver() ? Mono.error(expired()) : extendNow());
	}

	private Mono<Void> extendNow() {
		ClockReading start = now();
		int nodes = this.attempt.ballots().size();
		return Mono
			.fromFuture(() -> Tally.count(nodes, this.attempt.ballots().stream().map(Ballot::extend).toList(),
					Tally::decidesExtension), true)
			.flatMap((tally) -> extended(tally, new Validity(start, this.attempt.options().validity())));
	}

	private Mono<Void> extended(Tally tally, Validity next) {
		boolean extended = tally.agreed() && !isOver();
		LockListener listener = this.attempt.dependencies().listener();
		listener.onExtend(resource(), extended, now().since(next.from()));
		if (extended) {
			return whileValid(new ThrowableCapturingMono<>(
					() -> this.attempt.dependencies().fence().renew(new HeldLease(this.attempt, next))))
				.defaultIfEmpty(false)
				.flatMap((mine) -> mine ? Mono.fromRunnable(() -> prolong(next)) : lost());
		}
		return tally.denied() ? lost() : Mono.error(isOver() ? expired() : new NoQuorum(resource(), outcomes()));
	}

	private Mono<Void> lost() {
		this.lost = true;
		return Mono.error(expired());
	}

	/** Never shortens the validity, because two extensions may end in the wrong order. */
	private synchronized void prolong(Validity next) {
		ClockReading now = now();
		if (next.remaining(now).compareTo(this.validity.remaining(now)) > 0) {
			this.validity = next;
		}
	}

	@Override
	public Mono<Void> release() {
		return Mono.fromFuture(this.attempt::release, true).then();
	}

	private ClockReading now() {
		return this.attempt.dependencies().environment().now();
	}

}
