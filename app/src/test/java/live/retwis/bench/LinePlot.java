package live.retwis.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * An SVG drawing of several measurements. Its colours fit light and dark pages.
 */
final class LinePlot {

	private static final int WIDTH = 640;

	private static final int HEIGHT = 320;

	private static final int LEFT = 60;

	private static final int BOTTOM = 50;

	private static final int MARGIN = 20;

	private static final int TICKS = 4;

	/** Distance between a name and the line below it. */
	private static final int ABOVE = 10;

	private final double right;

	private final double top;

	private final StringBuilder svg = new StringBuilder();

	private LinePlot(List<Line> lines) {
		this.right = most(lines, Point::x);
		this.top = most(lines, Point::y);
	}

	private static double most(List<Line> lines, ToDoubleFunction<Point> of) {
		return lines.stream().flatMap((line) -> line.points().stream()).mapToDouble(of).max().orElseThrow();
	}

	/**
	 * The drawing. Both axes begin at zero.
	 * @param across name of the horizontal axis
	 * @param up name of the vertical axis
	 */
	static String svg(String across, String up, List<Line> lines) {
		LinePlot plot = new LinePlot(lines);
		plot.axes(across, up);
		lines.forEach(plot::line);
		return String.format(Locale.ROOT,
				"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
						+ "font-size=\"13\"><style>svg { background: #fff; color: #1d2427; } text { fill: currentColor; } "
						+ "@media (prefers-color-scheme: dark) { svg { background: #14181a; color: #e3e8ea; } }</style>"
						+ "%n%s</svg>%n",
				WIDTH, HEIGHT, plot.svg);
	}

	private void axes(String across, String up) {
		add("<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"currentColor\"/>", LEFT, MARGIN, HEIGHT - BOTTOM,
				WIDTH - MARGIN);
		for (int i = 0; i <= TICKS; i++) {
			double x = this.right * i / TICKS;
			double y = this.top * i / TICKS;
			add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%,.0f</text>", x(x), HEIGHT - BOTTOM + 18, x);
			add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>", LEFT - 8, y(y) + 4, y);
		}
		add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", WIDTH - MARGIN, HEIGHT - 10, across);
		add("<text x=\"%d\" y=\"14\">%s</text>", LEFT + 8, up);
	}

	private void line(Line line) {
		String points = line.points()
			.stream()
			.map((point) -> String.format(Locale.ROOT, "%.1f,%.1f", x(point.x()), y(point.y())))
			.collect(Collectors.joining(" "));
		Point middle = line.points().get(line.points().size() / 2);
		add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", points, line.colour());
		add("<text x=\"%.1f\" y=\"%.1f\" style=\"fill: %s\" text-anchor=\"end\">%s</text>", x(middle.x()),
				y(middle.y()) - ABOVE, line.colour(), line.name());
	}

	private double x(double value) {
		return LEFT + (WIDTH - LEFT - MARGIN) * value / this.right;
	}

	private double y(double value) {
		return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - MARGIN) * value / this.top;
	}

	private void add(String format, Object... values) {
		this.svg.append(String.format(Locale.ROOT, format, values)).append('\n');
	}

	/**
	 * A line.
	 *
	 * @param name text beside the line
	 * @param colour CSS colour that can be read on white and on black
	 * @param points points from left to right
	 */
	record Line(String name, String colour, List<Point> points) {
	}

	/** A point in the units of the axes. */
	record Point(double x, double y) {
	}

}
