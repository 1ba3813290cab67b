package live.retwis.locks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import org.redisson.RedissonLock;
import org.redisson.api.RFuture;
import org.redisson.misc.CompletableFutureWrapper;

/**
 * Redisson's lock on one node, as {@link AcquireOnlyRedissonRedLock} uses it. It differs
 * in two ways. The owner is fresh for each acquisition, where Redisson uses the thread.
 * And a vote that checks the owner takes the place of a PEXPIRE that does not.
 */
final class AcquireOnlyRedissonLock extends RedissonLock {

	/** The thread that Redisson would make the owner's name of. It is not used. */
	static final long NO_THREAD = 0;

	/**
	 * A wait time so far below zero that Redisson never waits. Redisson takes the time of
	 * the first answer off the wait, by the wall clock, and then subscribes and waits for
	 * what is left. Even when that clock is set back, nothing is left of this value.
	 */
	private static final long NO_WAIT = Long.MIN_VALUE / 2;

	private final Ballot ballot;

	private final MajorityLatch keys;

	private final MajorityLatch votes;

	/**
	 * For one acquisition.
	 * @param ballot of this node
	 * @param keys counts the nodes that gave the key
	 * @param votes counts the nodes that confirmed it
	 */
	AcquireOnlyRedissonLock(Ballot ballot, MajorityLatch keys, MajorityLatch votes) {
		super(ballot.node().client(), ballot.candidate().key());
		this.ballot = ballot;
		this.keys = keys;
		this.votes = votes;
	}

	@Override
	protected String getLockName(long threadId) {
		return this.ballot.candidate().owner();
	}

	/**
	 * Tries to take the key. Never waits, whatever the wait time is, and never fails.
	 * When a majority has the key already, nobody needs to wait for this node. Then it is
	 * asked and the answer is yes at once, so that Redisson asks the next node too.
	 */
	@Override
	public RFuture<Boolean> tryLockAsync(long waitTime, long leaseTime, TimeUnit unit, long threadId) {
		boolean needed = !this.keys.reached().isDone();
		CompletableFuture<NodeOutcome> answer = this.ballot
			.ask((executor) -> super.tryLockAsync(NO_WAIT, leaseTime, unit, threadId))
			.thenApply((outcome) -> {
				if (outcome == NodeOutcome.ACQUIRED) {
					this.keys.add();
				}
				return outcome;
			});
		return needed ? future(answer) : new CompletableFutureWrapper<>(true);
	}

	/** Asks a node that gave the key for its vote. */
	@Override
	public RFuture<Boolean> expireAsync(long timeToLive, TimeUnit unit) {
		return future(this.ballot.confirm().thenApply((outcome) -> {
			if (this.ballot.isVote()) {
				this.votes.add();
			}
			return outcome;
		}));
	}

	private static RFuture<Boolean> future(CompletionStage<NodeOutcome> answer) {
		return new CompletableFutureWrapper<>(answer.thenApply(NodeOutcome.ACQUIRED::equals));
	}

}
