package live.retwis.locks.lab.scenario;

import java.time.Duration;
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
 * Scenario 5.
 */
final class MinorityCutScenario implements Scenario {

	/** The longest wait: RedissonRedLock tries a node that is gone five times. */
	private static final Duration PATIENT = Duration.ofSeconds(15);

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription
			.of("5", "minority-cut", "a client is cut off from two of five nodes",
					"""
							A is cut off from nodes 4 and 5. Three nodes are a majority, so that A can have the lock. The \
							description of Redlock wants a time-out for each node that is small beside the lease, and the next \
							node tried at once. Retwis asks only nodes that it can reach, or learns within the node time-out that it \
							cannot. RedissonRedLock with its default settings tries node 4 again and again for some seconds, after \
							it has the key on nodes 1 to 3: with a lease of one second these forget A before it answers yes, and B \
							gets the lock as well. It is safe only where the lease is much longer than all of its time-outs \
							together. Redisson has deprecated it, and recommends its locks on one node. Its rounds take longer \
							than five seconds.""")
			.citing(FurtherReading.REDIS, FurtherReading.REDISSON)
			.expectOurs(Expectation.SAFE)
			.expect(Expectation.SAFE, LabEngine.RLOCK, LabEngine.RFENCED)
			.expect(Expectation.UNSAFE, LabEngine.RAW);
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B");
		RoundClient a = clients.get(0);
		CutLinks cut = round.inject(new CutLinks(a.client(), 4, 5));
		round.await("nothing passes to nodes 4 and 5", cut::isComplete);
		if (round.engine().isOurs()) {
			a.insist();
		}
		else {
			SubmittedOperation first = a.tryAcquire();
			round.await("A has an answer", PATIENT, first::isDone);
		}
		round.look("A has its answer");
		clients.get(1).challenge(a);
		round.useBoth(a, clients.get(1));
	}

}
