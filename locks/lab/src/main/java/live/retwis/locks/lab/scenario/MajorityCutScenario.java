package live.retwis.locks.lab.scenario;

import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.client.SubmittedOperation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.CutLinks;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * Scenario 6.
 */
final class MajorityCutScenario implements Scenario {

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription.of("6", "majority-cut", "all clients are cut off from three of five nodes", """
				No client reaches a majority, so that nobody may have the lock: safe, and no progress. The description \
				of Redlock says so: locks can be had as long as a majority of the nodes is up, and not otherwise. That \
				is the price of asking a majority. Retwis says so at once, and has the lock again within a lease after \
				the nodes are back. RedissonRedLock with its default settings still tries the first of the nodes that \
				are gone when the round is over, so that its recovery is not asked for. A lock on one node has none \
				either while that node is the one that is gone.""")
			.citing(FurtherReading.REDIS)
			.expect(Expectation.NONE, LabEngine.compared());
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B");
		Integer[] gone = round.engine().hasMajority() ? round.choose(3, 1, 2, 3, 4, 5) : new Integer[] { 1 };
		List<CutLinks> cuts = clients.stream()
			.map((actor) -> round.inject(new CutLinks(actor.client(), gone)))
			.toList();
		round.await("nothing passes", () -> cuts.stream().allMatch(CutLinks::isComplete));
		List<SubmittedOperation> calls = clients.stream().map(RoundClient::tryAcquire).toList();
		if (round.engine().isOurs()) {
			round.await("both have an answer", () -> calls.stream().allMatch(SubmittedOperation::isDone));
		}
		else {
			round.awaitLease();
		}
		round.look("while cut off");
		round.recover(clients.get(0), clients.get(1));
	}

}
