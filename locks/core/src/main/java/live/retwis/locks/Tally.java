package live.retwis.locks;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/**
 * The answers that were counted so far. The result is often known before all have come.
 *
 * @param nodes how many nodes are configured
 * @param yes how many said yes
 * @param no how many said no
 * @param silent how many have not answered and will not
 */
record Tally(int nodes, int yes, int no, int silent) {

	/**
	 * Counts answers until enough is known.
	 * @param nodes how many nodes are configured; those that are not asked count as
	 * silent
	 * @param answers to come, never as errors
	 * @param enough whether the result is certain; it must be true when all have come
	 * @return the count at that time
	 */
	static CompletableFuture<Tally> count(int nodes, List<CompletableFuture<NodeOutcome>> answers,
			Predicate<Tally> enough) {
		CompletableFuture<Tally> result = new CompletableFuture<>();
		Tally none = new Tally(nodes, 0, 0, nodes - answers.size());
		if (enough.test(none)) {
			return CompletableFuture.completedFuture(none);
		}
		AtomicReference<Tally> count = new AtomicReference<>(none);
		answers.forEach((answer) -> answer.thenAccept((outcome) -> {
			Tally now = count.updateAndGet((before) -> before.and(outcome));
			if (enough.test(now)) {
				result.complete(now);
			}
		}));
		return result;
	}

	private Tally and(NodeOutcome outcome) {
		return switch (outcome) {
			case ACQUIRED -> new Tally(this.nodes, this.yes + 1, this.no, this.silent);
			case TAKEN -> new Tally(this.nodes, this.yes, this.no + 1, this.silent);
			default -> new Tally(this.nodes, this.yes, this.no, this.silent + 1);
		};
	}

	static int majority(int nodes) {
		return nodes / 2 + 1;
	}

	private int outstanding() {
		return this.nodes - this.yes - this.no - this.silent;
	}

	boolean agreed() {
		return this.yes >= majority(this.nodes);
	}

	boolean denied() {
		return this.no >= majority(this.nodes);
	}

	private boolean cannotAgree() {
		return this.yes + outstanding() < majority(this.nodes);
	}

	int answered() {
		return this.yes + this.no;
	}

	/**
	 * Whether a majority said yes; or a yes is impossible and a majority has answered, or
	 * can no longer answer.
	 */
	boolean decidesVote() {
		return agreed() || (cannotAgree() && decidesAnswers());
	}

	/**
	 * Whether a majority said yes, or a majority said no, or neither is possible any
	 * more.
	 */
	boolean decidesExtension() {
		return agreed() || denied() || (cannotAgree() && this.no + outstanding() < majority(this.nodes));
	}

	/** Whether a majority has answered, or can no longer answer. */
	boolean decidesAnswers() {
		return answered() >= majority(this.nodes) || answered() + outstanding() < majority(this.nodes);
	}

}
