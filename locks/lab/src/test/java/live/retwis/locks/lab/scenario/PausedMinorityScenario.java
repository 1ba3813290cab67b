package live.retwis.locks.lab.scenario;

import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.fault.PausedNode;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * The example of {@code SCENARIOS.md}.
 */
final class PausedMinorityScenario implements Scenario {

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription
			.of("19", "paused-minority", "two of five nodes stand still while the lock changes hands", """
					A has the lock when nodes 4 and 5 are stopped (SIGSTOP). It counts and gives the lock back, and B \
					gets it: three nodes are a majority, which is all that the description of Redlock asks for.""")
			.citing(FurtherReading.REDIS)
			.expectOurs(Expectation.SAFE);
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B");
		RoundClient a = clients.get(0);
		RoundClient b = clients.get(1);
		round.require("A has the lock", a.acquire());
		round.nodes(4, 5).forEach((node) -> round.inject(new PausedNode(node)));
		a.read();
		a.write();
		a.release();
		round.await("B has the lock", b::acquire);
		round.look("B has the lock");
		b.release();
	}

}
