package live.retwis.locks.lab.scenario;

import java.time.Duration;
import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.client.Operation;
import live.retwis.locks.lab.client.SubmittedOperation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.LinkFault;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * Scenario 13.
 */
final class LatePexpireScenario implements Scenario {

	private static final Duration SHORT = Duration.ofMillis(300);

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription
			.of("13", "late-pexpire", "a PEXPIRE of a lapsed owner arrives under its successor",
					"""
							At the end of an acquisition RedissonRedLock sends PEXPIRE to each node, so that all keys live as long \
							as each other. It does not ask whose key it is. Here A locks for 300 ms, and its PEXPIRE is held up \
							until the keys are gone and B has the lock for a second. Then it arrives, those to the other nodes \
							follow, and they cut B's lease to 300 ms: C gets the lock while B may still rely on it. The \
							description of Redlock has a lock prolonged only by a script that finds its owner's value there. Retwis \
							has no command that sets a time to live without looking at the owner, and none that shortens it. What \
							is held up here is its extension, and it finds that the key is not A's.""")
			.citing(FurtherReading.REDIS)
			.expectOurs(Expectation.SAFE)
			.expect(Expectation.UNSAFE, LabEngine.RAW);
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B", "C");
		RoundClient a = clients.get(0);
		RoundClient b = clients.get(1);
		RoundClient c = clients.get(2);
		LinkFault held = round.engine().isOurs() ? extendHeld(round, a) : acquireHeld(round, a);
		round.await("all nodes have forgotten A", round::isFree);
		b.insist();
		round.look("B has the lock");
		round.undo(held);
		round.await("the keys are gone, or a half of B's lease", () -> round.isFree() || b.left().toMillis() < 500);
		c.challenge(b);
		round.useBoth(b, c);
	}

	private static LinkFault acquireHeld(RoundContext round, RoundClient a) {
		LinkFault held = round.inject(LinkFault.holdCommands(a.client(), LinkFault.EXPIRE, 1, 2, 3, 4, 5));
		a.tryAcquire(SHORT);
		round.await("the first PEXPIRE is held", () -> held.met() > 0);
		return held;
	}

	private static LinkFault extendHeld(RoundContext round, RoundClient a) {
		var acquisition = a.tryAcquire(SHORT);
		round.await("A has the lock", acquisition::isAcquired);
		LinkFault held = round.inject(LinkFault.holdCommands(a.client(), LinkFault.EXPIRE, 1, 2, 3, 4, 5));
		a.begin(Operation.EXTEND);
		round.await("the extensions of a majority are held", () -> held.met() >= 3);
		return held;
	}

}
