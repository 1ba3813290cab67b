package live.retwis.locks.lab.scenario;

import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.client.Operation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.LinkFault;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * Scenario 11.
 */
final class LostReleaseScenario implements Scenario {

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription.of("11", "ghost-lock", "the release is lost on its way", """
				A gives the lock back, but the command is lost on its way to every node. The keys stay without an \
				owner, as an orphan: B is refused though nobody has the lock. That is safe, and lasts for a lease at \
				most, since the nodes forget the key by themselves; the description of Redlock counts it as the price \
				that a cut network has. Other ways lead there too: a lock over several nodes that is cancelled \
				half-way leaves keys behind, as an issue of Redisson's tells, and with its watchdog for good. Retwis \
				never leaves an attempt alone that its caller gave up, and sends a release again that was not \
				acknowledged, as soon as the node answers; here that is lost too.""")
			.citing(FurtherReading.REDIS, FurtherReading.REDISSON_4456)
			.withAnyNodes()
			.expect(Expectation.SAFE, LabEngine.REDISSON, LabEngine.PARALLEL, LabEngine.RAW);
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B");
		RoundClient a = clients.get(0);
		RoundClient b = clients.get(1);
		a.insist();
		round.await("on all nodes", () -> round.isHeld(round.all()));
		LinkFault lost = round.inject(LinkFault.loseCommands(a.client(), LinkFault.RELEASE, round.all()));
		a.begin(Operation.RELEASE);
		round.await("a release is lost", () -> lost.met() > 0);
		round.require("B is refused by the orphan", !b.acquire());
		round.look("B is refused");
		round.await("the orphan is gone", round::isFree);
		b.insist();
		b.release();
	}

}
