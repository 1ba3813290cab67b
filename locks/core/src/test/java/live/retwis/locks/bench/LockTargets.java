package live.retwis.locks.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.bench.Figure;

/**
 * The targets for the engines, compared with a plain RedissonRedLock: safety costs
 * little, and asking all nodes at once is faster.
 */
final class LockTargets {

	private static final double MOST_REDISSON = 1;

	private static final double MOST_PARALLEL = 0.4;

	private static final double LEAST_PARALLEL_CYCLES = 1.5;

	private LockTargets() {
	}

	/**
	 * The figures of a race.
	 * @param where follows the name of a figure: what is special about the nodes; empty
	 * for nothing
	 */
	static List<Figure> of(Race race, List<LockLoad> loads, String where) {
		return loads.stream().flatMap((load) -> of(race, load, " of raw" + where + ", callers: " + load)).toList();
	}

	private static Stream<Figure> of(Race race, LockLoad load, String where) {
		List<Figure> figures = new ArrayList<>();
		PairedRounds redisson = race.beside(load, "redisson", "raw");
		figures.add(atMost("redisson: acquire p50" + where, redisson.ratios(LockFigures::acquire50), MOST_REDISSON));
		figures.add(atMost("redisson: acquire p99" + where, redisson.ratios(LockFigures::acquire99), MOST_REDISSON));
		figures.add(atMost("redisson: release p50" + where, redisson.ratios(LockFigures::release50), MOST_REDISSON));
		figures.add(atMost("redisson: release p99" + where, redisson.ratios(LockFigures::release99), MOST_REDISSON));
		figures.add(atLeast("redisson: cycles/s" + where, redisson.ratios(LockFigures::cycles), 1 / MOST_REDISSON));
		if (!load.hot()) {
			PairedRounds parallel = race.beside(load, "parallel", "raw");
			figures
				.add(atMost("parallel: acquire p50" + where, parallel.ratios(LockFigures::acquire50), MOST_PARALLEL));
			figures
				.add(atMost("parallel: release p50" + where, parallel.ratios(LockFigures::release50), MOST_PARALLEL));
			if (load.callers() == 64) {
				figures.add(atLeast("parallel: cycles/s" + where, parallel.ratios(LockFigures::cycles),
						LEAST_PARALLEL_CYCLES));
			}
		}
		return figures.stream();
	}

	private static Figure atMost(String what, List<Double> ratios, double most) {
		return Figure.of(what, "×", ratios).atMost(most);
	}

	private static Figure atLeast(String what, List<Double> ratios, double least) {
		return Figure.of(what, "×", ratios).atLeast(least);
	}

}
