package live.retwis.faults;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * People take their time. A part of the workload: nothing is waited for in this way.
 */
final class ThinkTime {

	/** In milliseconds. */
	static final int SHORT = 200;

	private ThinkTime() {
	}

	static void upTo(int millis, Random random) {
		if (millis > 0) {
			LockSupport.parkNanos(Duration.ofMillis(random.nextInt(millis + 1)).toNanos());
		}
	}

}
