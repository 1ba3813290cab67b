package live.retwis.locks.bench;

import java.util.Arrays;
import java.util.List;

/**
 * A figure and its bound.
 *
 * @param what name of the figure
 * @param unit unit of the figure, × for a ratio
 * @param measured value over all rounds
 * @param lowest lowest value of a round
 * @param highest highest value of a round
 * @param wanted the bound
 * @param atMost whether the bound is a maximum; otherwise it is a minimum
 */
record MeasuredClaim(String what, String unit, double measured, double lowest, double highest, double wanted,
		boolean atMost) {

	/** The median of the rounds' ratios must not exceed the bound. */
	static MeasuredClaim atMostTimes(String what, List<Double> ratios, double most) {
		double[] sorted = sorted(ratios);
		return new MeasuredClaim(what, "×", median(sorted), sorted[0], sorted[sorted.length - 1], most, true);
	}

	/** The median of the rounds' ratios must reach the bound. */
	static MeasuredClaim atLeastTimes(String what, List<Double> ratios, double least) {
		double[] sorted = sorted(ratios);
		return new MeasuredClaim(what, "×", median(sorted), sorted[0], sorted[sorted.length - 1], least, false);
	}

	/** No round may exceed the bound. */
	static MeasuredClaim never(String what, String unit, List<Double> figures, double most) {
		double[] sorted = sorted(figures);
		double worst = sorted[sorted.length - 1];
		return new MeasuredClaim(what, unit, worst, sorted[0], worst, most, true);
	}

	private static double[] sorted(List<Double> figures) {
		double[] sorted = figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
		if (!Arrays.stream(sorted).allMatch(Double::isFinite)) {
			throw new IllegalStateException("Nothing was measured: " + figures);
		}
		return sorted;
	}

	static double median(double[] sorted) {
		return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
	}

	boolean holds() {
		return this.atMost ? this.measured <= this.wanted : this.measured >= this.wanted;
	}

}
