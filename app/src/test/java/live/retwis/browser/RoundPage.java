package live.retwis.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.history.RoundRecord;
import live.retwis.locks.lab.play.LabSettings;
import live.retwis.locks.lab.report.HtmlReport;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.words.LabWords;
import org.junit.jupiter.api.io.TempDir;

/**
 * A round of the lab that was written for a test, and its page: a report file, which is
 * opened without a server.
 */
abstract class RoundPage {

	/** How far a shape may be from where it belongs, in px. */
	static final double NEAR = 2;

	@TempDir
	@SuppressWarnings("NullAway.Init")
	private Path folder;

	Tab open(Browser browser, HistoryEvent... events) {
		return open(browser, LabWords.ENGLISH, events);
	}

	Tab open(Browser browser, LabWords words, HistoryEvent... events) {
		Tab tab = browser.newTab(TabOptions.phone());
		show(tab, words, events);
		return tab;
	}

	void show(Tab tab, LabWords words, HistoryEvent... events) {
		RoundRecord record = new RoundRecord("0", "redisson", 1, 1, 1000, "", List.of(events));
		LabReport report = new LabReport("2026-11-23T00:00:00Z", LabSettings.DEFAULT,
				List.of(JudgedRound.of(record, Expectation.SHOWN)), List.of(), List.of(), List.of());
		Path file = this.folder.resolve("report.html");
		try {
			Files.writeString(file, HtmlReport.of(report, words));
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
		tab.open(file.toUri().toString());
		tab.await().count(".drawn svg", 1);
	}

	static double number(Tab tab, String expression) {
		return ((Number) Objects.requireNonNull(tab.evaluate(expression))).doubleValue();
	}

	static HistoryEvent event(long millis, Kind kind, String subject, String name, long operation,
			Map<String, String> details) {
		return new HistoryEvent(millis * 1_000_000, kind, subject, name, operation, details);
	}

	/**
	 * What the nodes hold, by their numbers: an owner, with or without the time left, or
	 * an empty text for nothing.
	 */
	static HistoryEvent seen(long millis, String... owners) {
		Map<String, String> details = new HashMap<>();
		IntStream.rangeClosed(1, owners.length)
			.forEach((node) -> details.put("node " + node, owners[node - 1].isEmpty() ? "free"
					: owners[node - 1].contains(" for ") ? owners[node - 1] : owners[node - 1] + " for 5000 ms"));
		return event(millis, Kind.NODES, "", "seen", 0, details);
	}

	static HistoryEvent fault(long millis, String subject, String name) {
		return event(millis, Kind.INJECT, subject, name, 0, Map.of());
	}

	static HistoryEvent write(long millis, String client, String outcome) {
		return event(millis, Kind.RETURN, client, "write", millis,
				Map.of("outcome", outcome, "owner", client, "value", "1", "fence", "none"));
	}

	static HistoryEvent asked(long operation, String what, long millis) {
		return event(millis, Kind.ASKED, "A", what, operation, Map.of("node", "1", "owner", "A", "sent", what));
	}

	static HistoryEvent answered(long operation, String what, long millis) {
		return event(millis, Kind.ANSWERED, "A", what, operation, Map.of("node", "1", "says", "yes", "reply", "1"));
	}

	/** A asks a node to delete a key, whoever has it. */
	static HistoryEvent deletion(long operation, String node, long millis) {
		return event(millis, Kind.ASKED, "A", "release", operation,
				Map.of("node", node, "owner", "A", "sent", "DEL lock:name"));
	}

	/** The key was that of B. */
	static HistoryEvent deleted(long operation, String node, long millis) {
		return event(millis, Kind.ANSWERED, "A", "release", operation,
				Map.of("node", node, "says", "yes", "reply", "1", HistoryEvent.DELETED_OF, "B"));
	}

	static HistoryEvent returned(String client, long millis) {
		return event(millis, Kind.RETURN, client, "acquire", client.charAt(0), Map.of("outcome", "acquired", "owner",
				client, HistoryEvent.UNTIL, String.valueOf((millis + 1000) * 1_000_000)));
	}

}
