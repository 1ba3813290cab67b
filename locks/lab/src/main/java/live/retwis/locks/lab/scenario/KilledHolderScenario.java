package live.retwis.locks.lab.scenario;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.KilledClient;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * Scenario 17.
 */
final class KilledHolderScenario implements Scenario {

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription.of("17", "killed-holder", "the holder's process is killed", """
				A is a process of its own, and dies (SIGKILL) while it has the lock. Nobody gives the lock back; the \
				nodes forget it when the lease is over, and then B has it. That is what a lease is for, and the first \
				promise of liveness in the description of Redlock: without it, the lock would be lost with its holder. \
				How long to wait for a dead holder is the other side of choosing a long lease. A's read is there, its \
				write is not: the counter stays right.""")
			.citing(FurtherReading.REDIS)
			.withAnyNodes()
			.expect(Expectation.SAFE, LabEngine.compared());
	}

	@Override
	public void play(RoundContext round) {
		RoundClient a = round.processes("A").get(0);
		RoundClient b = round.clients("B").get(0);
		a.insist();
		a.read();
		round.inject(new KilledClient(a.client()));
		round.require("B is refused while the lease lasts", !b.acquire());
		round.await("all nodes have forgotten A", round::isFree);
		b.insist();
		b.read();
		b.write();
		b.release();
	}

}
