package live.retwis.locks.lab.scenario;

import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.client.SubmittedOperation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.LinkFault;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * Scenario 8a.
 */
final class HeldReplyScenario implements Scenario {

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription
			.of("8a", "held-reply", "one node's answer to the acquisition is held beyond the lease",
					"""
							A asks node 1, 2, 3 and so on. Node 3 takes the key, but its answer is held up until the lease is over \
							and the first three nodes have forgotten A. Then the answer comes, A goes on to nodes 4 and 5, has \
							five answers "yes" and believes that it has the lock, though only two nodes hold it: B gets the other \
							three. This is Martin Kleppmann's second example; Salvatore Sanfilippo answers, rightly, that it is \
							foreseen: the description of Redlock takes the elapsed time off the lease and gives up when nothing is \
							left. RedissonRedLock does not look at the clock; Redisson has deprecated it. Retwis gives up on node 3 \
							after the node time-out, has a majority without it, and counts the lease from before the first vote \
							was sent. With a lock on one node the answer is as late, and nothing tells the client; a number that \
							the store compares refuses the late write.""")
			.citing(FurtherReading.REDIS, FurtherReading.KLEPPMANN, FurtherReading.SANFILIPPO, FurtherReading.REDISSON)
			.expectOurs(Expectation.SAFE)
			.expect(Expectation.UNSAFE, LabEngine.RAW, LabEngine.RLOCK)
			.expect(Expectation.FENCED, LabEngine.RFENCED);
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B");
		RoundClient a = clients.get(0);
		RoundClient b = clients.get(1);
		int node = round.engine().hasMajority() ? 3 : 1;
		LinkFault held = round.inject(LinkFault.holdReplies(a.client(), LinkFault.ACQUIRE, node));
		SubmittedOperation first = a.tryAcquire();
		round.await("the node took the key and its answer is held", () -> held.hasMetEach() && round.isHeld(node));
		round.await("A has its answer, or its key is gone", () -> first.isDone() || round.isFree(1, 2, 3));
		if (!first.isDone()) {
			round.undo(held);
			round.await("A has its answer", first::isDone);
		}
		round.look("A has its answer");
		b.challenge(a);
		round.useBoth(a, b);
	}

}
