package live.retwis.locks.lab.scenario;

import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.client.Order;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.LinkFault;
import live.retwis.locks.lab.play.About;
import live.retwis.locks.lab.play.Actor;
import live.retwis.locks.lab.play.Round;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.Source;
import live.retwis.locks.lab.proxy.Command;

/**
 * 11.
 */
final class LostRelease implements Scenario {

	@Override
	public About about() {
		return About.of("11", "ghost-lock", "the release is lost on its way", """
				A gives the lock back, but the command is lost on its way to every node. The keys stay without an \
				owner, as an orphan: B is refused though nobody has the lock. That is safe, and lasts for a lease at \
				most, since the nodes forget the key by themselves; the description of Redlock counts it as the price \
				that a cut network has. Other ways lead there too: a lock over several nodes that is cancelled \
				half-way leaves keys behind, as an issue of Redisson's tells, and with its watchdog for good. Ours \
				never leaves an attempt alone that its caller gave up, and sends a release again that was not \
				acknowledged, as soon as the node answers; here that is lost too.""")
			.citing(Source.REDIS, Source.REDISSON_4456)
			.withAnyNodes()
			.expect(Expectation.SAFE, LabEngine.REDISSON, LabEngine.PARALLEL, LabEngine.RAW);
	}

	@Override
	public void play(Round round) {
		List<Actor> clients = round.clients("A", "B");
		Actor a = clients.get(0);
		Actor b = clients.get(1);
		a.insist();
		round.await("on all nodes", () -> round.isHeld(round.all()));
		LinkFault lost = round.inject(LinkFault.loseCommands(a.client(), Command.RELEASE, round.all()));
		a.begin(Order.RELEASE);
		round.await("a release is lost", () -> lost.met() > 0);
		round.require("B is refused by the orphan", !b.acquire());
		round.look("B is refused");
		round.await("the orphan is gone", round::isFree);
		b.insist();
		b.release();
	}

}
