package live.retwis.locks;

import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A million schedules, others than those of {@link SimulationTests}; some ten minutes on
 * two cores.
 */
class SimulationChaos {

	private static final long FIRST = 1_000_000;

	private static final long SCHEDULES = 1_000_000;

	@Test
	@Timeout(3600)
	void noneOfAMillionSchedulesBreaksAPromise() {
		LongStream.range(FIRST, FIRST + SCHEDULES)
			.parallel()
			.forEach((seed) -> SimulatedSchedule.play(seed, SimulatedSchedule.Rules.OURS));
	}

}
