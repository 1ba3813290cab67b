package live.retwis.locks;

import java.util.stream.LongStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The locks over simulated time and nodes, with a great many orders of events. A schedule
 * that breaks a promise reports its number. {@code -Dsimulation.seed} plays that schedule
 * alone and prints each command.
 */
@Timeout(300)
class SimulationTests {

	private static final int SCHEDULES = 20_000;

	private static LongStream seeds() {
		Long one = Long.getLong("simulation.seed");
		return (one != null) ? LongStream.of(one) : LongStream.range(0, SCHEDULES).parallel();
	}

	@Test
	void noScheduleBreaksAPromise() {
		seeds().forEach((seed) -> SimulatedSchedule.play(seed, SimulatedSchedule.Rules.OURS));
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@EnumSource
	void theSimulationFindsEachMistakeByThePromiseThatItBreaksAndPlaysItAgain(BrokenBallots broken) {
		Found found = seeds().mapToObj((seed) -> new Found(seed, brokenPromise(seed, broken)))
			.filter((played) -> played.message().contains(broken.promise()))
			.findAny()
			.orElseThrow();
		assertThat(brokenPromise(found.seed(), broken)).isEqualTo(found.message());
	}

	private record Found(long seed, String message) {
	}

	private static String brokenPromise(long seed, BrokenBallots broken) {
		try {
			SimulatedSchedule.play(seed, broken.rules());
			return "";
		}
		catch (BrokenPromise ex) {
			return ex.toString();
		}
	}

	@Test
	void locksThatCrashHaveNotBrokenAPromise() {
		SimulatedSchedule.Rules crashing = new SimulatedSchedule.Rules(SimulatedStore::new,
				(environment) -> (node, candidate) -> {
					throw new IllegalArgumentException("crash");
				});
		assertThatIllegalStateException().isThrownBy(() -> SimulatedSchedule.play(0, crashing))
			.withMessageContaining("crash");
	}

}
