package live.retwis.locks;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/**
 * Answers counted so far. What follows from them is known before all have come.
 *
 * @param nodes all that are configured
 * @param yes said yes
 * @param no said no
 * @param silent said nothing and will not
 */
record Tally(int nodes, int yes, int no, int silent) {

	/**
	 * Counts answers until enough is known.
	 * @param nodes all that are configured; those without an answer to come are silent
	 * @param answers to come, never as errors
	 * @param enough whether the result is certain; true when all have come
	 * @return the count as of then
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

	/** Yes, or a majority has answered without agreeing, or cannot answer any more. */
	boolean decidesVote() {
		return agreed() || (cannotAgree() && decidesAnswers());
	}

	/** A majority says yes, or no, or neither can any more. */
	boolean decidesExtension() {
		return agreed() || denied() || (cannotAgree() && this.no + outstanding() < majority(this.nodes));
	}

	/** A majority has answered, or cannot any more. */
	boolean decidesAnswers() {
		return answered() >= majority(this.nodes) || answered() + outstanding() < majority(this.nodes);
	}

}
