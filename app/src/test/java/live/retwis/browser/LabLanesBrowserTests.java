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
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * What the lanes of the lab say of a round that was written for this. The pages are
 * report files, opened without a server.
 */
class LabLanesBrowserTests {

	/** How far a shape may be from where it belongs, in px. */
	private static final double NEAR = 2;

	@TempDir
	@SuppressWarnings("NullAway.Init")
	private Path folder;

	@BrowserTest
	void aNodeHasNoKeyFromTheMomentAtWhichItCrashes(Browser browser) {
		Tab tab = open(browser, seen(0, "A", "A"), fault(400, "node 1", "crashed, data lost"), seen(900, "", "A"));
		assertThat(end(tab, "[data-holding='node 1']")).isCloseTo(begin(tab, "[data-fault]"), within(NEAR));
		assertThat(end(tab, "[data-holding='node 2']")).isGreaterThan(begin(tab, "[data-fault]") + 100);
	}

	@BrowserTest
	void aNodeHasTheKeyFromItsAnswerUntilItWasGivenBack(Browser browser) {
		Tab tab = open(browser, seen(0, "", ""), asked(1, "take", 200), answered(1, "take", 300),
				asked(2, "release", 600), answered(2, "release", 700), seen(1000, "", ""));
		double second = number(tab, "document.querySelector('svg').clientWidth - 64");
		assertThat(tab.count("[data-holding]")).isOne();
		assertThat(end(tab, "[data-holding='node 1']") - begin(tab, "[data-holding='node 1']")).isCloseTo(0.4 * second,
				within(NEAR));
	}

	@BrowserTest
	void aFaultOfTwoNodesIsHatchedAlikeAtBoth(Browser browser) {
		Tab tab = open(browser, seen(0, "A", "A"), fault(400, "node 1, node 2", "paused"), seen(900, "A", "A"));
		assertThat(number(tab, """
				new Set([...document.querySelectorAll("[data-fault='paused']")]
				  .map((band) => [band.getAttribute("fill"), band.getAttribute("opacity")].join())).size""")).isOne();
		assertThat(tab.count("[data-fault='paused']")).isEqualTo(2);
	}

	@BrowserTest
	void theKeyOfADeadClientIsNamedAndIsNoFaultOfItsNode(Browser browser) {
		Tab tab = open(browser, fault(100, "node 1, node 2", "orphan of a dead client"), seen(200, "orphan", "orphan"),
				seen(600, "", ""), seen(900, "", ""));
		assertThat(tab.count("[data-fault]")).isZero();
		assertThat(tab.count("[data-holding]")).isEqualTo(2);
		assertThat((List<?>) Objects
			.requireNonNull(tab.evaluate("[...document.querySelectorAll('svg text')].map((text) => text.textContent)")))
			.asString()
			.contains("a dead client");
		assertThat(tab.text(".drawn .hint")).contains("Grey");
	}

	@BrowserTest
	void theWordsOfAViolationAreNotCutOffAtTheRightEdge(Browser browser) {
		Tab tab = open(browser, returned("A", 0), returned("B", 900), seen(1000, "B", "B"));
		assertThat(tab.count("[data-violation]")).isOne();
		assertThat(number(tab,
				"""
						Math.max(...[...document.querySelectorAll("svg text")].map((text) => text.getBBox().x + text.getBBox().width))
						  - document.querySelector("svg").clientWidth"""))
			.isLessThanOrEqualTo(0);
	}

	@BrowserTest
	void theLanesFollowTheWidthOfTheirPlace(Browser browser) {
		Tab tab = open(browser, seen(0, "A", "A"), seen(900, "A", "A"));
		tab.evaluate("document.body.style.width = '300px'");
		tab.await().that("narrower lanes", (now) -> number(now, "document.querySelector('svg').clientWidth") <= 300);
	}

	private Tab open(Browser browser, HistoryEvent... events) {
		RoundRecord record = new RoundRecord("0", "redisson", 1, 1, 1000, "", List.of(events));
		LabReport report = new LabReport("2026-11-23T00:00:00Z", LabSettings.DEFAULT,
				List.of(JudgedRound.of(record, Expectation.SHOWN)), List.of());
		Path file = this.folder.resolve("report.html");
		try {
			Files.writeString(file, HtmlReport.of(report));
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
		Tab tab = browser.newTab(TabOptions.phone());
		tab.open(file.toUri().toString());
		tab.await().count(".drawn svg", 1);
		return tab;
	}

	private static double number(Tab tab, String expression) {
		return ((Number) Objects.requireNonNull(tab.evaluate(expression))).doubleValue();
	}

	private static double begin(Tab tab, String shape) {
		return number(tab, "document.querySelector(\"" + shape + "\").getBBox().x");
	}

	private static double end(Tab tab, String shape) {
		return begin(tab, shape) + number(tab, "document.querySelector(\"" + shape + "\").getBBox().width");
	}

	private static HistoryEvent event(long millis, Kind kind, String subject, String name, long operation,
			Map<String, String> details) {
		return new HistoryEvent(millis * 1_000_000, kind, subject, name, operation, details);
	}

	/** What the nodes hold, by their numbers; an empty text for nothing. */
	private static HistoryEvent seen(long millis, String... owners) {
		Map<String, String> details = new HashMap<>();
		IntStream.rangeClosed(1, owners.length)
			.forEach((node) -> details.put("node " + node,
					owners[node - 1].isEmpty() ? "free" : owners[node - 1] + " for 5000 ms"));
		return event(millis, Kind.NODES, "", "seen", 0, details);
	}

	private static HistoryEvent fault(long millis, String subject, String name) {
		return event(millis, Kind.INJECT, subject, name, 0, Map.of());
	}

	private static HistoryEvent asked(long operation, String what, long millis) {
		return event(millis, Kind.ASKED, "A", what, operation, Map.of("node", "1", "owner", "A", "sent", what));
	}

	private static HistoryEvent answered(long operation, String what, long millis) {
		return event(millis, Kind.ANSWERED, "A", what, operation, Map.of("node", "1", "says", "yes", "reply", "1"));
	}

	private static HistoryEvent returned(String client, long millis) {
		return event(millis, Kind.RETURN, client, "acquire", client.charAt(0), Map.of("outcome", "acquired", "owner",
				client, HistoryEvent.UNTIL, String.valueOf((millis + 1000) * 1_000_000)));
	}

}
