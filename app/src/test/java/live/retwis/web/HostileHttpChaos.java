package live.retwis.web;

import java.util.concurrent.TimeUnit;

import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

/**
 * A hundred thousand other requests than those of {@link HostileHttpTests}, or
 * {@code -Dhostile.requests}. They leave nothing in memory.
 */
class HostileHttpChaos {

	private static final Logger log = LoggerFactory.getLogger(HostileHttpChaos.class);

	private static final long FIRST = 1_000_000;

	private static final long REQUESTS = Long.getLong("hostile.requests", 100_000);

	/**
	 * So many times the requests are sent before. All caches and pools are full then, and
	 * the heap, which the JVM makes larger and smaller, has been at its highest.
	 */
	private static final int WARM_UPS = 3;

	@Test
	@Timeout(value = 30, unit = TimeUnit.MINUTES)
	void manyRequestsAreNoErrorsAndNothingIsLeftOfThem() throws Exception {
		HostileHttp hostile = new HostileHttp(Site.shared());
		long heap = 0;
		long highest = 0;
		for (int i = 0; i < WARM_UPS; i++) {
			hostile.play(FIRST + i * REQUESTS, FIRST + (i + 1) * REQUESTS);
			heap = HostileHttp.heap();
			highest = Math.max(highest, HostileHttp.resident());
		}
		hostile.play(FIRST + WARM_UPS * REQUESTS, FIRST + (WARM_UPS + 1) * REQUESTS);
		long heapAfter = HostileHttp.heap();
		long resident = HostileHttp.resident();
		log.info("Heap {} and {} kB before and after {} requests; resident {} kB, before at most {} kB", heap / 1024,
				heapAfter / 1024, REQUESTS, resident / 1024, highest / 1024);
		assertThat(heapAfter).isCloseTo(heap, withinPercentage(5));
		assertThat(resident).isLessThan(highest + highest / 20);
	}

}
