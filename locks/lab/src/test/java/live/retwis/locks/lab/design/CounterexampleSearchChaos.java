package live.retwis.locks.lab.design;

import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Searches for ten minutes for a schedule that breaks the design of this project's lock.
 * {@code -Ddesign.minutes=60} takes an hour.
 */
class CounterexampleSearchChaos {

	private static final Logger log = LoggerFactory.getLogger(CounterexampleSearchChaos.class);

	private static final Duration TIME = Duration.ofMinutes(Integer.getInteger("design.minutes", 10));

	/** Schedules for each number of faults, before the next seeds are tried. */
	private static final int SCHEDULES = 2_000;

	@Test
	void noScheduleBreaksTheDesignOfThisProjectsLock() {
		long end = System.nanoTime() + TIME.toNanos();
		Stream.of(RedlockDesign.retwis(RedlockDesign.FEWEST), RedlockDesign.retwis(RedlockDesign.MOST))
			.parallel()
			.forEach((design) -> {
				long seed = 0;
				while (System.nanoTime() - end < 0) {
					assertThat(new CounterexampleSearch(design, SCHEDULES, () -> System.nanoTime() - end > 0).run(seed))
						.isEmpty();
					seed += SCHEDULES;
				}
				log.info("{} nodes: {} schedules", design.nodes(), seed * (CounterexampleSearch.MOST_FAULTS + 1));
			});
	}

}
