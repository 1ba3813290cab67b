package live.retwis.locks.bench;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/**
 * A kind of lock in the comparison.
 */
interface LockContestant extends AutoCloseable {

	/** The same as on the site. */
	Duration LEASE = Duration.ofSeconds(10);

	/** The same as on the site. */
	Duration WAIT = Duration.ofSeconds(2);

	String name();

	/**
	 * Takes a lock.
	 * @param resource what to lock
	 * @param wait how long to try; zero for a single try
	 * @return the lock; null when somebody else has it
	 */
	CompletableFuture<@Nullable Held> acquire(String resource, Duration wait);

	/** Waits until locks can be taken again after a failure. */
	default void recover() {
	}

	@Override
	void close();

	/** A lock that is held. */
	interface Held {

		/** Releases the lock. Completes when the contestant says that it is released. */
		CompletableFuture<?> release();

	}

}
