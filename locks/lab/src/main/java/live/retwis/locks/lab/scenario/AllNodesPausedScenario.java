package live.retwis.locks.lab.scenario;

import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.client.SubmittedOperation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.PausedNode;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * Scenario 9.
 */
final class AllNodesPausedScenario implements Scenario {

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription.of("9", "all-paused", "all nodes stand still", """
				Every node is stopped (SIGSTOP): connections stay open, nothing answers. Nobody has the lock; what \
				differs is how soon the client is told. The description of Redlock wants a time-out for each node that \
				is small beside the lease, so that nobody is held up by a node that is down. Retwis says no after the \
				node time-outs. RedissonRedLock waits for three seconds at each node and tries again, far beyond the \
				round, which is shown and not judged: the commands that it sent lie in the nodes' sockets and take \
				effect when these go on. A lock on one node answers as late.""")
			.citing(FurtherReading.REDIS)
			.withAnyNodes()
			.expectOurs(Expectation.NONE)
			.expect(Expectation.SHOWN, LabEngine.RAW)
			.expect(Expectation.NONE, LabEngine.RLOCK, LabEngine.RFENCED);
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B");
		round.nodes(round.all()).forEach((node) -> round.inject(new PausedNode(node)));
		SubmittedOperation call = clients.get(0).tryAcquire();
		if (round.engine().isOurs()) {
			round.await("A has an answer", call::isDone);
		}
		else {
			round.awaitLease();
		}
		round.recover(clients.get(1));
	}

}
