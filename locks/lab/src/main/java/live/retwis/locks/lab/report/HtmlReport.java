package live.retwis.locks.lab.report;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.locks.lab.check.LabViolation;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryJson;
import live.retwis.locks.lab.steps.AcquisitionReader;
import live.retwis.locks.lab.steps.AcquisitionTrace;
import live.retwis.locks.lab.words.LabWords;

/**
 * Writes a report as one page that needs no other files. It has tables. With scripts it
 * also has the swim lanes, the five steps and the replay of the site, by the same
 * modules.
 */
public final class HtmlReport {

	/** Up to so many rounds are all open at first. */
	private static final int OPEN = 4;

	/** Prefix of the texts that the module shows, among those of the site's scripts. */
	private static final String TEXTS = "script.";

	private static final String DRAW = """
			const words = (key, ...values) => texts[key].replace(/\\{(\\d)\\}/g, (all, place) => values[place]);
			for (const round of document.querySelectorAll("details.round")) {
			  const draw = () => round.open && showRound(round.querySelector(".drawn"), JSON.parse(round.querySelector("script").textContent), { words });
			  round.addEventListener("toggle", draw);
			  draw();
			}
			""";

	private final LabWords words;

	private final VerdictSentences sentences;

	private HtmlReport(LabWords words) {
		this.words = words;
		this.sentences = new VerdictSentences(words);
	}

	/** Writes the page in English. */
	public static String of(LabReport report) {
		return of(report, LabWords.ENGLISH);
	}

	/** Writes the page in a language. */
	public static String of(LabReport report, LabWords words) {
		return new HtmlReport(words).page(report);
	}

	private String page(LabReport report) {
		StringBuilder page = new StringBuilder("<!doctype html>\n<html lang=\"" + this.words.tag()
				+ "\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>"
				+ this.words.text("report.title") + "</title><style>" + ReportScriptBundle.read("report.css")
				+ "</style></head><body>\n");
		page.append("<h1>%s</h1>\n<p>%s</p>\n".formatted(this.words.text("report.title"),
				this.words.text("report.settings", report.began().replaceFirst("\\.\\d+Z$", "Z"),
						String.valueOf(report.settings().nodes()), String.valueOf(report.settings().lease().toMillis()),
						String.valueOf(report.settings().nodeTimeout().toMillis()))));
		page.append(summaries(report));
		Stream
			.concat(report.skippedScenarios().stream().map(this.sentences::of),
					report.shortenings().stream().map(this.sentences::of))
			.forEach((line) -> page.append("<p>" + RoundResultFormatter.escape(line) + "</p>\n"));
		boolean open = report.rounds().size() <= OPEN;
		report.rounds().forEach((round) -> page.append(round(round, open)));
		return page
			.append("<script type=\"module\">\n" + ReportScriptBundle.script() + texts() + DRAW
					+ "</script></body></html>\n")
			.toString();
	}

