package live.retwis.locks.lab.scenario;

import live.retwis.locks.LockSettings;
import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * Scenario 16.
 */
final class DifferentNodeListsScenario implements Scenario {

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription.of("16", "other-nodes", "two clients have different lists of nodes", """
				A's list is nodes 1 to 3, B's is nodes 3 to 5, as happens while a change of the settings is rolled \
				out. Each has a majority of its own list, and these have no node in common: two owners, and nothing \
				fails. The description of Redlock takes for granted that all clients know the same N nodes; no engine \
				can find out by asking nodes. This library has a fingerprint of the list and the lease, and the two \
				lists here have different ones. It is the program that compares them, since only that has a place \
				which all instances share: Retwis Live keeps it in its data store, and an instance that differs does \
				not start. Here the locks are opened without that, and the protected store refuses the owner that it \
				noted first.""")
			.citing(FurtherReading.REDIS)
			.expectOurs(Expectation.FENCED)
			.expect(Expectation.UNSAFE, LabEngine.RAW);
	}

	@Override
	public void play(RoundContext round) {
		Integer[] ofA = { 1, 2, 3 };
		Integer[] ofB = { 3, 4, 5 };
		RoundClient a = round.client("A", ofA);
		RoundClient b = round.client("B", ofB);
		round.require("the fingerprints of both lists differ",
				!fingerprint(round, ofA).equals(fingerprint(round, ofB)));
		a.insist();
		b.challenge(a);
		round.useBoth(a, b);
	}

	/** The text that programs compare at start to notice such a mistake. */
	private static String fingerprint(RoundContext round, Integer... nodes) {
		return LockSettings.of(round.nodes(nodes).stream().map((node) -> "redis://127.0.0.1:" + node.port()).toList())
			.fingerprint(round.lease());
	}

}
