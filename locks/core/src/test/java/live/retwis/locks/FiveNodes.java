package live.retwis.locks;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * Base class of tests over five real nodes. The nodes are started once. They are healthy
 * and empty before each test.
 */
@Timeout(60)
abstract class FiveNodes {

	static final String NAME = "username:{alice}";

	static final Duration LEASE = Duration.ofSeconds(10);

	static final LockOptions AT_ONCE = LockOptions.of(LEASE, Duration.ZERO);

	static final Duration BOUND = TestNodes.LONGEST_WAIT;

	final TestNodes nodes = Started.NODES;

	/**
	 * This must run before a proxy is closed. Locks that are closed wait for the answers
	 * of their commands. If a command is lost with a connection, this takes the node
	 * time-out.
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

	/**
	 * Waits until this many nodes have voted for the lease. A majority has voted when the
	 * lock is granted.
	 */
	static void awaitVotes(Lease lease, int votes) {
		TestNodes.await().until(() -> ((HeldLease) lease).votes() == votes);
	}

	/** The processes end with this JVM. */
	private static final class Started {

		private static final TestNodes NODES = TestNodes.start(5);

	}

}
