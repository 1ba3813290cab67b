package live.retwis.lab;

import java.util.Map;
import java.util.stream.Collectors;

import live.retwis.locks.lab.steps.AcquisitionTrace;
import live.retwis.locks.lab.steps.AcquisitionTrace.Exchange;

/**
 * The five steps of an acquisition in signs, for a table: ✓ yes, ✗ no, ! an error, … no
 * answer, · not asked, ∅ no key to give back, ≠ the key of another client was deleted.
 *
 * @param clock whether the engine reads the clock
 * @param nodes what each node said, each time that it was asked, with ms
 * @param majority how many said yes when they were asked for their key, and how many are
 * needed
 * @param validity lease, less elapsed, less drift; in brackets where the engine does not
 * subtract
 * @param released the nodes that gave the key back
 */
record AcquisitionView(String client, String clock, String nodes, String majority, String validity, String released) {

	private static final Map<String, String> SIGNS = Map.of("yes", "✓", "no", "✗", "error", "!", "silent", "…", "late",
			"…", "unasked", "·", "gone", "∅", "other", "≠");

	static AcquisitionView of(AcquisitionTrace one) {
		String sum = ((one.elapsed() < 0) ? "%.1f − (%.1f) − %.1f = %.1f" : "%.1f − %.1f − %.1f = %.1f")
			.formatted(one.lease() / 1e6, one.elapsed() / 1e6, one.drift() / 1e6, one.validity() / 1e6);
		return new AcquisitionView(one.client(), one.timed() ? "✓" : "✗",
				one.asked().stream().map(AcquisitionView::text).collect(Collectors.joining("  ")),
				one.votes() + " / " + one.needed(), one.timed() ? sum : "(" + sum + ")",
				one.released().stream().map(AcquisitionView::text).collect(Collectors.joining("  ")));
	}

	private static String text(Exchange node) {
		String answers = node.questions()
			.stream()
			.map((one) -> SIGNS.getOrDefault(one.says(), "")
					+ ((one.answered() < 0) ? "" : " %.1f".formatted((one.answered() - one.asked()) / 1e6)))
			.collect(Collectors.joining(" "));
		return node.node() + " " + (answers.isEmpty() ? SIGNS.getOrDefault(node.says(), "") : answers);
	}

}
