package live.retwis.locks.lab.scenario;

import java.time.Duration;
import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.CrashedNode;
import live.retwis.locks.lab.fault.PromotedReplica;
import live.retwis.locks.lab.fault.StalledReplication;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * Scenario 4.
 */
final class FailoverScenario implements Scenario {

	/**
	 * Sentinel takes two seconds, and one of Redisson's clients takes some more to come
	 * back.
	 */
	private static final Duration LEASE = Duration.ofSeconds(8);

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription.of("4", "failover", "Sentinel promotes a replica that never heard of the lock", """
				Node 1 has a replica and three Sentinels, as if a node of Redlock had to be highly available by \
				itself. A has the lock on nodes 1, 2 and 3, because nodes 4 and 5 hold the orphan of a dead client for \
				a moment. Replication is asynchronous, and here its link stands still: node 1 has said yes, and the \
				replica never heard of it. Then node 1 is killed, Sentinel promotes the replica, and B, led to it, \
				finds three nodes that know nobody: two owners. The description of Redlock begins with this case, as \
				the reason not to lock on a master with a replica; Kyle Kingsbury measured how many acknowledged \
				writes are lost in such a fail-over. Within Redlock it is no better: a promoted replica is a node that \
				forgets. Retwis takes no replica for a node, but cannot know what a promoted one has not heard; the \
				protected store refuses what A still writes. The lease is eight seconds here, since Sentinel takes \
				two.""")
			.citing(FurtherReading.REDIS, FurtherReading.JEPSEN_REDIS)
			.withLease(LEASE)
			.expectOurs(Expectation.FENCED)
			.expect(Expectation.UNSAFE, LabEngine.RAW, LabEngine.RLOCK, LabEngine.RFENCED);
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B");
		RoundClient a = clients.get(0);
		RoundClient b = clients.get(1);
		StalledReplication replica = round.inject(round.stalledReplication(1));
		BareMajoritySetup.acquire(round, a);
		round.await("on node 1, whose replica does not hear of it",
				() -> round.isHeld(1) && replica.withheld() > 0 && !replica.knows(round.resource()));
		round.look("A has the lock");
		round.inject(new CrashedNode(round.node(1)));
		PromotedReplica promoted = round.inject(new PromotedReplica(replica));
		round.require("Sentinel has promoted the replica", promoted.isComplete());
		round.await("B speaks to the replica", () -> b.reaches(1));
		BareMajoritySetup.awaitFree(round);
		round.requireTimeLeft(a);
		b.challenge(a);
		round.useBoth(a, b);
	}

}
