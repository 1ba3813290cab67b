package live.retwis.locks;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.redisson.command.CommandAsyncExecutor;

/**
 * What one node is asked in one round of votes, and what it answers. The node's vote is
 * its own answer that it holds the key for this owner. A node that was sent a release has
 * no vote any more, in whatever order the answers come.
 */
class Ballot {

	private final LockNode node;

	private final CandidateOwner candidate;

	private volatile NodeOutcome outcome = NodeOutcome.NOT_ASKED;

	/** The answer to the first command; null before that command is sent. */
	private volatile @Nullable CompletableFuture<NodeOutcome> answer;

	/** Whether a command was sent that may have taken the key. */
	private volatile boolean sent;

	/** Whether the node's last yes or no about the key was a yes. */
	private volatile boolean voted;

	private volatile boolean released;

	Ballot(LockNode node, CandidateOwner candidate) {
		this.node = node;
		this.candidate = candidate;
	}

	LockNode node() {
		return this.node;
	}

	CandidateOwner candidate() {
		return this.candidate;
	}

	NodeOutcome outcome() {
		return this.outcome;
	}

	/** Whether the node answered yes or no, or was not asked but could have answered. */
	boolean couldAnswer() {
		return this.outcome.isAnswer() || (this.outcome == NodeOutcome.NOT_ASKED && this.node.canVote());
	}

	/**
	 * Whether to ask the node at all. A node that is known to be down counts as having
	 * refused.
	 */
	boolean isReachable() {
		boolean reachable = this.node.canVote();
		if (!reachable) {
			this.outcome = NodeOutcome.REFUSED;
		}
		return reachable;
	}

	/**
	 * Asks for the key. The answer is not a vote yet. The command is sent after all
	 * releases of this key that this program has begun.
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

	/** Asks for the key. The answer is the vote. */
	CompletableFuture<NodeOutcome> acquire() {
		this.candidate.voteLeaves();
		return ask((executor) -> NodeScript.ACQUIRE.run(executor, this.candidate)).thenApply(this::voted);
	}

	/**
	 * Asks the node whether it holds the key, after it has answered the first command.
	 * This is the vote. It sets the key's time to live to a whole lease.
	 */
	CompletableFuture<NodeOutcome> confirm() {
		this.candidate.voteLeaves();
		CompletableFuture<NodeOutcome> given = this.answer;
		return (given == null) ? CompletableFuture.completedFuture(NodeOutcome.NOT_ASKED)
				: given.thenCompose((outcome) -> (outcome == NodeOutcome.ACQUIRED) ? prolong() : given);
	}

	/**
	 * Prolongs the key if the node still holds it for this owner. Only a node that has
	 * voted is asked. On another node the key may have arrived late, and somebody else
	 * may have had the lock in between. A node that has said no is not asked again.
	 */
	CompletableFuture<NodeOutcome> extend() {
		return this.voted ? prolong() : CompletableFuture
			.completedFuture((this.outcome == NodeOutcome.TAKEN) ? NodeOutcome.TAKEN : NodeOutcome.NOT_ASKED);
	}

	/** Asks the node to prolong the key. Its answer is a vote. */
	CompletableFuture<NodeOutcome> prolong() {
		return this.node.ask(NodeScript.EXTEND, this.candidate).thenApply(this::noted).thenApply(this::voted);
	}

	private NodeOutcome noted(NodeOutcome outcome) {
		this.outcome = outcome;
		return outcome;
	}

	/**
	 * Notes whether the answer is a vote. After a release it does not count as one,
	 * because the node may already have done the release.
	 */
	private NodeOutcome voted(NodeOutcome outcome) {
		if (outcome.isAnswer()) {
			this.voted = outcome == NodeOutcome.ACQUIRED;
		}
		return (outcome == NodeOutcome.ACQUIRED && this.released) ? NodeOutcome.TAKEN : outcome;
	}

	boolean isVote() {
		return this.voted && !this.released;
	}

	/** Whether the node may hold the key now, or may still take it. */
	boolean mayHold() {
		CompletableFuture<NodeOutcome> answer = this.answer;
		return answer != null && (!answer.isDone() || mayHaveTaken());
	}

	private boolean mayHaveTaken() {
		return this.sent && this.outcome != NodeOutcome.TAKEN;
	}

	/**
	 * Gives the key back if the node may have taken it. The release is sent only after
	 * the node has answered or timed out. Otherwise it could overtake the first command:
	 * on one connection, a command from an event loop may pass a command that another
	 * thread sent earlier.
	 */
	CompletableFuture<NodeOutcome> release() {
		this.released = true;
		CompletableFuture<NodeOutcome> answer = this.answer;
		return (answer == null) ? CompletableFuture.completedFuture(NodeOutcome.NOT_ASKED)
				: this.node.release(this.candidate, answer.thenApply((outcome) -> mayHaveTaken()));
	}

}
