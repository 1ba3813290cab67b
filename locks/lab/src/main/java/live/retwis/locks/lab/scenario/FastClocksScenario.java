package live.retwis.locks.lab.scenario;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.locks.lab.play.ScenarioDescription.Need;

/**
 * Scenario 2c.
 */
final class FastClocksScenario implements Scenario {

	/** Less than the one percent that Redlock allows for. */
	private static final int MILLIONTHS = 9000;

	/** 0.9 % of it are 89 ms, which is several times as long as a try. */
	private static final Duration LEASE = Duration.ofSeconds(10);

	/** Much more than the difference of the clocks in the end. */
	private static final Duration LAST = Duration.ofMillis(300);

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription
			.of("2c", "fast-clocks", "the clocks of three nodes run fast, within the drift that is allowed for", """
					A has the lock on all nodes. The clocks of three of them run 0.9 % fast, as a cheap crystal in a \
					warm room may, and they forget A when 9.911 of its ten seconds are over. B tries all the while. \
					The description of Redlock has the client take a drift off the time for which it relies on the \
					lock; Retwis takes 1 % and 2 ms, so that A no longer relies on it 13 ms before. Without that, B \
					would have the lock while A still relied on it, for up to 89 ms. What Martin Kleppmann objects to \
					are clocks that are wrong by more than any such allowance: that is scenario 2. RedissonRedLock \
					does not tell for how long its lock may be relied on, so that there is nothing to judge. The lease \
					is ten seconds here; of the usual second the drift is 9 ms, less than B needs for two tries.""")
			.citing(FurtherReading.REDIS, FurtherReading.KLEPPMANN)
			.needing(Need.CLOCKS)
			.withLease(LEASE)
			.expectOurs(Expectation.SAFE)
			.expect(Expectation.SHOWN, LabEngine.RAW);
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B");
		RoundClient a = clients.get(0);
		RoundClient b = clients.get(1);
		Stream.of(round.choose(3, 1, 2, 3, 4, 5))
			.forEach((node) -> round.inject(round.clock(node, Duration.ZERO, MILLIONTHS)));
		a.insist();
		round.await("on all nodes", () -> round.isHeld(round.all()));
		round.look("A has the lock");
		round.await(LAST.toMillis() + " ms are left to A", () -> a.left().compareTo(LAST) < 0);
		b.insist();
		round.note(a.left().toMillis() + " ms are left to A now");
		round.look("B has the lock");
		b.release();
	}

}
