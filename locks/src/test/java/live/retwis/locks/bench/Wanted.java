package live.retwis.locks.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * What is wanted of the engines beside a plain RedissonRedLock: safety may cost little,
 * and asking all nodes at once is to be worth it.
 */
final class Wanted {

	private static final double MOST_REDISSON = 1.2;

	private static final double MOST_PARALLEL = 0.6;

	private static final double LEAST_PARALLEL_CYCLES = 1.5;

	private Wanted() {
	}

	static List<Claim> of(Race race) {
		List<Claim> claims = new ArrayList<>();
		for (Load load : Load.ALL) {
			String where = " of raw, callers: " + load;
			Beside redisson = race.beside(load, "redisson", "raw");
			claims.add(atMost("redisson: acquire p50" + where, redisson.ratios(Figures::acquire50)));
			claims.add(atMost("redisson: acquire p99" + where, redisson.ratios(Figures::acquire99)));
			claims.add(atMost("redisson: release p50" + where, redisson.ratios(Figures::release50)));
			claims.add(atMost("redisson: release p99" + where, redisson.ratios(Figures::release99)));
			claims.add(Claim.atLeastTimes("redisson: cycles/s" + where, redisson.ratios(Figures::cycles),
					1 / MOST_REDISSON));
			if (load.hot()) {
				continue;
			}
			Beside parallel = race.beside(load, "parallel", "raw");
			claims.add(Claim.atMostTimes("parallel: acquire p50" + where, parallel.ratios(Figures::acquire50),
					MOST_PARALLEL));
			claims.add(Claim.atMostTimes("parallel: release p50" + where, parallel.ratios(Figures::release50),
					MOST_PARALLEL));
			if (load.callers() == 64) {
				claims.add(Claim.atLeastTimes("parallel: cycles/s" + where, parallel.ratios(Figures::cycles),
						LEAST_PARALLEL_CYCLES));
			}
		}
		return claims;
	}

	private static Claim atMost(String what, List<Double> ratios) {
		return Claim.atMostTimes(what, ratios, MOST_REDISSON);
	}

}
