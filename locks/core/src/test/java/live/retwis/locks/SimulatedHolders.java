package live.retwis.locks;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * All who have the lock in a simulation, and the first promise that was broken.
 */
final class SimulatedHolders {

	private final Set<Lease> holding = new LinkedHashSet<>();

	private final Set<String> forgotten = new HashSet<>();

	/** Whether the faults are such that nodes keep what they promise. */
	private final boolean withinModel;

	private @Nullable Throwable failure;

	SimulatedHolders(boolean withinModel) {
		this.withinModel = withinModel;
	}

	void add(Lease lease) {
		check(lease);
		this.holding.add(lease);
	}

	void remove(Lease lease) {
		this.holding.remove(lease);
	}

	void check(Lease lease) {
		if (this.withinModel && !lease.remaining().isZero()
				&& this.holding.stream().anyMatch((other) -> other != lease && !other.remaining().isZero())) {
			fail(new BrokenPromise("Two owners at a time"));
		}
	}

	/** Its keys stay for a lease. */
	Mono<Void> forget(Lease lease) {
		this.forgotten.add(lease.owner());
		return Mono.empty();
	}

	boolean gaveBack(String owner) {
		return !this.forgotten.contains(owner);
	}

	/** Within Reactor, which would drop what is thrown. */
	void look(Runnable check) {
		try {
			check.run();
		}
		catch (BrokenPromise ex) {
			fail(ex);
		}
	}

	/** The first that is found is told at the end. */
	void fail(Throwable failure) {
		if (this.failure == null) {
			this.failure = failure;
		}
	}

	@Nullable Throwable failure() {
		return this.failure;
	}

}
