package live.retwis.locks.lab.scenario;

import java.time.Duration;

import live.retwis.locks.lab.fault.OrphanedKeys;
import live.retwis.locks.lab.play.Round;
import live.retwis.locks.lab.play.RoundClient;

/**
 * Begins a round in which three nodes of five hold the lock: 4 and 5 hold the orphan of a
 * dead client for a moment, so that the owner gets 1, 2 and 3. One that forgets is then
 * enough for another majority.
 */
final class ThreeHeldNodes {

	/**
	 * Long enough for the owner to be refused there, gone long before its lease is over.
	 */
	private static final Duration ORPHAN = Duration.ofMillis(500);

	/** Several times what a node takes to come back, and clients to find it. */
	static final Duration LEASE = Duration.ofSeconds(2);

	private ThreeHeldNodes() {
	}

	/** A client gets the lock so; again if it was too slow for the orphan. */
	static void acquire(Round round, RoundClient roundClient) {
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
	static void awaitFree(Round round) {
		round.await("the orphan is gone", () -> round.isFree(4, 5));
	}

}
