package live.retwis.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What a post costs, drawn over the number of open streams.
 */
final class CostPlot {

	private static final int WIDTH = 640;

	private static final int HEIGHT = 320;

	private static final int LEFT = 60;

	private static final int BOTTOM = 50;

	private static final int MARGIN = 20;

	private static final int TICKS = 4;

	private final double mostStreams;

	private final double mostMillis;

	private final StringBuilder svg = new StringBuilder();

	private CostPlot(List<Cost> costs) {
		this.mostStreams = costs.stream().mapToInt(Cost::streams).max().orElseThrow();
		this.mostMillis = costs.stream().mapToDouble((cost) -> Math.max(cost.some(), cost.all())).max().orElseThrow();
	}

	/** The drawing. */
	static String svg(List<Cost> costs, int interested) {
		CostPlot plot = new CostPlot(costs);
		plot.axes();
		plot.line(costs, Cost::all, "#a5281d", "every stream wants the post", -10);
		plot.line(costs, Cost::some, "#0b6b55", interested + " streams want it", -10);
		return String.format(Locale.ROOT,
				"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
						+ "font-size=\"13\"><rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n%s</svg>%n",
				WIDTH, HEIGHT, plot.svg);
	}

	private void axes() {
		add("<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"#555\"/>", LEFT, MARGIN, HEIGHT - BOTTOM,
				WIDTH - MARGIN);
		for (int i = 0; i <= TICKS; i++) {
			double streams = this.mostStreams * i / TICKS;
			double millis = this.mostMillis * i / TICKS;
			add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%,.0f</text>", x(streams), HEIGHT - BOTTOM + 18,
					streams);
			add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>", LEFT - 8, y(millis) + 4, millis);
		}
		add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">open streams</text>", WIDTH - MARGIN, HEIGHT - 10);
		add("<text x=\"%d\" y=\"14\">CPU ms of the instance for a post</text>", LEFT + 8);
	}

	private void line(List<Cost> costs, ToDoubleFunction<Cost> millis, String colour, String name, int above) {
		String points = costs.stream()
			.map((cost) -> String.format(Locale.ROOT, "%.1f,%.1f", x(cost.streams()), y(millis.applyAsDouble(cost))))
			.collect(Collectors.joining(" "));
		Cost middle = costs.get(costs.size() / 2);
		add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", points, colour);
		add("<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\" text-anchor=\"end\">%s</text>", x(middle.streams()),
				y(millis.applyAsDouble(middle)) + above, colour, name);
	}

	private double x(double streams) {
		return LEFT + (WIDTH - LEFT - MARGIN) * streams / this.mostStreams;
	}

	private double y(double millis) {
		return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - MARGIN) * millis / this.mostMillis;
	}

	private void add(String format, Object... values) {
		this.svg.append(String.format(Locale.ROOT, format, values)).append('\n');
	}

	/**
	 * One measurement.
	 *
	 * @param streams that are open
	 * @param some CPU ms for a post that some of them want
	 * @param all the same when all of them want it
	 */
	record Cost(int streams, double some, double all) {

		String line() {
			return String.format(Locale.ROOT, "%d streams: %.2f ms, %.2f ms", this.streams, this.some, this.all);
		}

	}

}
