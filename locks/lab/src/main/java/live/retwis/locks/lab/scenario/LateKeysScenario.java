package live.retwis.locks.lab.scenario;

import java.time.Duration;
import java.util.List;

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
 * Scenario 20.
 */
final class LateKeysScenario implements Scenario {

	/**
	 * Long enough for an overlap to count, where an engine does not tell its validity.
	 */
	private static final Duration USE = BareMajoritySetup.LEASE.dividedBy(8);

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription
			.of("20", "late-keys", "another had the lock in between, and then keys of the holder arrive late",
					"""
							A has the lock on nodes 1, 2 and 3, and what it asked of 4 and 5 is on its way. Node 3 forgets, B gets \
							3, 4 and 5, counts and gives the lock back. Now A's keys arrive on 4 and 5, which are free: four nodes \
							hold A again, as if nothing had been. The description of Redlock has a lock prolonged if a majority \
							still knows it, and A asks for that. Were it told yes, and noted anew in the protected store, it would \
							write over what B has counted. Retwis asks only nodes that have voted for A, of which two are left, and \
							renews a note only while it still names A. RedissonRedLock cannot prolong and has no note: A, whose \
							lock the nodes 4 and 5 refused at first, writes when B has counted.""")
			.citing(FurtherReading.REDIS)
			.withLease(BareMajoritySetup.LEASE)
			.expectOurs(Expectation.FENCED)
			.expect(Expectation.UNSAFE, LabEngine.RAW);
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B");
		RoundClient a = clients.get(0);
		RoundClient b = clients.get(1);
		if (round.engine().isOurs()) {
			LinkFault late = acquireWhileTwoAreLate(round, a);
			anotherCounts(round, a, b);
			round.await("nodes 3, 4 and 5 are free", () -> round.isFree(3, 4, 5));
			round.undo(late);
			round.await("A's keys are there", () -> round.isHeld(4, 5));
			round.await("A speaks to them again", () -> a.reaches(4, 5));
			round.requireTimeLeft(a);
			a.extend();
		}
		else {
			BareMajoritySetup.acquire(round, a);
			BareMajoritySetup.awaitFree(round);
			anotherCounts(round, a, b);
		}
		round.look("B has given it back");
		a.write();
		a.release();
	}

	private static LinkFault acquireWhileTwoAreLate(RoundContext round, RoundClient a) {
		LinkFault late = round.inject(LinkFault.holdCommands(a.client(), LinkFault.ACQUIRE, 4, 5));
		SubmittedOperation first = a.tryAcquire();
		round.await("A has the lock, and what it asked of 4 and 5 is held",
				() -> first.isAcquired() && late.hasMetEach());
		return late;
	}

	private static void anotherCounts(RoundContext round, RoundClient a, RoundClient b) {
		a.read();
		round.inject(new FlushedNodes(round.nodes(3), round.resource()));
		b.challenge(a);
		b.read();
		b.write();
		round.await(USE);
		b.release();
	}

}
