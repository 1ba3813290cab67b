package live.retwis.locks;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.redisson.api.RLock;

/**
 * By Redisson: takes the key node after node, once a majority has given it on all others
 * at once, and has it confirmed, which is where they vote. As with any votes, those of a
 * majority are enough.
 */
final class SequentialVoting implements Voting {

	/** Each has one command under way until it is confirmed. */
	@Override
	public int busyRounds(int eventLoops) {
		return LockNode.QUEUE_BOUND;
	}

	@Override
	public CompletableFuture<Void> collect(List<Ballot> ballots, int nodes) {
		MajorityCounter keys = new MajorityCounter(nodes);
		MajorityCounter votes = new MajorityCounter(nodes);
		RLock[] locks = ballots.stream().map((ballot) -> new NodeLock(ballot, keys, votes)).toArray(RLock[]::new);
		long lease = ballots.get(0).bid().leaseMillis();
		// What it answers does not count: the votes do.
		new VotingRedLock(nodes, locks).tryLockAsync(0, lease, TimeUnit.MILLISECONDS, NodeLock.NO_THREAD)
			.whenComplete((acquired, error) -> votes.reached().complete(null));
		return votes.reached();
	}

}
