package live.retwis.locks;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.redisson.api.RLock;

/**
 * By Redisson: takes the key node after node, then has all that took it confirmed at
 * once, which is where they vote. As with any votes, those of a majority are enough.
 */
final class SequentialVoting implements Voting {

	/** Each has one command under way until it is confirmed. */
	@Override
	public int busyRounds(int eventLoops) {
		return LockNode.QUEUE_BOUND;
	}

	@Override
	public CompletableFuture<Void> collect(List<Ballot> ballots, int nodes) {
		CompletableFuture<Void> decided = new CompletableFuture<>();
		AtomicInteger missing = new AtomicInteger(Tally.majority(nodes));
		Runnable onVote = () -> {
			if (missing.decrementAndGet() == 0) {
				decided.complete(null);
			}
		};
		RLock[] locks = ballots.stream().map((ballot) -> new NodeLock(ballot, onVote)).toArray(RLock[]::new);
		long lease = ballots.get(0).bid().leaseMillis();
		// What it answers does not count: the votes do.
		new VotingRedLock(nodes, locks).tryLockAsync(0, lease, TimeUnit.MILLISECONDS, NodeLock.NO_THREAD)
			.whenComplete((acquired, error) -> decided.complete(null));
		return decided;
	}

}
