package live.retwis.locks;

import java.util.Collection;
import java.util.List;

import org.redisson.RedissonRedLock;
import org.redisson.api.RFuture;
import org.redisson.api.RLock;
import org.redisson.misc.CompletableFutureWrapper;

/**
 * Redisson's Redlock over the nodes that can be reached. Its majority is the one of all
 * nodes that are configured. It never releases anything. Redisson would release only
 * where it believes that it got the key, and would do so while votes may still come.
 */
@SuppressWarnings("deprecation")
final class AcquireOnlyRedissonRedLock extends RedissonRedLock {

	private final int nodes;

	AcquireOnlyRedissonRedLock(int nodes, RLock... reachable) {
		super(reachable);
		this.nodes = nodes;
	}

	@Override
	protected int minLocksAmount(List<RLock> locks) {
		return Tally.majority(this.nodes);
	}

	@Override
	protected RFuture<Void> unlockInnerAsync(Collection<RLock> locks, long threadId) {
		return new CompletableFutureWrapper<>((Void) null);
	}

}
