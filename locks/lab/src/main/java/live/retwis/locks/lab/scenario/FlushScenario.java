package live.retwis.locks.lab.scenario;

import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.FlushedNodes;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * Scenario 18.
 */
final class FlushScenario implements Scenario {

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription
			.of("18", "flush", "a majority of the nodes is emptied while the lock is held",
					"""
							A has the lock on all five nodes when somebody empties three of them, as an eviction or a mistaken \
							FLUSHALL does. B gets the lock on these three. The literature does not speak of it; it is scenario 3 \
							without a crash, on a majority. No lock can tell: what the nodes do not know, they cannot defend. Retwis \
							takes no node that may evict keys, notes B in the protected store, so that A's writes are refused, and \
							A learns of it when it asks for more time.""")
			.expectOurs(Expectation.FENCED)
			.expect(Expectation.UNSAFE, LabEngine.RAW, LabEngine.RLOCK, LabEngine.RFENCED);
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B");
		RoundClient a = clients.get(0);
		a.insist();
		Integer[] emptied = round.engine().hasMajority() ? round.choose(3, 1, 2, 3, 4, 5) : new Integer[] { 1 };
		round.await("all nodes hold it that were asked", () -> round.isHeld(emptied));
		round.inject(new FlushedNodes(round.nodes(emptied), round.resource()));
		clients.get(1).challenge(a);
		round.useBoth(a, clients.get(1));
	}

}
