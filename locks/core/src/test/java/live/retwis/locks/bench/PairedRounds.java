package live.retwis.locks.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Rounds of two contestants that took turns on the same machine.
 *
 * @param rounds the measured rounds
 * @param others the rounds to compare with
 */
record PairedRounds(List<LockFigures> rounds, List<LockFigures> others) {

	/** The figure divided by that of the other round, for each pair. */
	List<Double> ratios(ToDoubleFunction<LockFigures> figure) {
		return IntStream.range(0, this.rounds.size())
			.mapToObj((round) -> figure.applyAsDouble(this.rounds.get(round))
					/ figure.applyAsDouble(this.others.get(round)))
			.toList();
	}

}