	/** The texts of the modules, from those of the site's scripts. */
	private String texts() {
		String language = this.words.tag().equals("en") ? "" : "_" + this.words.tag();
		Properties all = new Properties();
		try {
			all.load(new StringReader(ReportScriptBundle.read("messages" + language + ".properties")));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Map<String, String> texts = new TreeMap<>();
		for (String key : all.stringPropertyNames()) {
			if (key.startsWith(TEXTS + "lab.")) {
				texts.put(key.substring(TEXTS.length()), all.getProperty(key));
			}
		}
		return "const texts = " + HistoryJson.line(texts).replace("<", "\\u003c") + ";\n";
	}

	private String summaries(LabReport report) {
		String rows = report.summaries()
			.stream()
			.map((row) -> "<tr><td>%s<td>%s<td>%d<td>%s<td>%s<td>%.1f<td>%.1f<td>%.1f<td>%.2f\n".formatted(
					row.scenario(), RoundResultFormatter.escape(this.words.engine(row.engine())), row.rounds(),
					counts(row.endings()), counts(row.verdicts()), row.p50(), row.p95(), row.p99(), row.availability()))
			.collect(Collectors.joining());
		String found = this.sentences.summaries(report.rounds())
			.stream()
			.map((line) -> "<li>" + RoundResultFormatter.escape(line) + "\n")
			.collect(Collectors.joining());
		String heads = Stream.of("scenario", "engine", "rounds", "ended", "verdicts", "p50", "p95", "p99", "granted")
			.map((key) -> "<th>" + this.words.text("report." + key))
			.collect(Collectors.joining());
		return "<ul>" + found + "</ul>\n<div class=\"scroll\"><table><tr>" + heads + "\n" + rows + "</table></div>\n";
	}

	private static String counts(Map<?, Long> counts) {
		return RoundResultFormatter.escape(counts.entrySet()
			.stream()
			.map((entry) -> entry.getValue() + " × " + entry.getKey())
			.collect(Collectors.joining(", ")));
	}

	private String round(JudgedRound round, boolean open) {
		String violations = round.verdict().violations().stream().map(this::violation).collect(Collectors.joining());
		String events = round.record().events().stream().map(HtmlReport::event).collect(Collectors.joining());
		String head = this.words.text("report.round", title(round), this.words.engine(round.record().engine()),
				String.valueOf(round.record().round()), String.valueOf(round.record().seed()));
		return "<details class=\"round\"%s><summary class=\"%s\">%s</summary><p class=\"verdict\">%s</p>%s".formatted(
				open ? " open" : "", round.ending(), RoundResultFormatter.escape(head),
				RoundResultFormatter.escape(this.sentences.of(round)), violations)
				+ "<div class=\"drawn\"></div><script type=\"application/json\">" + data(round) + "</script>"
				+ "<details><summary>" + this.words.text("report.events")
				+ "</summary><div class=\"scroll\"><table lang=\"en\"><tr><th>ms<th>what<th>who<th>name<th>details\n"
				+ events + "</table></div></details></details>\n";
	}

	/** The number and the title of the scenario; the number alone if it is not known. */
	private String title(JudgedRound round) {
		String number = round.record().scenario();
		return number + this.words.find("scenario." + number + ".title").map((title) -> " " + title).orElse("");
	}

	/** The data of a round as text that cannot end the element that it stands in. */
	private String data(JudgedRound round) {
		List<LabViolation> violations = round.verdict()
			.violations()
			.stream()
			.map((one) -> new LabViolation(one.judge(), one.from(), one.until(), this.sentences.violation(one),
					one.key(), one.values()))
			.toList();
		return HistoryJson
			.line(new Drawn(round.record().leaseMillis(), round.record().events(), violations,
					AcquisitionReader.of(round.record())))
			.replace("<", "\\u003c");
	}

	/** What a round is drawn from. */
	private record Drawn(long leaseMillis, List<HistoryEvent> events, List<LabViolation> violations,
			List<AcquisitionTrace> acquisitions) {
	}

	private String violation(LabViolation violation) {
		String from = "%.1f".formatted(violation.from() / 1e6);
		String until = "%.1f".formatted(violation.until() / 1e6);
		return "<p class=\"violation\">%s, %s ms</p>".formatted(
				RoundResultFormatter.escape(this.sentences.violation(violation)),
				from.equals(until) ? until : from + "–" + until);
	}

	private static String event(HistoryEvent event) {
		String details = event.details()
			.entrySet()
			.stream()
			.sorted(Comparator.comparing(Map.Entry::getKey))
			.map((entry) -> entry.getKey() + ": " + value(entry))
			.collect(Collectors.joining(", "));
		return "<tr><td>%.2f<td>%s<td>%s<td>%s<td>%s\n".formatted(event.at() / 1e6, event.kind(),
				RoundResultFormatter.escape(event.subject()), RoundResultFormatter.escape(event.name()),
				RoundResultFormatter.escape(details));
	}

	private static String value(Map.Entry<String, String> detail) {
		return detail.getKey().equals(HistoryEvent.UNTIL) ? "%.2f ms".formatted(Long.parseLong(detail.getValue()) / 1e6)
				: detail.getValue();
	}

}
