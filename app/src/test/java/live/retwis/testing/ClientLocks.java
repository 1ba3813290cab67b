package live.retwis.testing;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Lettuce counts the writers of a connection and finds that to a cluster's node, and
 * Redisson counts the commands under way, under locks that are held for a few
 * instructions and never over a wait. Two event loops that meet there park for
 * microseconds; that is known and no finding. An error thrown in the middle of it would
 * leave the lock taken, or the answer lost, for good.
 */
public final class ClientLocks implements BlockHoundIntegration {

	private static final String LETTUCE = "io.lettuce.core.protocol.SharedLock";

	private static final String LETTUCE_CLUSTER = "io.lettuce.core.cluster.PooledClusterConnectionProvider";

	private static final String REDISSON = "org.redisson.misc.WrappedLock";

	private static final String FACTORY = "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory";

	@Override
	public void applyTo(BlockHound.Builder builder) {
		builder.allowBlockingCallsInside(LETTUCE, "incrementWriters")
			.allowBlockingCallsInside(LETTUCE, "decrementWriters")
			.allowBlockingCallsInside(LETTUCE, "doExclusive")
			.allowBlockingCallsInside(LETTUCE_CLUSTER, "getWriteConnection")
			// The same, where a connection is there only later.
			.allowBlockingCallsInside(LETTUCE_CLUSTER, "lambda$getWriteConnection$1")
			.allowBlockingCallsInside(LETTUCE_CLUSTER, "resetFastConnectionCache")
			// Whoever asks for the shared connection; making one is another matter.
			.allowBlockingCallsInside(FACTORY, "doInLock")
			.disallowBlockingCallsInside(FACTORY + "$SharedConnection", "getNativeConnection")
			.allowBlockingCallsInside(REDISSON, "execute");
	}

}
