package live.retwis.locks;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.redisson.api.RLock;

/**
 * Asks the nodes through Redisson. Redisson takes the key on node after node. Once a
 * majority has given it, the other nodes are asked at once. Then Redisson has the key
 * confirmed by the nodes, and this is where they vote. The votes of a majority are
 * enough.
 */
final class RedissonVotingStrategy implements VotingStrategy {

	/**
	 * Needs no limit, because a round has one command under way until the key is
	 * confirmed.
	 */
	@Override
	public int busyRounds(int eventLoops) {
		return LockNode.QUEUE_BOUND;
	}

	@Override
	public CompletableFuture<Void> collect(List<Ballot> ballots, int nodes) {
		MajorityLatch keys = new MajorityLatch(nodes);
		MajorityLatch votes = new MajorityLatch(nodes);
		RLock[] locks = ballots.stream()
			.map((ballot) -> new AcquireOnlyRedissonLock(ballot, keys, votes))
			.toArray(RLock[]::new);
		long lease = ballots.get(0).candidate().leaseMillis();
		// Redisson's own result does not count. The votes do.
		new AcquireOnlyRedissonRedLock(nodes, locks)
			.tryLockAsync(0, lease, TimeUnit.MILLISECONDS, AcquireOnlyRedissonLock.NO_THREAD)
			.whenComplete((acquired, error) -> votes.reached().complete(null));
		return votes.reached();
	}

}
