package live.retwis.locks.lab.scenario;

import java.time.Duration;

import live.retwis.locks.lab.fault.OrphanedKeys;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;

/**
 * Begins a round in which three of five nodes hold the lock. A dead client left keys on
 * nodes 4 and 5 for a moment, so the owner gets nodes 1, 2 and 3. When one of these
 * forgets the lock, another majority is possible.
 */
final class BareMajoritySetup {

	/**
	 * How long the dead client's keys last: long enough for the owner to be refused
	 * there, and gone long before its lease is over.
	 */
	private static final Duration ORPHAN = Duration.ofMillis(500);

	/** Several times as long as a node takes to come back and clients take to find it. */
	static final Duration LEASE = Duration.ofSeconds(2);

	private BareMajoritySetup() {
	}

	/**
	 * Has a client get the lock on these three nodes. It tries again if it was too slow
	 * for the dead client's keys.
	 */
	static void acquire(RoundContext round, RoundClient roundClient) {
		OrphanedKeys orphanedKeys = new OrphanedKeys(round.nodes(4, 5), round.resource(), ORPHAN);
		round.await(roundClient.client().name() + " has the lock, and not on nodes 4 and 5", () -> {
			if (round.isFree()) {
				round.inject(orphanedKeys);
				roundClient.acquire();
			}
			boolean fits = roundClient.isHolder() && orphanedKeys.isAlone();
			if (!fits) {
				roundClient.release();
			}
			return fits;
		});
	}

	/** Waits until nodes 4 and 5 are free for another majority. */
	static void awaitFree(RoundContext round) {
		round.await("the orphan is gone", () -> round.isFree(4, 5));
	}

}
