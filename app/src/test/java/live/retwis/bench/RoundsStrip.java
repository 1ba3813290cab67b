package live.retwis.bench;

import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.bench.Figure;
import org.jspecify.annotations.Nullable;

/**
 * A small SVG drawing of a figure, from zero on: a dot for each round, a bar for the
 * value, a dashed line for the aim, and a ring for the committed value. Its colours are
 * those of the page around it.
 */
final class RoundsStrip {

	private static final int WIDTH = 180;

	private static final int HEIGHT = 18;

	private static final int MARGIN = 6;

	private static final int MIDDLE = HEIGHT / 2;

	private final double most;

	private final StringBuilder svg = new StringBuilder();

	private RoundsStrip(double most) {
		this.most = (most > 0) ? most : 1;
	}

	static String svg(Figure figure, @Nullable Figure before) {
		RoundsStrip strip = new RoundsStrip(Stream
			.of(DoubleStream.of(figure.highest()),
					(figure.aim() != null) ? DoubleStream.of(figure.aim().bound()) : DoubleStream.empty(),
					(before != null) ? DoubleStream.of(before.value()) : DoubleStream.empty())
			.flatMapToDouble((values) -> values)
			.max()
			.orElseThrow());
		strip.add("<path class=\"axis\" d=\"M%d %d H%d\"/>", MARGIN, MIDDLE, WIDTH - MARGIN);
		strip.add("<path class=\"value\" d=\"M%d %d H%.1f\"/>", MARGIN, MIDDLE, strip.x(figure.value()));
		if (figure.aim() != null) {
			strip.add("<path class=\"aim\" d=\"M%.1f 1 V%d\"/>", strip.x(figure.aim().bound()), HEIGHT - 1);
		}
		figure.rounds()
			.forEach((round) -> strip.add("<circle class=\"round\" cx=\"%.1f\" cy=\"%d\" r=\"2.5\"/>", strip.x(round),
					MIDDLE));
		if (before != null) {
			strip.add("<circle class=\"before\" cx=\"%.1f\" cy=\"%d\" r=\"5\"/>", strip.x(before.value()), MIDDLE);
		}
		return String.format(Locale.ROOT,
				"<svg viewBox=\"0 0 %d %d\" width=\"%1$d\" height=\"%2$d\" " + "aria-hidden=\"true\">%s</svg>", WIDTH,
				HEIGHT, strip.svg);
	}

	private double x(double value) {
		return MARGIN + (WIDTH - 2 * MARGIN) * Math.max(0, value) / this.most;
	}

	private void add(String format, Object... values) {
		this.svg.append(String.format(Locale.ROOT, format, values));
	}

}
