package live.retwis.locks;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * For tests over five real nodes, which are started once, and healthy and empty before
 * each test.
 */
@Timeout(60)
abstract class FiveNodes {

	static final String NAME = "username:{alice}";

	static final Duration LEASE = Duration.ofSeconds(10);

	static final LockOptions AT_ONCE = LockOptions.of(LEASE, Duration.ZERO);

	static final Duration BOUND = TestNodes.LONGEST_WAIT;

	final TestNodes nodes = Started.NODES;

	/**
	 * Before a proxy is closed: locks that are closed wait for what they sent, and what
	 * is lost with a connection ends by the node time-out.
	 */
	@AfterEach
	void heal() {
		this.nodes.heal();
	}

	static Lease acquire(RedLock locks) {
		return acquire(locks, AT_ONCE);
	}

	static Lease acquire(RedLock locks, LockOptions options) {
		return locks.tryAcquire(NAME, options).blockOptional(BOUND).orElseThrow();
	}

	/** Waits until so many nodes have voted for it; a majority has when it is had. */
	static void awaitVotes(Lease lease, int votes) {
		TestNodes.await().until(() -> ((HeldLease) lease).votes() == votes);
	}

	/** The processes end with this program. */
	private static final class Started {

		private static final TestNodes NODES = TestNodes.start(5);

	}

}
