package live.retwis.locks.bench;

import java.util.ArrayList;
import java.util.List;

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

	static List<Figure> of(Race race) {
		List<Figure> figures = new ArrayList<>();
		for (LockLoad load : LockLoad.ALL) {
			String where = " of raw, callers: " + load;
			PairedRounds redisson = race.beside(load, "redisson", "raw");
			figures
				.add(atMost("redisson: acquire p50" + where, redisson.ratios(LockFigures::acquire50), MOST_REDISSON));
			figures
				.add(atMost("redisson: acquire p99" + where, redisson.ratios(LockFigures::acquire99), MOST_REDISSON));
			figures
				.add(atMost("redisson: release p50" + where, redisson.ratios(LockFigures::release50), MOST_REDISSON));
			figures
				.add(atMost("redisson: release p99" + where, redisson.ratios(LockFigures::release99), MOST_REDISSON));
			figures.add(atLeast("redisson: cycles/s" + where, redisson.ratios(LockFigures::cycles), 1 / MOST_REDISSON));
			if (load.hot()) {
				continue;
			}
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
		return figures;
	}

	/** The same while one of the nodes is far away. */
	static List<Figure> withOneNodeFarAway(Race race) {
		List<Figure> figures = new ArrayList<>();
		for (LockLoad load : LockLoad.FEW) {
			String where = " of raw, one node 30 ms away, callers: " + load;
			PairedRounds redisson = race.beside(load, "redisson", "raw");
			figures
				.add(atMost("redisson: acquire p50" + where, redisson.ratios(LockFigures::acquire50), MOST_REDISSON));
			figures
				.add(atMost("redisson: release p50" + where, redisson.ratios(LockFigures::release50), MOST_REDISSON));
			figures.add(atLeast("redisson: cycles/s" + where, redisson.ratios(LockFigures::cycles), 1 / MOST_REDISSON));
			PairedRounds parallel = race.beside(load, "parallel", "raw");
			figures
				.add(atMost("parallel: acquire p50" + where, parallel.ratios(LockFigures::acquire50), MOST_PARALLEL));
			figures
				.add(atMost("parallel: release p50" + where, parallel.ratios(LockFigures::release50), MOST_PARALLEL));
		}
		return figures;
	}

	private static Figure atMost(String what, List<Double> ratios, double most) {
		return Figure.of(what, "×", ratios).atMost(most);
	}

	private static Figure atLeast(String what, List<Double> ratios, double least) {
		return Figure.of(what, "×", ratios).atLeast(least);
	}

}
