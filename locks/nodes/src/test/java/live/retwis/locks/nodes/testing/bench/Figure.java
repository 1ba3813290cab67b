package live.retwis.locks.nodes.testing.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * A measured figure.
 *
 * @param name what was measured
 * @param unit its unit, × for a ratio
 * @param rounds the value of each round, in the order of the rounds
 * @param aim the bound that was aimed for; null for none
 */
public record Figure(String name, String unit, List<Double> rounds, @Nullable Aim aim) {

	/** Digits of a value in a file. */
	private static final int DIGITS = 6;

	private static final char BETWEEN_COLUMNS = '\t';

	public Figure {
		if (rounds.isEmpty() || !rounds.stream().allMatch(Double::isFinite)) {
			throw new IllegalArgumentException("Nothing was measured: " + name + " " + rounds);
		}
		if ((name + unit).indexOf(BETWEEN_COLUMNS) >= 0) {
			throw new IllegalArgumentException("A tab separates the columns of a file: " + name);
		}
		rounds = List.copyOf(rounds);
	}

	/** A figure that has no aim. */
	public static Figure of(String name, String unit, List<Double> rounds) {
		return new Figure(name, unit, rounds, null);
	}

	/** A figure that was measured once and has no aim. */
	public static Figure once(String name, String unit, double value) {
		return of(name, unit, List.of(value));
	}

	/** The same figure, of which the median should be at most this. */
	public Figure atMost(double bound) {
		return new Figure(this.name, this.unit, this.rounds, new Aim(Aim.Kind.AT_MOST, bound));
	}

	/** The same figure, of which the median should be at least this. */
	public Figure atLeast(double bound) {
		return new Figure(this.name, this.unit, this.rounds, new Aim(Aim.Kind.AT_LEAST, bound));
	}

	/** The same figure, of which no round should be above this. */
	public Figure neverAbove(double bound) {
		return new Figure(this.name, this.unit, this.rounds, new Aim(Aim.Kind.NEVER_ABOVE, bound));
	}

	/** The median, or the highest value where the aim is for each round. */
	public double value() {
		return (this.aim != null && this.aim.kind() == Aim.Kind.NEVER_ABOVE) ? highest() : median();
	}

	private double median() {
		double[] sorted = this.rounds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
		return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
	}

	/** The lowest value of a round. */
	public double lowest() {
		return this.rounds.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
	}

	/** The highest value of a round. */
	public double highest() {
		return this.rounds.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
	}

	/** Whether the aim is reached; so it is when there is none. */
	public boolean isReached() {
		return this.aim == null || this.aim.holds(value());
	}

	/** A value with its unit, in three digits or more. */
	public String text(double value) {
		String digits = format((Math.abs(value) >= 100) ? "%,.0f" : (Math.abs(value) >= 10) ? "%.1f" : "%.2f", value);
		return this.unit.isEmpty() ? digits : digits + " " + this.unit;
	}

	/** A line of a {@link FigureFile}. */
	String line() {
		return String.join(String.valueOf(BETWEEN_COLUMNS), this.name, this.unit,
				this.rounds.stream().map(Figure::number).collect(Collectors.joining(" ")),
				(this.aim != null) ? this.aim.toString() : "");
	}

	/** Reads a line of a {@link FigureFile}. */
	static Figure parse(String line) {
		String[] columns = line.split(String.valueOf(BETWEEN_COLUMNS), -1);
		return new Figure(columns[0], columns[1], Arrays.stream(columns[2].split(" ")).map(Double::valueOf).toList(),
				columns[3].isEmpty() ? null : Aim.parse(columns[3]));
	}

	private static String format(String format, double value) {
		return String.format(Locale.ROOT, format, value);
	}

	private static String number(double value) {
		return new BigDecimal(value).round(new MathContext(DIGITS)).stripTrailingZeros().toPlainString();
	}

	/**
	 * A bound.
	 *
	 * @param kind which side of it is aimed for
	 * @param bound in the unit of the figure
	 */
	public record Aim(Kind kind, double bound) {

		boolean holds(double value) {
			return (this.kind == Kind.AT_LEAST) ? value >= this.bound : value <= this.bound;
		}

		static Aim parse(String text) {
			Kind kind = Arrays.stream(Kind.values())
				.filter((one) -> text.startsWith(one.sign))
				.findFirst()
				.orElseThrow(() -> new IllegalArgumentException("No aim: " + text));
			return new Aim(kind, Double.parseDouble(text.substring(kind.sign.length()).strip()));
		}

		@Override
		public String toString() {
			return this.kind.sign + " " + number(this.bound);
		}

		/** Kinds of bounds. */
		public enum Kind {

			/** The median is at most this. */
			AT_MOST("≤"),
			/** The median is at least this. */
			AT_LEAST("≥"),
			/** Each round is at most this. */
			NEVER_ABOVE("never >");

			private final String sign;

			Kind(String sign) {
				this.sign = sign;
			}

		}

	}

}
