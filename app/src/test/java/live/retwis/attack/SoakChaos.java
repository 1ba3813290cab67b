package live.retwis.attack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ToLongFunction;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ordinary use for long. {@code -Dchaos.soak=5} takes five minutes instead of twenty.
 */
@Timeout(3600)
class SoakChaos {

	private static final Logger log = LoggerFactory.getLogger(SoakChaos.class);

	private static final Duration TIME = Duration.ofMinutes(Integer.getInteger("chaos.soak", 20));

	private static final int LOOKS = 16;

	/** Readers see about 25 pages a second. */
	private static final int PAGES = (int) (25 * TIME.toSeconds() / LOOKS);

	/** A post with its log entries, likes and places in 50 timelines. */
	private static final int KB_OF_A_POST = 8;

	@Test
	void anInstanceInOrdinaryUseDoesNotGrow() {
		try (AttackedSite used = AttackedSite.start();
				HonestCrowd crowd = HonestCrowd.start(used.site().origin(), SoakChaos::life)) {
			List<Footprint> looks = new ArrayList<>();
			int posts = 0;
			for (int i = 0; i < LOOKS; i++) {
				crowd.awaitPages(PAGES);
				looks.add(used.footprint());
				posts = (i == LOOKS / 2 - 1) ? crowd.posts() : posts;
				log.info("{} of {}: {}, {} posts, streams opened: {}", i + 1, LOOKS, looks.get(i), crowd.posts(),
						crowd.opened());
			}
			crowd.assertThatStreamsHaveEachPostOnce();
			assertThat(crowd.troubles()).isEmpty();
			assertThat(growth(looks, Footprint::heap)).as("kB of heap").isLessThan(5_000);
			assertThat(growth(looks, Footprint::direct)).as("kB of buffers").isLessThan(5_000);
			assertThat(growth(looks, Footprint::files)).as("files").isLessThan(10);
			assertThat(growth(looks, Footprint::resident)).as("kB of memory").isLessThan(30_000);
			assertThat(growth(looks, Footprint::redis)).as("kB of Redis")
				.isLessThan((long) KB_OF_A_POST * (crowd.posts() - posts) + 1_000);
		}
	}

	private static Duration life() {
		return Duration.ofSeconds(ThreadLocalRandom.current().nextInt(10, 60));
	}

	/** The mean of the last quarter, less that of the second. */
	private static long growth(List<Footprint> looks, ToLongFunction<Footprint> part) {
		int quarter = LOOKS / 4;
		return (sum(looks.subList(LOOKS - quarter, LOOKS), part) - sum(looks.subList(quarter, 2 * quarter), part))
				/ quarter;
	}

	private static long sum(List<Footprint> looks, ToLongFunction<Footprint> part) {
		return looks.stream().mapToLong(part).sum();
	}

}
