package live.retwis.lab;

import java.util.Map;
import java.util.stream.Collectors;

import live.retwis.locks.lab.steps.Acquisition;
import live.retwis.locks.lab.steps.Acquisition.Exchange;

/**
 * The five steps of an acquisition in signs, for a table: ✓ yes, ✗ no, ! an error, … no
 * answer, · not asked, ∅ no key to give back.
 *
 * @param clock whether the engine reads the clock
 * @param nodes what each node said, with ms
 * @param majority how many said yes, and how many are needed
 * @param validity lease, less elapsed, less drift; in brackets where the engine does not
 * subtract
 * @param released the nodes that gave the key back
 */
record StepsView(String client, String clock, String nodes, String majority, String validity, String released) {

	private static final Map<String, String> SIGNS = Map.of("yes", "✓", "no", "✗", "error", "!", "silent", "…", "late",
			"…", "unasked", "·", "gone", "∅");

	static StepsView of(Acquisition one) {
		String sum = "%.1f − %.1f − %.1f = %.1f".formatted(one.lease() / 1e6, one.elapsed() / 1e6, one.drift() / 1e6,
				one.validity() / 1e6);
		return new StepsView(one.client(), one.timed() ? "✓" : "✗",
				one.asked().stream().map(StepsView::text).collect(Collectors.joining("  ")),
				one.votes() + " / " + one.needed(), one.timed() ? sum : "(" + sum + ")",
				one.released().stream().map(StepsView::text).collect(Collectors.joining("  ")));
	}

	private static String text(Exchange node) {
		String sign = node.node() + " " + SIGNS.getOrDefault(node.says(), "");
		return (node.answered() < 0) ? sign : sign + " " + "%.1f".formatted((node.answered() - node.asked()) / 1e6);
	}

}
