package live.retwis.locks;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * All holders of the lock in a simulation, and the first promise that was broken.
 */
final class SimulatedHolders {

	private final Set<Lease> holding = new LinkedHashSet<>();

	private final Set<String> forgotten = new HashSet<>();

	/** Whether the faults are only those that the locks are made for. */
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

	/** The keys of a forgotten lease remain for the lease time. */
	Mono<Void> forget(Lease lease) {
		this.forgotten.add(lease.owner());
		return Mono.empty();
	}

	boolean gaveBack(String owner) {
		return !this.forgotten.contains(owner);
	}

	/** Runs a check, and records what it throws, because Reactor would drop that. */
	void look(Runnable check) {
		try {
			check.run();
		}
		catch (BrokenPromise ex) {
			fail(ex);
		}
	}

	/** Records a failure. The first one is reported at the end. */
	void fail(Throwable failure) {
		if (this.failure == null) {
			this.failure = failure;
		}
	}

	@Nullable Throwable failure() {
		return this.failure;
	}

}
