package live.retwis.locks;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Catches what a listener throws, so that it does not reach the lock.
 */
record SafeLockListener(LockListener listener) implements LockListener {

	private static final Logger logger = LoggerFactory.getLogger(SafeLockListener.class);

	@Override
	public void onAttempt(LockAttempt attempt) {
		quietly(() -> this.listener.onAttempt(attempt));
	}

	@Override
	public void onRelease(String resource, int nodes, Duration elapsed) {
		quietly(() -> this.listener.onRelease(resource, nodes, elapsed));
	}

	@Override
	public void onExtend(String resource, boolean extended, Duration elapsed) {
		quietly(() -> this.listener.onExtend(resource, extended, elapsed));
	}

	@Override
	public void onExpired(String resource) {
		quietly(() -> this.listener.onExpired(resource));
	}

	private static void quietly(Runnable call) {
		try {
			call.run();
		}
		catch (Throwable ex) {
			logger.warn("A listener of locks failed: {}", ex.toString());
		}
	}

}
