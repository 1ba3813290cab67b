package live.retwis.locks.bench;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * A way to take locks.
 */
interface LockContestant extends AutoCloseable {

	/** As the site's. */
	Duration LEASE = Duration.ofSeconds(10);

	/** As the site's. */
	Duration WAIT = Duration.ofSeconds(2);

	String name();

	/**
	 * Takes a lock.
	 * @param resource what to lock
	 * @param wait how long to try; zero for one try
	 * @return what is held, null when somebody else has it
	 */
	CompletableFuture<@Nullable Held> acquire(String resource, Duration wait);

	/** Waits until it can take locks again, after some failed. */
	default void recover() {
	}

	@Override
	void close();

	/**
	 * A lock that is held.
	 */
	interface Held {

		/** Gives it back; done when the contestant says so. */
		CompletableFuture<?> release();

	}

}
