package live.retwis.locks.lab.scenario;

import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.fault.PausedNode;
import live.retwis.locks.lab.play.About;
import live.retwis.locks.lab.play.Actor;
import live.retwis.locks.lab.play.Round;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.Source;

/**
 * The example of the README.
 */
final class PausedMinority implements Scenario {

	@Override
	public About about() {
		return About.of("19", "paused-minority", "two of five nodes stand still while the lock changes hands", """
				A has the lock when nodes 4 and 5 are stopped (SIGSTOP). It counts and gives the lock back, and B \
				gets it: three nodes are a majority, which is all that the description of Redlock asks for.""")
			.citing(Source.REDIS)
			.expectOurs(Expectation.SAFE);
	}

	@Override
	public void play(Round round) {
		List<Actor> clients = round.clients("A", "B");
		Actor a = clients.get(0);
		Actor b = clients.get(1);
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
