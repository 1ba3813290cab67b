package live.retwis.locks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import org.redisson.RedissonLock;
import org.redisson.api.RFuture;
import org.redisson.misc.CompletableFutureWrapper;

/**
 * Redisson's lock on one node, as {@link VotingRedLock} uses it: for a fresh owner
 * instead of a thread, and with an owner-checked vote in the place of the blind PEXPIRE.
 */
final class NodeLock extends RedissonLock {

	/** Redisson's name for the owner, which is not used. */
	static final long NO_THREAD = 0;

	/**
	 * Redisson takes the time of the first answer off the wait, by the wall clock, and
	 * subscribes and waits for what is left. No step back of that clock leaves anything
	 * of this.
	 */
	private static final long NO_WAIT = Long.MIN_VALUE / 2;

	private final Ballot ballot;

	private final MajorityCounter keys;

	private final MajorityCounter votes;

	/**
	 * For one acquisition.
	 * @param ballot this node's part in it
	 * @param keys counts the nodes that gave the key
	 * @param votes counts those that confirmed it
	 */
	NodeLock(Ballot ballot, MajorityCounter keys, MajorityCounter votes) {
		super(ballot.node().client(), ballot.bid().key());
		this.ballot = ballot;
		this.keys = keys;
		this.votes = votes;
	}

	@Override
	protected String getLockName(long threadId) {
		return this.ballot.bid().owner();
	}

	/**
	 * Does not wait, whatever it is told, and does not fail. When a majority has the key
	 * already nobody needs to wait for this node: it is asked, and the next one too.
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

	/** The vote, of a node that gave the key. */
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
