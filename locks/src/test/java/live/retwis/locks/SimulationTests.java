package live.retwis.locks;

import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

class SimulationTests {

	@Test
	void keepsAllInvariants() {
		long start = System.nanoTime();
		LongStream
			.range(Long.getLong("simulation.seed", 0), Long.getLong("simulation.seed", Long.getLong("n", 2000)) + 1)
			.parallel()
			.forEach((seed) -> Schedule.play(seed, Schedule.Rules.OURS));
		System.out.println("XX " + (System.nanoTime() - start) / 1_000_000 + " ms");
	}

}
