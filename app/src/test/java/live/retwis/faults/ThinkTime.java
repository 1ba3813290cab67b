package live.retwis.faults;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * The pauses of users between two actions. They are a part of the workload. No test waits
 * for a result in this way.
 */
final class ThinkTime {

	/** Milliseconds. */
	static final int SHORT = 200;

	private ThinkTime() {
	}

	static void upTo(int millis, Random random) {
		if (millis > 0) {
			LockSupport.parkNanos(Duration.ofMillis(random.nextInt(millis + 1)).toNanos());
		}
	}

}
