package live.retwis.locks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.redisson.command.CommandAsyncExecutor;

/**
 * One node's part in one acquisition. Its vote is its own answer that it holds the key
 * for this owner; a node that was sent a release has none any more, in whatever order the
 * answers come.
 */
class Ballot {

	private final LockNode node;

	private final Candidate candidate;

	private volatile NodeOutcome outcome = NodeOutcome.NOT_ASKED;

	/** To what it was asked first; null before that. */
	private volatile @Nullable CompletableFuture<NodeOutcome> answer;

	/** Whether a command went out that may have taken the key. */
	private volatile boolean sent;

	/** Whether it has said that it holds the key, and never since that it does not. */
	private volatile boolean voted;

	private volatile boolean released;

	Ballot(LockNode node, Candidate candidate) {
		this.node = node;
		this.candidate = candidate;
	}

	LockNode node() {
		return this.node;
	}

	Candidate bid() {
		return this.candidate;
	}

	NodeOutcome outcome() {
		return this.outcome;
	}

	/** Whether it said yes or no, or would have. */
	boolean couldAnswer() {
		return this.outcome.isAnswer() || (this.outcome == NodeOutcome.NOT_ASKED && this.node.canVote());
	}

	/** Whether to ask at all; a node that is known to be down has refused. */
	boolean isReachable() {
		boolean reachable = this.node.canVote();
		if (!reachable) {
			this.outcome = NodeOutcome.REFUSED;
		}
		return reachable;
	}

	/**
	 * Asks for the key, which is no vote yet; after all releases of that key that this
	 * program has begun.
	 */
	CompletableFuture<NodeOutcome> ask(Function<CommandAsyncExecutor, CompletionStage<Boolean>> command) {
		if (this.candidate.isWithdrawn()) {
			return CompletableFuture.completedFuture(NodeOutcome.NOT_ASKED);
		}
		CompletableFuture<NodeOutcome> answer = this.node.askInOrder(this.candidate, (executor) -> {
			this.sent = true;
			return command.apply(executor);
		}).thenApply(this::noted);
		this.answer = answer;
		return answer;
	}

	/** Asks for the key and takes the answer for the vote. */
	CompletableFuture<NodeOutcome> acquire() {
		this.candidate.voteLeaves();
		return ask((executor) -> NodeScript.ACQUIRE.run(executor, this.candidate)).thenApply(this::voted);
	}

	/**
	 * Asks whether it holds the key, which then lives for a whole lease; when it has
	 * given it, or not.
	 */
	CompletableFuture<NodeOutcome> confirm() {
		this.candidate.voteLeaves();
		CompletableFuture<NodeOutcome> given = this.answer;
		return (given == null) ? CompletableFuture.completedFuture(NodeOutcome.NOT_ASKED)
				: given.thenCompose((outcome) -> (outcome == NodeOutcome.ACQUIRED) ? prolong() : given);
	}

	/**
	 * Still mine? Then longer. Only a node that has voted is asked: on another one the
	 * key may have arrived late, when somebody else had the lock in between. One that has
	 * said no stays with that.
	 */
	CompletableFuture<NodeOutcome> extend() {
		return this.voted ? prolong() : CompletableFuture
			.completedFuture((this.outcome == NodeOutcome.TAKEN) ? NodeOutcome.TAKEN : NodeOutcome.NOT_ASKED);
	}

	/** Its answer is a vote. */
	CompletableFuture<NodeOutcome> prolong() {
		return this.node.ask(NodeScript.EXTEND, this.candidate).thenApply(this::noted).thenApply(this::voted);
	}

	private NodeOutcome noted(NodeOutcome outcome) {
		this.outcome = outcome;
		return outcome;
	}

	/** No vote after a release, which may have run before this answer is read. */
	private NodeOutcome voted(NodeOutcome outcome) {
		if (outcome.isAnswer()) {
			this.voted = outcome == NodeOutcome.ACQUIRED;
		}
		return (outcome == NodeOutcome.ACQUIRED && this.released) ? NodeOutcome.TAKEN : outcome;
	}

	boolean isVote() {
		return this.voted && !this.released;
	}

	/** Whether it may hold the key, or may take it yet. */
	boolean mayHold() {
		CompletableFuture<NodeOutcome> answer = this.answer;
		return answer != null && (!answer.isDone() || mayHaveTaken());
	}

	private boolean mayHaveTaken() {
		return this.sent && this.outcome != NodeOutcome.TAKEN;
	}

	/**
	 * Gives the key back, if the node may have taken it; only when it has answered or
	 * timed out: a command from an event loop overtakes one that another thread sent
	 * before, on the same connection.
	 */
	CompletableFuture<NodeOutcome> release() {
		this.released = true;
		CompletableFuture<NodeOutcome> answer = this.answer;
		return (answer == null) ? CompletableFuture.completedFuture(NodeOutcome.NOT_ASKED)
				: this.node.release(this.candidate, answer.thenApply((outcome) -> mayHaveTaken()));
	}

}
