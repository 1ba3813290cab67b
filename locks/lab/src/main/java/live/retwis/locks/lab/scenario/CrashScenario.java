package live.retwis.locks.lab.scenario;

import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.CrashedNode;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.locks.lab.play.ScenarioDescription.Need;

/**
 * Scenarios 3, 3b and 3c.
 */
final class CrashScenario implements Scenario {

	private final ScenarioDescription scenarioDescription;

	private final boolean delayed;

	private CrashScenario(ScenarioDescription scenarioDescription, boolean delayed) {
		this.scenarioDescription = scenarioDescription.withLease(BareMajoritySetup.LEASE);
		this.delayed = delayed;
	}

	static CrashScenario forgetting() {
		return new CrashScenario(ScenarioDescription
			.of("3", "crash", "a node that holds the lock crashes and comes back empty",
					"""
							A has the lock on nodes 1, 2 and 3, because nodes 4 and 5 hold the orphan of a dead client for a \
							moment. One of the three is killed and started again. It kept nothing on disk, so that B finds three \
							nodes that know nobody: two owners. Martin Kleppmann names this beside the clock that jumps. No client \
							can prevent it; the description of Redlock asks for a node to stay down for a lease after a crash, or \
							for every write to be on disk before it is answered. Retwis warns about nodes that may forget and cannot \
							keep B out, but B is noted in the protected store, which refuses what A still writes. A number that \
							the lock's own node counts does not help: it begins anew.""")
			.citing(FurtherReading.REDIS, FurtherReading.KLEPPMANN)
			.expectOurs(Expectation.FENCED)
			.expect(Expectation.UNSAFE, LabEngine.RAW, LabEngine.RLOCK, LabEngine.RFENCED)
			.expect(Expectation.UNSAFE, LabEngine.TUTORIALS.toArray(LabEngine[]::new)), false);
	}

	static CrashScenario late() {
		return new CrashScenario(ScenarioDescription.of("3b", "late-restart",
				"the node that crashed comes back when the lease is over",
				"""
						As in 3, but the node stays down until the others have forgotten A by themselves, which is what the \
						description of Redlock calls a delayed restart. What the node forgot is worth nothing by then, and B \
						is the only owner. Nobody enforces it: whoever starts nodes has to know how long the longest lease is.""")
			.citing(FurtherReading.REDIS)
			.expect(Expectation.SAFE, LabEngine.compared()), true);
	}

	static CrashScenario durable() {
		return new CrashScenario(ScenarioDescription
			.of("3c", "durable-crash", "the node that crashed has every write on disk",
					"""
							As in 3, with appendonly yes and appendfsync always: the node is back at once and still knows A, so \
							that B is refused. The description of Redlock offers this as the other way out of a crash, and names \
							its price: each write waits for the disk. Retwis looks at these two settings at each connect and warns \
							where they are missing.""")
			.citing(FurtherReading.REDIS)
			.needing(Need.DURABLE_NODES)
			.expect(Expectation.SAFE, LabEngine.compared()), false);
	}

	@Override
	public ScenarioDescription about() {
		return this.scenarioDescription;
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B");
		RoundClient a = clients.get(0);
		RoundClient b = clients.get(1);
		boolean majority = round.engine().hasMajority();
		Integer victim = majority ? round.choose(1, 1, 2, 3)[0] : Integer.valueOf(1);
		BareMajoritySetup.acquire(round, a);
		round.look("A has the lock");
		if (this.delayed) {
			a.read();
			a.write();
		}
		CrashedNode crash = round.inject(new CrashedNode(round.node(victim)));
		if (this.delayed) {
			round.awaitLease();
		}
		round.undo(crash);
		round.await("B speaks to the node again", () -> b.reaches(victim));
		BareMajoritySetup.awaitFree(round);
		if (this.delayed) {
			b.insist();
			b.read();
			b.write();
			b.release();
		}
		else {
			round.requireTimeLeft(a);
			b.challenge(a);
			round.useBoth(a, b);
		}
	}

}
