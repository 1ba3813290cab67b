package live.retwis.locks;

import java.util.Collection;
import java.util.List;

import org.redisson.RedissonRedLock;
import org.redisson.api.RFuture;
import org.redisson.api.RLock;
import org.redisson.misc.CompletableFutureWrapper;

/**
 * Redisson's Redlock over the nodes that can be reached, with the majority of those that
 * are configured. It never releases: it would only where it believes it got the key, and
 * while votes may still come.
 */
@SuppressWarnings("deprecation")
final class VotingRedLock extends RedissonRedLock {

	private final int nodes;

	VotingRedLock(int nodes, RLock... reachable) {
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
