package live.retwis.locks.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * The targets for the engines, compared with a plain RedissonRedLock: safety costs
 * little, and asking all nodes at once is faster.
 */
final class LockTargets {

	private static final double MOST_REDISSON = 1.2;

	private static final double MOST_PARALLEL = 0.6;

	private static final double LEAST_PARALLEL_CYCLES = 1.5;

	private LockTargets() {
	}

	static List<MeasuredClaim> of(Race race) {
		List<MeasuredClaim> claims = new ArrayList<>();
		for (LockLoad load : LockLoad.ALL) {
			String where = " of raw, callers: " + load;
			PairedRounds redisson = race.beside(load, "redisson", "raw");
			claims.add(atMost("redisson: acquire p50" + where, redisson.ratios(LockFigures::acquire50)));
			claims.add(atMost("redisson: acquire p99" + where, redisson.ratios(LockFigures::acquire99)));
			claims.add(atMost("redisson: release p50" + where, redisson.ratios(LockFigures::release50)));
			claims.add(atMost("redisson: release p99" + where, redisson.ratios(LockFigures::release99)));
			claims.add(MeasuredClaim.atLeastTimes("redisson: cycles/s" + where, redisson.ratios(LockFigures::cycles),
					1 / MOST_REDISSON));
			if (load.hot()) {
				continue;
			}
			PairedRounds parallel = race.beside(load, "parallel", "raw");
			claims.add(MeasuredClaim.atMostTimes("parallel: acquire p50" + where,
					parallel.ratios(LockFigures::acquire50), MOST_PARALLEL));
			claims.add(MeasuredClaim.atMostTimes("parallel: release p50" + where,
					parallel.ratios(LockFigures::release50), MOST_PARALLEL));
			if (load.callers() == 64) {
				claims.add(MeasuredClaim.atLeastTimes("parallel: cycles/s" + where,
						parallel.ratios(LockFigures::cycles), LEAST_PARALLEL_CYCLES));
			}
		}
		return claims;
	}

	private static MeasuredClaim atMost(String what, List<Double> ratios) {
		return MeasuredClaim.atMostTimes(what, ratios, MOST_REDISSON);
	}

}
