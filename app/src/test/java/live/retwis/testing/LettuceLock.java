package live.retwis.testing;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Lettuce counts the writers of a connection under a lock that is held for a few
 * instructions and never over a wait. Two event loops that meet there park for
 * microseconds; that is known and no finding. An error thrown in the middle of it would
 * leave the lock taken for good.
 */
public final class LettuceLock implements BlockHoundIntegration {

	private static final String LOCK = "io.lettuce.core.protocol.SharedLock";

	@Override
	public void applyTo(BlockHound.Builder builder) {
		builder.allowBlockingCallsInside(LOCK, "incrementWriters")
			.allowBlockingCallsInside(LOCK, "decrementWriters")
			.allowBlockingCallsInside(LOCK, "doExclusive");
	}

}
