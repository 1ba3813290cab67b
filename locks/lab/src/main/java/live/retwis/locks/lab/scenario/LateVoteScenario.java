package live.retwis.locks.lab.scenario;

import java.time.Duration;
import java.util.List;

import live.retwis.locks.LockSettings;
import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.client.SubmittedOperation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.FlushedNodes;
import live.retwis.locks.lab.fault.LinkFault;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * Scenario 14.
 */
final class LateVoteScenario implements Scenario {

	private static final Duration BEYOND_TIMEOUT = LockSettings.NODE_TIMEOUT.multipliedBy(3).dividedBy(2);

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription.of("14", "late-vote",
				"a node that timed out votes later, and must not be released after that",
				"""
						Node 3 takes the key for A, and its answer comes after the node time-out. A has the lock without it; \
						the key on node 3 keeps others out all the same. The description of Redlock says when to give back, \
						and does not say that this must never cross a lock that is held: a client that cleans up after a \
						time-out, and deletes the key on node 3 in the background, would do so under its own feet. Nodes 4 and \
						5 are emptied here, so that A is left with 1, 2 and 3, and B would have a majority with the third. \
						Retwis sends a node no release while the lock is held, and a node that was sent one never votes again. \
						RedissonRedLock waits for the answer of node 3, and cannot prolong: it is shown and not judged.""")
			.citing(FurtherReading.REDIS)
			.expectOurs(Expectation.SAFE)
			.expect(Expectation.SHOWN, LabEngine.RAW);
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B");
		RoundClient a = clients.get(0);
		LinkFault late = round.inject(LinkFault.holdReplies(a.client(), LinkFault.ACQUIRE, 3));
		SubmittedOperation first = a.tryAcquire();
		round.await("the answer of node 3 is held", () -> late.hasMetEach() && round.isHeld(3));
		if (round.engine().isOurs()) {
			round.await("A has the lock without it", first::isAcquired);
		}
		round.await(BEYOND_TIMEOUT);
		round.undo(late);
		round.await("A has the lock", first::isAcquired);
		round.await("A speaks to node 3 again", () -> a.reaches(3));
		a.extend();
		round.look("A asked for more time");
		round.inject(new FlushedNodes(round.nodes(4, 5), round.resource()));
		clients.get(1).challenge(a);
		round.useBoth(a, clients.get(1));
	}

}
