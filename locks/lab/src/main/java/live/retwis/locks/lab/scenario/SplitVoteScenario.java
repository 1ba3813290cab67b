package live.retwis.locks.lab.scenario;

import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.check.Safety;
import live.retwis.locks.lab.client.SubmittedOperation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.LinkFault;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * Scenario 10.
 */
final class SplitVoteScenario implements Scenario {

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription.of("10", "split-vote", "three clients share the nodes, and none has a majority",
				"""
						Three clients try at once. With the parallel engine the proxies let A through to nodes 1 and 2, B to 3 \
						and 4 and C to 5, and hold the rest until all stand: 2, 2 and 1 of five, nobody has a majority, all \
						give back and one of them has the lock at the next try. The description of Redlock calls it a split \
						brain in which nobody wins, and has clients pause for a random time before they try again, and give \
						back soon; Retwis does. Engines that ask node after node, in the same order, cannot be brought to 2-2-1: \
						whoever is refused by three nodes stops. There A stands before node 3 with nodes 1 and 2, B before \
						node 5 with 3 and 4, and C is refused at once; then both go on, and at most one finds a third node.""")
			.citing(FurtherReading.REDIS)
			.expect(new Expectation(Safety.SAFE, null, null), LabEngine.REDISSON, LabEngine.PARALLEL, LabEngine.RAW);
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B", "C");
		RoundClient a = clients.get(0);
		RoundClient b = clients.get(1);
		RoundClient c = clients.get(2);
		boolean parallel = round.engine() == LabEngine.PARALLEL;
		List<LinkFault> held = parallel
				? List.of(hold(round, a, 3, 4, 5), hold(round, b, 1, 2, 5), hold(round, c, 1, 2, 3, 4))
				: List.of(hold(round, a, 3), hold(round, b, 5));
		SubmittedOperation first = a.tryAcquire();
		round.await("A has nodes 1 and 2", () -> round.isHeld(1, 2));
		SubmittedOperation second = b.tryAcquire();
		round.await("B has nodes 3 and 4", () -> round.isHeld(3, 4));
		SubmittedOperation third = c.tryAcquire();
		round.await("C stands too", () -> parallel ? round.isHeld(5) : third.isDone());
		round.await("all commands are held", () -> held.stream().allMatch(LinkFault::hasMetEach));
		round.look("all stand");
		held.forEach(round::undo);
		round.await("all have an answer", () -> first.isDone() && second.isDone() && third.isDone());
		round.look("all have an answer");
		a.release();
		b.release();
		c.release();
		round.recover(a, b, c);
	}

	private static LinkFault hold(RoundContext round, RoundClient roundClient, Integer... nodes) {
		return round.inject(LinkFault.holdCommands(roundClient.client(), LinkFault.ACQUIRE, nodes));
	}

}
