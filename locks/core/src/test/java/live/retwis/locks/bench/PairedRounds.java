package live.retwis.locks.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Rounds beside those that alternated with them, which met the same machine.
 *
 * @param rounds what is looked at
 * @param others what it is held against
 */
record PairedRounds(List<LockFigures> rounds, List<LockFigures> others) {

	/** The figure through the other one, round by round. */
	List<Double> ratios(ToDoubleFunction<LockFigures> figure) {
		return IntStream.range(0, this.rounds.size())
			.mapToObj((round) -> figure.applyAsDouble(this.rounds.get(round))
					/ figure.applyAsDouble(this.others.get(round)))
			.toList();
	}

}
