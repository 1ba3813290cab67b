package live.retwis.locks;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.redisson.command.CommandAsyncExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node that can be asked. Every question is answered within the node time-out, and
 * never with an error.
 */
final class LockNode {

	private static final Logger logger = LoggerFactory.getLogger(LockNode.class);

	/**
	 * The most commands that may be without an answer; beyond it no more votes are asked
	 * for. Also the most commands that may wait for a release before them; beyond it
	 * further ones are refused.
	 */
	static final int QUEUE_BOUND = 1024;

	private static final int RELEASES_AT_ONCE = 64;

	private final String name;

	private final NodeConnection link;

	private final UnacknowledgedReleases pending;

	private final InFlightReleases order = new InFlightReleases();

	private final AtomicInteger unanswered = new AtomicInteger();

	/** How many commands wait for a release of the key that they ask for. */
	private final AtomicInteger waiting = new AtomicInteger();

	LockNode(NodeConnection link, TimeSource time) {
		this.name = link.state().name();
		this.link = link;
		this.pending = new UnacknowledgedReleases(time);
	}

	void start() {
		this.link.start((up) -> releaseAgain(this.pending.drain(), up));
	}

	String name() {
		return this.name;
	}

	NodeConnection link() {
		return this.link;
	}

	/** Whether the node is worth asking. */
	boolean canVote() {
		return this.unanswered.get() < QUEUE_BOUND && this.link.state().isUp();
	}

	/** Whether no command is under way or waits, and no release is owed. */
	boolean isIdle() {
		return this.unanswered.get() == 0 && this.waiting.get() == 0 && this.order.size() == 0
				&& this.pending.size() == 0;
	}

	/**
	 * The client through which Redisson's own locks ask this node, whether it is up or
	 * not. There is one, because the node was up before.
	 */
	CommandAsyncExecutor client() {
		return Objects.requireNonNull(this.link.client());
	}

	CompletableFuture<NodeOutcome> ask(NodeScript script, CandidateOwner candidate) {
		return ask((executor) -> script.run(executor, candidate));
	}

	CompletableFuture<NodeOutcome> ask(Function<CommandAsyncExecutor, CompletionStage<Boolean>> command) {
		NodeState state = this.link.state();
		if (!state.isUp()) {
			return CompletableFuture.completedFuture(NodeOutcome.REFUSED);
		}
		this.unanswered.incrementAndGet();
		return run(command).handle((yes, error) -> {
			this.unanswered.decrementAndGet();
			return (error != null) ? failed(error, state) : yes ? NodeOutcome.ACQUIRED : NodeOutcome.TAKEN;
		});
	}

	private CompletableFuture<Boolean> run(Function<CommandAsyncExecutor, CompletionStage<Boolean>> command) {
		try {
			return command.apply(client()).toCompletableFuture();
		}
		// Catches errors too. Otherwise the caller would wait for the answer for ever.
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private NodeOutcome failed(Throwable error, NodeState asked) {
		NodeOutcome outcome = NodeExceptionTranslator.outcome(error);
		if (outcome == NodeOutcome.ERROR) {
			this.link.lookAgain();
		}
		else {
			this.link.suspect(NodeExceptionTranslator.reason(error), asked);
		}
		return outcome;
	}

	/**
	 * Asks for a key after all releases of this key that this program has begun. Does not
	 * ask when the candidate is withdrawn before that.
	 */
	CompletableFuture<NodeOutcome> askInOrder(CandidateOwner candidate,
			Function<CommandAsyncExecutor, CompletionStage<Boolean>> command) {
		CompletableFuture<?> released = this.order.released(candidate.key());
		if (released.isDone()) {
			return ask(candidate, command);
		}
		if (this.waiting.incrementAndGet() > QUEUE_BOUND) {
			this.waiting.decrementAndGet();
			return CompletableFuture.completedFuture(NodeOutcome.REFUSED);
		}
		return CompletableFuture.anyOf(released, candidate.withdrawn()).thenCompose((turn) -> {
			this.waiting.decrementAndGet();
			return ask(candidate, command);
		});
	}

	private CompletableFuture<NodeOutcome> ask(CandidateOwner candidate,
			Function<CommandAsyncExecutor, CompletionStage<Boolean>> command) {
		return candidate.isWithdrawn() ? CompletableFuture.completedFuture(NodeOutcome.NOT_ASKED) : ask(command);
	}

	/**
	 * Releases what the candidate asked for.
	 * @param needed done when the first command is answered or will not be: whether the
	 * node may have taken the key
	 */
	CompletableFuture<NodeOutcome> release(CandidateOwner candidate, CompletableFuture<Boolean> needed) {
		CompletableFuture<NodeOutcome> release = needed.thenCompose(
				(taken) -> taken ? release(candidate) : CompletableFuture.completedFuture(NodeOutcome.NOT_ASKED));
		if (!release.isDone()) {
			this.order.add(candidate.key(), release);
		}
		return release;
	}

	/**
	 * Releases the key. If the node does not acknowledge that, releases it again when the
	 * node answers.
	 */
	private CompletableFuture<NodeOutcome> release(CandidateOwner candidate) {
		return releaseOnce(candidate)
			// The command may be lost with a connection that has been replaced since. A
			// node that answers with an error would do so again.
			.thenCompose((outcome) -> (outcome.isAnswer() || outcome == NodeOutcome.ERROR)
					? CompletableFuture.completedFuture(outcome) : releaseOnce(candidate))
			.thenApply((outcome) -> {
				if (!outcome.isAnswer()) {
					this.pending.add(candidate);
					this.link.lookAgain();
				}
				return outcome;
			});
	}

	private CompletableFuture<NodeOutcome> releaseOnce(CandidateOwner candidate) {
		return ask(NodeScript.RELEASE, candidate);
	}

	/**
	 * Repeats releases in portions, so that a node that has just come back is not
	 * flooded.
	 * @param up done when the node can be asked; later requests for these keys come after
	 * the releases
	 */
	private void releaseAgain(List<CandidateOwner> candidates, CompletableFuture<?> up) {
		long lost = this.pending.takeLost();
		if (lost > 0) {
			logger.warn("Lock node {}: {} releases more than the {} that are kept for it; their keys stay for a lease",
					this.name, lost, UnacknowledgedReleases.BOUND);
		}
		CompletableFuture<?> before = up;
		for (int start = 0; start < candidates.size(); start += RELEASES_AT_ONCE) {
			List<CandidateOwner> portion = candidates.subList(start,
					Math.min(start + RELEASES_AT_ONCE, candidates.size()));
			CompletableFuture<Boolean> ready = before.thenApply((done) -> true);
			before = CompletableFuture.allOf(portion.stream()
				.map((candidate) -> release(candidate, ready))
				.toArray(CompletableFuture<?>[]::new));
		}
	}

}
