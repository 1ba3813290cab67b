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

	private final Ballot ballot;

	private final Runnable onVote;

	NodeLock(Ballot ballot, Runnable onVote) {
		super(ballot.node().client(), ballot.bid().key());
		this.ballot = ballot;
		this.onVote = onVote;
	}

	@Override
	protected String getLockName(long threadId) {
		return this.ballot.bid().owner();
	}

	/** Does not wait, whatever it is told, and does not fail. */
	@Override
	public RFuture<Boolean> tryLockAsync(long waitTime, long leaseTime, TimeUnit unit, long threadId) {
		return future(this.ballot.ask((executor) -> super.tryLockAsync(0, leaseTime, unit, threadId)));
	}

	/** The vote. */
	@Override
	public RFuture<Boolean> expireAsync(long timeToLive, TimeUnit unit) {
		CompletableFuture<NodeOutcome> answer = this.ballot.confirm();
		answer.thenRun(() -> {
			if (this.ballot.isVote()) {
				this.onVote.run();
			}
		});
		return future(answer);
	}

	private static RFuture<Boolean> future(CompletionStage<NodeOutcome> answer) {
		return new CompletableFutureWrapper<>(answer.thenApply(NodeOutcome.ACQUIRED::equals));
	}

}
