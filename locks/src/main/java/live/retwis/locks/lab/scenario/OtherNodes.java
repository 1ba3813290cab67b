package live.retwis.locks.lab.scenario;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.About;
import live.retwis.locks.lab.play.Actor;
import live.retwis.locks.lab.play.Round;
import live.retwis.locks.lab.play.Scenario;

/**
 * 16.
 */
final class OtherNodes implements Scenario {

	@Override
	public About about() {
		return About
			.of("16", "other-nodes", "two clients have different lists of nodes",
					"""
							A's list is nodes 1 to 3, B's is nodes 3 to 5, as happens while a change of the settings is rolled out. \
							Each has a majority of its own list, and these have no node in common: two owners, and nothing fails. \
							No engine can notice by asking nodes. Instances of this program compare a fingerprint of the list at \
							start, and one that differs does not start; here the locks are opened without that, and the \
							protected store refuses the owner that it noted first.""")
			.expectOurs(Expectation.FENCED)
			.expect(Expectation.UNSAFE, LabEngine.RAW);
	}

	@Override
	public void play(Round round) {
		Actor a = round.client("A", 1, 2, 3);
		Actor b = round.client("B", 3, 4, 5);
		round.require("A has the lock", a.acquire());
		b.acquire();
		round.useBoth(a, b);
	}

}
