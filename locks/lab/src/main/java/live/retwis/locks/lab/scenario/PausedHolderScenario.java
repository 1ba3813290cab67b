package live.retwis.locks.lab.scenario;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.PausedClient;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * Scenarios 1, 1b and 1c.
 */
final class PausedHolderScenario implements Scenario {

	private final ScenarioDescription scenarioDescription;

	private final Late late;

	private PausedHolderScenario(ScenarioDescription scenarioDescription, Late late) {
		this.scenarioDescription = scenarioDescription;
		this.late = late;
	}

	static PausedHolderScenario writing() {
		return new PausedHolderScenario(ScenarioDescription
			.of("1", "stopped-holder", "the holder stands still past its lease, then writes",
					"""
							A is a process of its own. It has the lock and has read the counter; then it is stopped \
							(SIGSTOP), as a long garbage collection or a suspended machine stops it, until its lease is \
							over. B takes the lock, counts and gives it back. A goes on where it stood, and writes: an \
							increment is lost. No lock alone can prevent that, for A cannot look at a clock while it \
							stands still. This is Martin Kleppmann's main objection, and his remedy is a fencing token that the \
							store compares; Salvatore Sanfilippo answers that a unique value which the store compares does \
							as well; Kyle Kingsbury found the same lost updates with locks on etcd, which forgets nothing. \
							Where no write is lost, it is the store that refuses A. The locks of this site (Retwis) note \
							their owner there, and the store refuses everybody else. The numbered lock of Redisson \
							(RFencedLock) shows the store a number, which refuses A only once B has written. By leases alone there is one owner at a time: what \
							is judged is the effect.""")
			.citing(FurtherReading.KLEPPMANN, FurtherReading.SANFILIPPO, FurtherReading.JEPSEN_ETCD)
			.withAnyNodes()
			.expectOurs(Expectation.SAFE)
			.expect(Expectation.SAFE, LabEngine.RFENCED)
			.expect(Expectation.LOST_UPDATE, LabEngine.RAW, LabEngine.RLOCK, LabEngine.SETNX_DEL, LabEngine.SETNX_WATCH,
					LabEngine.SETNX_LUA),
				Late.WRITES);
	}

	static PausedHolderScenario releasing() {
		return new PausedHolderScenario(ScenarioDescription
			.of("1b", "late-release", "the holder stands still past its lease, then releases", """
					As in 1, but A gives the lock back when it goes on, while B has it, and C tries right after \
					that. A release that only deletes the key would free B's lock, and C would be a second owner. \
					This is why the description of Redlock gives each owner a random value, and deletes the key by \
					a script that compares it. All engines do it in some way, so that A's late release does \
					nothing, but for the plainest: SET NX, given back by DEL.""")
			.citing(FurtherReading.REDIS)
			.withAnyNodes()
			.expect(Expectation.SAFE, LabEngine.compared())
			.expect(Expectation.UNSAFE, LabEngine.SETNX_DEL), Late.RELEASES);
	}

	static PausedHolderScenario early() {
		return new PausedHolderScenario(ScenarioDescription
			.of("1c", "early-write", "the holder stands still past its lease, then writes before its successor does",
					"""
							As in 1, but A goes on when B has read and has not yet written. B's number is greater than A's, but the \
							store has not seen it: by Martin Kleppmann's rule A's write is accepted, and then B writes over it. So a \
							number that rises protects the store only if every owner shows it before it reads. The locks of this \
							site (Retwis) note their owner in the store right after the lock is had, and it refuses A at once. \
							Play it with the rising number as the fence to see the difference.""")
			.citing(FurtherReading.KLEPPMANN)
			.withAnyNodes()
			.expectOurs(Expectation.SAFE)
			.expect(Expectation.LOST_UPDATE, LabEngine.RAW, LabEngine.RLOCK, LabEngine.RFENCED)
			.expect(Expectation.LOST_UPDATE, LabEngine.TUTORIALS.toArray(LabEngine[]::new)), Late.WRITES_EARLY);
	}

	@Override
	public ScenarioDescription about() {
		return this.scenarioDescription;
	}

	@Override
	public void play(RoundContext round) {
		RoundClient a = round.processes("A").get(0);
		RoundClient b = round.clients("B", "C").get(0);
		RoundClient c = round.clients("B", "C").get(1);
		a.insist();
		a.read();
		PausedClient stopped = round.inject(new PausedClient(a.client()));
		round.await("all nodes have forgotten A", round::isFree);
		b.insist();
		b.read();
		switch (this.late) {
			case RELEASES -> {
				round.undo(stopped);
				a.release();
				c.challenge(b);
				round.useBoth(b, c);
			}
			case WRITES -> {
				b.write();
				b.release();
				round.undo(stopped);
				a.write();
				a.release();
			}
			case WRITES_EARLY -> {
				round.undo(stopped);
				a.write();
				b.write();
				b.release();
				a.release();
			}
		}
	}

	/** What the holder does when it goes on. */
	private enum Late {

		/** It writes when its successor is done. */
		WRITES,
		/** It gives the lock back that its successor has. */
		RELEASES,
		/** It writes before its successor does. */
		WRITES_EARLY

	}

}
