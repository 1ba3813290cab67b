package live.retwis.locks.lab.scenario;

import java.time.Duration;
import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.locks.lab.play.ScenarioDescription.Need;

/**
 * Scenarios 2 and 2b.
 */
final class ClockJumpScenario implements Scenario {

	private static final Duration JUMP = Duration.ofSeconds(5);

	private final ScenarioDescription scenarioDescription;

	private final boolean three;

	private ClockJumpScenario(ScenarioDescription scenarioDescription, boolean three) {
		this.scenarioDescription = scenarioDescription.needing(Need.CLOCKS).withLease(BareMajoritySetup.LEASE);
		this.three = three;
	}

	static ClockJumpScenario atThree() {
		return new ClockJumpScenario(ScenarioDescription
			.of("2", "clock-jump", "the clock of one of three holding nodes jumps ahead",
					"""
							A has the lock on nodes 1, 2 and 3, because nodes 4 and 5 hold the orphan of a dead client for a \
							moment. The wall clock of one of the three jumps five seconds ahead, as a careless administrator or a \
							broken NTP server makes it: Redis counts leases by the wall clock, and forgets A. B finds three free \
							nodes: two owners. This is Martin Kleppmann's first example. Salvatore Sanfilippo answers that clocks \
							must be kept from jumping, and that Redis should count by a clock that cannot be set; up to now it \
							does not. The locks of this site (Retwis) cannot keep B out, but B is noted in the protected store, which refuses what A still \
							writes. RFencedLock's number has no time to live, so that the clock does not touch it.""")
			.citing(FurtherReading.KLEPPMANN, FurtherReading.SANFILIPPO)
			.expectOurs(Expectation.FENCED)
			.expect(Expectation.UNSAFE, LabEngine.RAW, LabEngine.RLOCK)
			.expect(Expectation.FENCED, LabEngine.RFENCED), true);
	}

	static ClockJumpScenario atFive() {
		return new ClockJumpScenario(ScenarioDescription
			.of("2b", "clock-jump-of-five", "the clock of one of five holding nodes jumps ahead", """
					As in 2, but all five nodes hold the lock. One that forgets leaves four, and B does not find a \
					majority. How many nodes really hold the key decides how many may fail: in Martin Kleppmann's \
					example two nodes could not be reached when A took the lock, and only therefore one clock is \
					enough. RedissonRedLock stops asking at the first failure after a majority, which makes three \
					holders more likely.""")
			.citing(FurtherReading.KLEPPMANN)
			.expect(Expectation.SAFE, LabEngine.REDISSON, LabEngine.PARALLEL, LabEngine.RAW), false);
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
		int jumping = round.engine().hasMajority() ? round.choose(1, 1, 2, 3)[0] : 1;
		if (this.three) {
			BareMajoritySetup.acquire(round, a);
			BareMajoritySetup.awaitFree(round);
		}
		else {
			a.insist();
			round.await("on all nodes", () -> round.isHeld(round.all()));
		}
		round.look("A has the lock");
		round.inject(round.clock(jumping, JUMP, 0));
		round.await("the node has forgotten A", () -> round.isFree(jumping));
		round.requireTimeLeft(a);
		b.challenge(a);
		round.useBoth(a, b);
	}

}
