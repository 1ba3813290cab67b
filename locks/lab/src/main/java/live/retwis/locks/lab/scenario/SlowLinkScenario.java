package live.retwis.locks.lab.scenario;

import java.time.Duration;
import java.util.List;

import live.retwis.locks.LockSettings;
import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.LinkFault;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * Scenarios 7 and 7b.
 */
final class SlowLinkScenario implements Scenario {

	private final ScenarioDescription scenarioDescription;

	private final Duration delay;

	private SlowLinkScenario(ScenarioDescription scenarioDescription, Duration delay) {
		this.scenarioDescription = scenarioDescription;
		this.delay = delay;
	}

	static SlowLinkScenario under() {
		return new SlowLinkScenario(ScenarioDescription
			.of("7", "delay", "all nodes are slow, but within the node time-out",
					"""
							Each command of A takes 50 ms longer to each node; Retwis waits for a node for 100 ms. RedissonRedLock \
							asks node after node, so that our engine on top of it needs four delays, for three nodes and their \
							votes; the parallel engine needs one. The description of Redlock takes the time that this took off \
							the lease, and asks all nodes at once so that it is short: Retwis takes it off, and B has the lock right \
							after. RedissonRedLock as it comes needs half a second, and does not tell how much is left: who counts \
							a lease from its answer is wrong by two delays, about the tenth of a lease below which the judge looks \
							away. That is shown and not judged; 7b has it larger.""")
			.citing(FurtherReading.REDIS)
			.expectOurs(Expectation.SAFE)
			.expect(Expectation.SAFE, LabEngine.RLOCK, LabEngine.RFENCED)
			.expect(Expectation.SHOWN, LabEngine.RAW), Duration.ofMillis(50));
	}

	static SlowLinkScenario over() {
		return new SlowLinkScenario(ScenarioDescription
			.of("7b", "long-delay", "all nodes are slower than the node time-out",
					"""
							Each command of A takes 150 ms longer to each node, and Retwis waits for a node for 100 ms: no majority, \
							no lock. Martin Kleppmann holds that a lock must not depend on how long messages take; by the \
							description of Redlock a slow network may cost the lock, but cannot make two owners. Redisson's own \
							locks wait for three seconds and get there. RedissonRedLock needs ten trips, five to take the keys and \
							five, one after the other, to set their time to live again: when it answers, the first of these is 750 \
							ms old. Who relies on a whole lease from there has the lock together with B for a third of a lease. A \
							lock on one node is late by one trip, which its answer includes.""")
			.citing(FurtherReading.REDIS, FurtherReading.KLEPPMANN)
			.expectOurs(Expectation.NONE)
			.expect(Expectation.UNSAFE, LabEngine.RAW)
			.expect(Expectation.SAFE, LabEngine.RLOCK, LabEngine.RFENCED), Duration.ofMillis(150));
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
		LinkFault slow = round.inject(LinkFault.delay(a.client(), this.delay, 1, 2, 3, 4, 5));
		if (this.delay.compareTo(LockSettings.NODE_TIMEOUT) < 0) {
			a.insist();
		}
		else {
			a.acquire();
		}
		round.require("commands were late", slow.met() > 0);
		if (a.isHolder()) {
			a.read();
			a.write();
			round.await("B has the lock, or A may no longer rely on it", () -> b.acquire() || a.left().isZero());
			count(round, a, b);
		}
		round.recover(a, b);
	}

	/**
	 * Lets A count. A no longer writes when its time is up, because another scenario
	 * shows what comes of that.
	 */
	private static void count(RoundContext round, RoundClient a, RoundClient b) {
		if (a.left().compareTo(round.lease().dividedBy(10)) > 0) {
			round.useBoth(a, b);
		}
		else {
			b.read();
			b.write();
			b.release();
		}
	}

}
