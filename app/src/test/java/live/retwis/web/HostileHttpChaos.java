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
	 * Enough to fill all caches and pools, and to use all of the heap once: the JVM gives
	 * nothing of that back.
	 */
	private static final long WARM_UP = REQUESTS;

	@Test
	@Timeout(value = 30, unit = TimeUnit.MINUTES)
	void manyRequestsAreNoErrorsAndNothingIsLeftOfThem() throws Exception {
		HostileHttp hostile = new HostileHttp(Site.shared());
		hostile.play(FIRST, FIRST + WARM_UP);
		long heap = HostileHttp.heap();
		long resident = HostileHttp.resident();
		hostile.play(FIRST + WARM_UP, FIRST + WARM_UP + REQUESTS);
		long heapAfter = HostileHttp.heap();
		long residentAfter = HostileHttp.resident();
		log.info("Heap {} and {} kB, resident {} and {} kB, before and after {} requests", heap / 1024,
				heapAfter / 1024, resident / 1024, residentAfter / 1024, REQUESTS);
		assertThat(heapAfter).isCloseTo(heap, withinPercentage(5));
		assertThat(residentAfter).isLessThan(resident + resident / 20);
	}

}
