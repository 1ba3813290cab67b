package live.retwis.locks.lab.scenario;

import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.CutLinks;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * Scenario 15.
 */
final class HolderCutScenario implements Scenario {

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription.of("15", "asymmetric-cut", "the holder loses three nodes, its rival none", """
				A has the lock and is then cut off from three nodes; B reaches all five. The nodes still hold the lock \
				for A, so that B is refused until the lease is over, and A may rely on it until then without asking \
				anybody. It cannot prolong it: the description of Redlock wants a majority for that, within the lease. \
				Retwis tells A so and leaves the lease as it is.""")
			.citing(FurtherReading.REDIS)
			.expect(Expectation.SAFE, LabEngine.REDISSON, LabEngine.PARALLEL, LabEngine.RAW);
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B");
		RoundClient a = clients.get(0);
		RoundClient b = clients.get(1);
		a.insist();
		round.await("on all nodes", () -> round.held() == 5);
		CutLinks cut = round.inject(new CutLinks(a.client(), round.choose(3, 1, 2, 3, 4, 5)));
		round.await("nothing passes", cut::isComplete);
		b.acquire();
		a.extend();
		round.await("all nodes have forgotten A", round::isFree);
		b.insist();
		round.look("B has the lock");
		round.awaitHalf();
		b.release();
	}

}
