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
 * One node, to be asked: answers always come, within the node time-out, and never as an
 * error.
 */
final class LockNode {

	private static final Logger logger = LoggerFactory.getLogger(LockNode.class);

	/**
	 * Commands without an answer yet, beyond which no more votes are asked for; and those
	 * that wait for a release before them, beyond which more are refused.
	 */
	static final int QUEUE_BOUND = 1024;

	private static final int RELEASES_AT_ONCE = 64;

	private final String name;

	private final NodeConnection link;

	private final PendingReleases pending;

	private final ReleaseOrder order = new ReleaseOrder();

	private final AtomicInteger unanswered = new AtomicInteger();

	/** For releases of the key that they ask for. */
	private final AtomicInteger waiting = new AtomicInteger();

	LockNode(NodeConnection link, TimeSource time) {
		this.name = link.state().name();
		this.link = link;
		this.pending = new PendingReleases(time);
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

	/** Whether it is worth asking. */
	boolean canVote() {
		return this.unanswered.get() < QUEUE_BOUND && this.link.state().isUp();
	}

	/** Whether nothing is asked, waited for or owed. */
	boolean isIdle() {
		return this.unanswered.get() == 0 && this.waiting.get() == 0 && this.order.size() == 0
				&& this.pending.size() == 0;
	}

	/** What Redisson's own locks ask this node with, up or not; it was up before. */
	CommandAsyncExecutor client() {
		return Objects.requireNonNull(this.link.client());
	}

	CompletableFuture<NodeOutcome> ask(NodeScript script, Candidate candidate) {
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
		// An error too: whoever waits for the answer would wait for ever.
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private NodeOutcome failed(Throwable error, NodeState asked) {
		NodeOutcome outcome = NodeFailure.outcome(error);
		if (outcome == NodeOutcome.ERROR) {
			this.link.lookAgain();
		}
		else {
			this.link.suspect(NodeFailure.reason(error), asked);
		}
		return outcome;
	}

	/**
	 * Asks for a key after all releases of it that this program has begun, unless the bid
	 * is withdrawn before that.
	 */
	CompletableFuture<NodeOutcome> askInOrder(Candidate candidate,
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

	private CompletableFuture<NodeOutcome> ask(Candidate candidate,
			Function<CommandAsyncExecutor, CompletionStage<Boolean>> command) {
		return candidate.isWithdrawn() ? CompletableFuture.completedFuture(NodeOutcome.NOT_ASKED) : ask(command);
	}

	/**
	 * Releases what was asked for.
	 * @param needed when that is answered, or will not be: whether it may have been taken
	 */
	CompletableFuture<NodeOutcome> release(Candidate candidate, CompletableFuture<Boolean> needed) {
		CompletableFuture<NodeOutcome> release = needed.thenCompose(
				(taken) -> taken ? release(candidate) : CompletableFuture.completedFuture(NodeOutcome.NOT_ASKED));
		if (!release.isDone()) {
			this.order.add(candidate.key(), release);
		}
		return release;
	}

	/** Releases, and again when the node answers, if it did not acknowledge. */
	private CompletableFuture<NodeOutcome> release(Candidate candidate) {
		return releaseOnce(candidate)
			// It may be lost with a connection that has been replaced since.
			.thenCompose((outcome) -> outcome.isAnswer() ? CompletableFuture.completedFuture(outcome)
					: releaseOnce(candidate))
			.thenApply((outcome) -> {
				if (!outcome.isAnswer()) {
					this.pending.add(candidate);
					this.link.lookAgain();
				}
				return outcome;
			});
	}

	private CompletableFuture<NodeOutcome> releaseOnce(Candidate candidate) {
		return ask(NodeScript.RELEASE, candidate);
	}

	/**
	 * In portions, so that a node that is just back is not flooded.
	 * @param up when it can be asked; their keys are asked for after that
	 */
	private void releaseAgain(List<Candidate> bids, CompletableFuture<?> up) {
		long lost = this.pending.takeLost();
		if (lost > 0) {
			logger.warn("Lock node {}: {} releases more than the {} that are kept for it; their keys stay for a lease",
					this.name, lost, PendingReleases.BOUND);
		}
		CompletableFuture<?> before = up;
		for (int start = 0; start < bids.size(); start += RELEASES_AT_ONCE) {
			List<Candidate> portion = bids.subList(start, Math.min(start + RELEASES_AT_ONCE, bids.size()));
			CompletableFuture<Boolean> ready = before.thenApply((done) -> true);
			before = CompletableFuture.allOf(portion.stream()
				.map((candidate) -> release(candidate, ready))
				.toArray(CompletableFuture<?>[]::new));
		}
	}

}
