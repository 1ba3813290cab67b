package live.retwis.locks;

import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A million other schedules than those of {@link SimulationTests}. They take about ten
 * minutes on two cores.
 */
class SimulationChaos {

	private static final long FIRST = 1_000_000;

	private static final long SCHEDULES = 1_000_000;

	@Test
	@Timeout(3600)
	void noScheduleOfAMillionBreaksAPromise() {
		LongStream.range(FIRST, FIRST + SCHEDULES)
			.parallel()
			.forEach((seed) -> SimulatedSchedule.play(seed, SimulatedSchedule.Rules.OURS));
	}

}
