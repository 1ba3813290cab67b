package live.retwis.locks.lab.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

import live.retwis.locks.lab.check.LabViolation;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryJson;

/**
 * Writes a report as one page that needs no other files. It has tables. With scripts it
 * also has the swim lanes that the site draws, by the same module.
 */
public final class HtmlPage {

	private static final String STYLE = """
			body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
			table{border-collapse:collapse;width:100%;margin:1rem 0}td,th{border:1px solid #8886;padding:.2rem .5rem;
			text-align:left;vertical-align:top}.UNSAFE,.violation{color:#c22;font-weight:600}
			.OTHERWISE,.BROKEN,.NOT_REPRODUCED{background:#fb04}:root{color-scheme:light dark}.lanes{margin:.5rem 0}
			summary{cursor:pointer}""";

	/** Up to so many rounds are all open at first. */
	private static final int OPEN = 4;

	/** Prefix of the texts that the module shows, among those of the site's scripts. */
	private static final String TEXTS = "script.";

	private static final String DRAW = """
			const words = (key, ...values) => texts[key].replace(/\\{(\\d)\\}/g, (all, place) => values[place]);
			for (const round of document.querySelectorAll("details.round")) {
			  const draw = () => round.open && drawLanes(round.querySelector(".lanes"), JSON.parse(round.querySelector("script").textContent), { words });
			  round.addEventListener("toggle", draw);
			  draw();
			}
			""";

	private HtmlPage() {
	}

	/** Writes the page. */
	public static String of(LabReport report) {
		StringBuilder page = new StringBuilder("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
				+ "<meta name=\"viewport\" content=\"width=device-width\"><title>Redlock lab</title><style>" + STYLE
				+ "</style></head><body>\n");
		page.append("<h1>Redlock lab</h1>\n<p>%s, %d nodes, lease %d ms, node time-out %d ms</p>\n".formatted(
				report.began(), report.settings().nodes(), report.settings().lease().toMillis(),
				report.settings().nodeTimeout().toMillis()));
		page.append(summaries(report));
		report.skipped().forEach((skipped) -> page.append("<p>Not played: " + ReportText.escape(skipped) + "</p>\n"));
		boolean open = report.rounds().size() <= OPEN;
		report.rounds().forEach((round) -> page.append(round(round, open)));
		return page.append("<script type=\"module\">\n" + lanes() + texts() + DRAW + "</script></body></html>\n")
			.toString();
	}

	private static String lanes() {
		return read("lab-lanes.js");
	}

	/** In English, as all of a report. */
	private static String texts() {
		Properties all = new Properties();
		try {
			all.load(new StringReader(read("messages.properties")));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Map<String, String> texts = new TreeMap<>();
		for (String key : all.stringPropertyNames()) {
			if (key.equals(TEXTS + "lab.node") || key.startsWith(TEXTS + "lab.lanes")) {
				texts.put(key.substring(TEXTS.length()), all.getProperty(key));
			}
		}
		return "const texts = " + HistoryJson.line(texts) + ";\n";
	}

	private static String read(String name) {
		try (InputStream file = HtmlPage.class.getResourceAsStream(name)) {
			return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The program is not whole", ex);
		}
	}

	private static String summaries(LabReport report) {
		String rows = report.summaries()
			.stream()
			.map((row) -> "<tr><td>%s<td>%s<td>%d<td>%s<td>%s<td>%.1f<td>%.1f<td>%.1f<td>%.2f\n".formatted(
					row.scenario(), row.engine(), row.rounds(), counts(row.endings()), counts(row.verdicts()),
					row.p50(), row.p95(), row.p99(), row.availability()))
			.collect(Collectors.joining());
		return "<table><tr><th>scenario<th>engine<th>rounds<th>ended<th>verdicts<th>p50 ms<th>p95<th>p99<th>granted\n"
				+ rows + "</table>\n";
	}

	private static String counts(Map<?, Long> counts) {
		return ReportText.escape(counts.entrySet()
			.stream()
			.map((entry) -> entry.getValue() + " × " + entry.getKey())
			.collect(Collectors.joining(", ")));
	}

	private static String round(JudgedRound round, boolean open) {
		String violations = round.verdict()
			.violations()
			.stream()
			.map(HtmlPage::violation)
			.collect(Collectors.joining());
		String events = round.record().events().stream().map(HtmlPage::event).collect(Collectors.joining());
		return "<details class=\"round\"%s><summary class=\"%s\">%s, %s, round %d, seed %d: %s</summary>%s".formatted(
				open ? " open" : "", round.ending(), round.record().scenario(), round.record().engine(),
				round.record().round(), round.record().seed(), ReportText.escape(ReportText.result(round)), violations)
				+ "<div class=\"lanes\"></div><script type=\"application/json\">" + data(round) + "</script>"
				+ "<details><summary>All events</summary><table><tr><th>ms<th>what<th>who<th>name<th>details\n" + events
				+ "</table></details></details>\n";
	}

	/** The data of a round as text that cannot end the element that it stands in. */
	private static String data(JudgedRound round) {
		return HistoryJson
			.line(new Drawn(round.record().leaseMillis(), round.record().events(), round.verdict().violations()))
			.replace("<", "\\u003c");
	}

	/** What the swim lanes are drawn from. */
	private record Drawn(long leaseMillis, List<HistoryEvent> events, List<LabViolation> violations) {
	}

	private static String violation(LabViolation violation) {
		return "<p class=\"violation\">%s judge, %.1f to %.1f ms: %s</p>".formatted(violation.judge(),
				violation.from() / 1e6, violation.until() / 1e6, ReportText.escape(violation.what()));
	}

	private static String event(HistoryEvent event) {
		String details = event.details()
			.entrySet()
			.stream()
			.sorted(Comparator.comparing(Map.Entry::getKey))
			.map((entry) -> entry.getKey() + ": " + value(entry))
			.collect(Collectors.joining(", "));
		return "<tr><td>%.2f<td>%s<td>%s<td>%s<td>%s\n".formatted(event.at() / 1e6, event.kind(),
				ReportText.escape(event.subject()), ReportText.escape(event.name()), ReportText.escape(details));
	}

	private static String value(Map.Entry<String, String> detail) {
		return detail.getKey().equals(HistoryEvent.UNTIL) ? "%.2f ms".formatted(Long.parseLong(detail.getValue()) / 1e6)
				: detail.getValue();
	}

}
