package live.retwis.locks;

import java.util.Random;
import java.util.function.Supplier;

import reactor.core.publisher.Mono;

/**
 * The store that the locks protect: a counter. Only the owner in the register may write
 * it.
 */
class SimulatedStore implements FenceRegister {

	private final SimulatedTime time;

	private final Random random;

	private String owner = "";

	private long end;

	private long counter;

	SimulatedStore(SimulatedTime time, Random random) {
		this.time = time;
		this.random = random;
	}

	@Override
	public Mono<Void> claim(Lease lease) {
		return Mono.defer(() -> {
			long remaining = lease.remaining().toNanos();
			return ask(() -> note(lease.owner(), remaining));
		}).then();
	}

	private boolean note(String claiming, long remaining) {
		this.owner = claiming;
		this.end = this.time.now() + remaining;
		return true;
	}

	@Override
	public Mono<Boolean> renew(Lease lease) {
		return Mono.defer(() -> {
			long remaining = lease.remaining().toNanos();
			return ask(() -> names(lease.owner()) && note(lease.owner(), remaining));
		});
	}

	private boolean names(String asking) {
		return this.owner.equals(asking) && this.end > this.time.now();
	}

	Mono<Long> read() {
		return ask(() -> this.counter);
	}

	/**
	 * Writes the value that was read plus one, if the register has the writer as its
	 * owner.
	 */
	Mono<Boolean> increment(String writer, long read) {
		return ask(() -> {
			if (!names(writer)) {
				return false;
			}
			if (this.counter != read) {
				throw new BrokenPromise(
						"An increment was lost: " + this.counter + " is written over by one more than " + read);
			}
			this.counter = read + 1;
			return true;
		});
	}

	/** Sends a command and returns its answer. It cannot be cancelled. */
	private <T> Mono<T> ask(Supplier<T> command) {
		return Mono.create((answer) -> this.time.after(way(), () -> {
			T result = command.get();
			this.time.after(way(), () -> answer.success(result));
		}));
	}

	private long way() {
		return (long) (this.random.nextDouble() * ((this.random.nextInt(10) == 0) ? 50_000_000 : 500_000));
	}

}
