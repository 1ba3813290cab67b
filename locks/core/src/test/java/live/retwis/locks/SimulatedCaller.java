package live.retwis.locks;

import java.time.Duration;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Locks a name several times, one after the other, and increments the counter under the
 * lock. Sometimes it cancels, and sometimes it is slow.
 */
final class SimulatedCaller {

	static final String NAME = "name";

	/**
	 * Longest time of a release: a vote that is on its way, the release, and the release
	 * again.
	 */
	private static final Duration LONGEST_RELEASE = SimulatedLink.TIMEOUT.multipliedBy(3).plusMillis(1);

	private final String name;

	private final SimulatedTime time;

	private final SimulatedClient client;

	private final SimulatedStore store;

	private final SimulatedHolders holders;

	private final LockOptions options;

	/**
	 * Longest time of one try: each node after the other, and each first answers earlier
	 * commands.
	 */
	private final Duration longestTry;

	/** Longest time of a use: the lease, or a slow body that does not check the lease. */
	private final Duration longestUse;

	private final Random random;

	private int left;

	/** Whether it begins again at once. */
	private final boolean hot;

	/** Whether its work takes most of a lease. */
	private final boolean slow;

	/** Time when the current operation must have ended; 0 if there is none. */
	private long deadline;

	SimulatedCaller(String name, SimulatedTime time, SimulatedClient client, SimulatedStore store,
			SimulatedHolders holders, LockOptions options, Random random, int operations) {
		this.name = name;
		this.time = time;
		this.client = client;
		this.store = store;
		this.holders = holders;
		this.options = options;
		this.random = random;
		this.left = operations;
		this.hot = random.nextInt(4) == 0;
		this.slow = random.nextInt(3) == 0;
		this.longestUse = options.lease().plusSeconds(4);
		int nodes = client.environment().links().size();
		this.longestTry = SimulatedLink.TIMEOUT.multipliedBy(4L * nodes + 2);
	}

	boolean isDone() {
		return this.left == 0 && this.deadline == 0;
	}

	void start() {
		this.time.after(millis(20), this::next);
	}

	private long millis(int most) {
		return (long) (this.random.nextDouble() * most * 1_000_000);
	}

	private void next() {
		if (this.left == 0) {
			return;
		}
		this.left--;
		Operation operation = new Operation();
		boolean once = this.random.nextInt(3) == 0;
		this.time.tell(() -> this + (once ? " tries" : " wants the lock"));
		Mono<?> work = once ? operation.tryOnce() : operation.guarded();
		operation.run(work);
	}

	@Override
	public String toString() {
		return this.name;
	}

	/** Sets the time by which the current operation must end. */
	private void within(Duration longest) {
		this.deadline = this.time.now() + longest.toNanos();
	}

	/** Checks that no operation took longer than allowed. */
	void checkDeadline() {
		if (this.deadline != 0 && this.time.now() > this.deadline) {
			throw new BrokenPromise(this + " waits for longer than it may");
		}
	}

	private final class Operation {

		private boolean over;

		private @Nullable Lease lease;

		void run(Mono<?> work) {
			Disposable running = work.onErrorComplete(LockException.class).subscribe((result) -> {
			}, (error) -> SimulatedCaller.this.holders.fail(error), this::end);
			if (SimulatedCaller.this.random.nextInt(6) == 0) {
				SimulatedCaller.this.time.after(millis(60), () -> {
					running.dispose();
					end();
				});
			}
		}

		private void end() {
			if (!this.over) {
				this.over = true;
				SimulatedCaller.this.time.tell(() -> SimulatedCaller.this + " ends");
				SimulatedCaller.this.holders.look(SimulatedCaller.this::checkDeadline);
				SimulatedCaller.this.deadline = 0;
				SimulatedCaller.this.holders.look(SimulatedCaller.this.client::checkBacklog);
				SimulatedCaller.this.time.after(SimulatedCaller.this.hot ? 0 : millis(20), SimulatedCaller.this::next);
			}
		}

		Mono<?> guarded() {
			within(SimulatedCaller.this.options.waitTime().plusMillis(1));
			return SimulatedCaller.this.client.locks()
				.withLock(NAME, SimulatedCaller.this.options, this::use)
				.doOnSuccess((done) -> released());
		}

		Mono<?> tryOnce() {
			within(SimulatedCaller.this.longestTry.plus(SimulatedCaller.this.options.lease()));
			LockOptions once = LockOptions.of(SimulatedCaller.this.options.lease(), Duration.ZERO);
			return SimulatedCaller.this.client.locks().tryAcquire(NAME, once).flatMap((held) -> {
				boolean forgets = SimulatedCaller.this.random.nextInt(8) == 0;
				return use(held).onErrorComplete(LockException.class)
					.doOnCancel(() -> held.release().subscribe())
					.then(forgets ? SimulatedCaller.this.holders.forget(held)
							: held.release().doOnSuccess((done) -> released()));
			});
		}

		/** Uses the lock, and checks that there is no other holder. */
		private Mono<Boolean> use(Lease held) {
			this.lease = held;
			SimulatedCaller.this.time.tell(() -> SimulatedCaller.this + " has it as " + held.owner().substring(0, 6));
			within(SimulatedCaller.this.longestUse);
			SimulatedCaller.this.holders.add(held);
			int slowness = SimulatedCaller.this.slow ? 900 : 5;
			return SimulatedCaller.this.store.read()
				.flatMap((read) -> pause(slowness).then(extend(held))
					.then(pause(slowness))
					.then(SimulatedCaller.this.store.increment(held.owner(), read)))
				.doOnTerminate(() -> finished(held))
				.doOnCancel(() -> finished(held));
		}

		private Mono<Void> extend(Lease held) {
			return (SimulatedCaller.this.random.nextInt(SimulatedCaller.this.slow ? 4 : 2) == 0) ? Mono.empty()
					: held.extend().doOnSuccess((done) -> {
						within(SimulatedCaller.this.longestUse);
						SimulatedCaller.this.holders.check(held);
					}).onErrorComplete(NoQuorum.class);
		}

		private Mono<Long> pause(int most) {
			return Mono.delay(Duration.ofNanos(millis(most)), SimulatedCaller.this.time);
		}

		private void finished(Lease held) {
			SimulatedCaller.this.time.tell(() -> SimulatedCaller.this + " is finished");
			SimulatedCaller.this.holders.remove(held);
			within(LONGEST_RELEASE);
		}

		private void released() {
			Lease held = this.lease;
			if (held != null) {
				SimulatedCaller.this.holders.look(() -> SimulatedCaller.this.client.checkRelease(held.owner()));
			}
		}

	}

}
