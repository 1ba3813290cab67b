package live.retwis.browser;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.words.LabWords;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** What the lanes of the lab say of a round that was written for this. */
class LabLanesBrowserTests extends RoundPage {

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
		double second = number(tab, "document.querySelector('svg').clientWidth - 82");
		assertThat(tab.count("[data-holding]")).isOne();
		assertThat(end(tab, "[data-holding='node 1']") - begin(tab, "[data-holding='node 1']")).isCloseTo(0.4 * second,
				within(NEAR));
	}

	/** Observations at 205 and 310 ms were made before the answers at 210 and 300 ms. */
	@BrowserTest
	void anObservationThatIsNotedAfterAnAnswerDoesNotUndoTheAnswer(Browser browser) {
		Tab tab = open(browser, seen(0, "", ""), asked(1, "take", 200), seen(205, "", ""), answered(1, "take", 210),
				asked(2, "confirm", 290), answered(2, "confirm", 300), seen(310, "", ""), asked(3, "release", 600),
				answered(3, "release", 610), seen(620, "A", ""), seen(1010, "", ""));
		double second = number(tab, "document.querySelector('svg').clientWidth - 82") / 1.01;
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
	void aNodeThatSeveralClientsCannotReachHasALineForEachAndIsNamedOnce(Browser browser) {
		Tab tab = open(browser, returned("A", 0), returned("B", 0), seen(0, "A", "A"),
				fault(400, "A from node 1", "cut off"), fault(400, "B from node 1", "cut off"), seen(900, "A", "A"));
		assertThat(number(tab, """
				new Set([...document.querySelectorAll("line[data-fault='cut off']")]
				  .map((line) => line.getAttribute("stroke") + line.getAttribute("y1"))).size""")).isEqualTo(2);
		assertThat(number(tab, """
				[...document.querySelectorAll("svg text")].filter((text) => text.textContent === "cut off").length"""))
			.isOne();
	}

	@BrowserTest
	void aNodeWhoseAnswerIsHeldUpHasTheKeySinceItWasAsked(Browser browser) {
		Tab tab = open(browser, seen(0, "", ""), fault(10, "A from node 1", "replies held"), asked(1, "take", 100),
				seen(500, "A for 600 ms", ""), seen(1000, "A for 100 ms", ""));
		double second = number(tab, "document.querySelector('svg').clientWidth - 82");
		assertThat(end(tab, "line[data-fault]") - begin(tab, "[data-holding='node 1']")).isCloseTo(0.9 * second,
				within(NEAR));
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
		tab.click(".drawn summary");
		assertThat(tab.text(".drawn .lab-legend")).contains("Grey");
	}

	@BrowserTest
	@Tag("slow")
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
	@Tag("slow")
	void inChineseTooltipsAndTheReplaySayNothingInEnglish(Browser browser) {
		Tab tab = open(browser, LabWords.of(Locale.CHINESE), event(100, Kind.INVOKE, "A", "acquire", 1, Map.of()),
				returned("A", 200), seen(300, "A", "A"), fault(400, "node 1, node 2", "paused"),
				fault(500, "A to node 1, 2", "replies held"), fault(550, "A", "clock set back by 300 ms"),
				fault(551, "A to node 1", "commands held"), fault(552, "A to node 1", "commands lost"),
				fault(553, "A to node 1", "commands delayed by 30 ms"), fault(554, "node 1", "clock 300 ms ahead"),
				fault(555, "node 1", "clock fast by 9000 millionths"), fault(556, "node 1", "crashed"),
				fault(557, "node 1", "crashed, data lost"), fault(558, "A from node 1", "cut off"),
				fault(559, "node 1", "emptied"), fault(560, "B", "killed"), fault(561, "node 1", "replica promoted"),
				fault(562, "node 1", "replica that hears nothing"), fault(563, "A", "stopped"),
				event(600, Kind.INVOKE, "A", "release", 2, Map.of()),
				event(700, Kind.RETURN, "A", "release", 2, Map.of("outcome", "done")));
		Object told = tab.evaluate("""
				(() => {
				  const told = [...document.querySelectorAll("svg title")].map((one) => one.textContent);
				  for (let step = 0; step < 20; step++) {
				    document.querySelector("[data-replay='back']").click();
				    told.push(document.querySelector(".lab-told").textContent);
				  }
				  return told;
				})()""");
		assertThat((List<?>) Objects.requireNonNull(told)).hasSizeGreaterThan(30)
			.allSatisfy((text) -> assertThat((String) text).doesNotContainPattern("\\b(?!ms\\b)[a-z]{2,}"));
	}

	@BrowserTest
	@Tag("slow")
	void theNumberOfAWriteDoesNotTouchTheNextWrite(Browser browser) {
		Tab tab = open(browser,
				IntStream.rangeClosed(1, 12)
					.mapToObj((number) -> event(number * number * 8L, Kind.RETURN, "A", "write", number,
							Map.of("outcome", "written", "value", String.valueOf(number))))
					.toArray(HistoryEvent[]::new));
		assertThat(tab.count("[data-write]")).isEqualTo(12);
		assertThat(number(tab, """
				[...document.querySelectorAll("svg text")].filter((text) => /^\\d+$/.test(text.textContent)).length"""))
			.isBetween(2.0, 11.0);
		assertThat(number(tab, """
				[...document.querySelectorAll("svg text")].filter((text) => /^\\d+$/.test(text.textContent))
				  .map((text) => text.getBBox())
				  .filter((text) => [...document.querySelectorAll("[data-write]")].map((mark) => mark.getBBox())
				    .some((mark) => mark.x < text.x + text.width && text.x < mark.x + mark.width
				      && mark.y < text.y + text.height - 2 && text.y + 2 < mark.y + mark.height))
				  .length""")).isZero();
	}

	@BrowserTest
	void theNamesOfTwoFaultsOfANodeDoNotOverlap(Browser browser) {
		Tab tab = open(browser, seen(0, "A", "A"), fault(400, "node 1", "paused"), fault(410, "node 1", "cut off"),
				seen(900, "A", "A"));
		assertThat(number(tab, """
				(() => {
				  const names = [...document.querySelectorAll("svg text")]
				    .filter((text) => ["paused", "cut off"].includes(text.textContent)).map((text) => text.getBBox());
				  const [one, other] = names;
				  if (names.length !== 2) return -1;
				  return one.x < other.x + other.width && other.x < one.x + one.width
				    && one.y < other.y + other.height && other.y < one.y + one.height ? 1 : 0;
				})()""")).isZero();
		assertThat(tab.count("[data-fault]")).isEqualTo(2);
	}

	@BrowserTest
	void aRefusalDoesNotCoverTheWriteBeforeIt(Browser browser) {
		Tab tab = open(browser, write(500, "B", "written"), write(501, "A", "refused"), seen(900, "A", "A"));
		assertThat(top(tab, "[data-write='refused']"))
			.isGreaterThanOrEqualTo(top(tab, "[data-write='written']") + height(tab, "[data-write='written']"));
	}

	@BrowserTest
	@Tag("slow")
	void aWrongWriteHasARingAndNotTheEndOfTheRound(Browser browser) {
		Tab tab = open(browser, write(300, "B", "written"), write(600, "A", "written"),
				event(900, Kind.STORE, "store", "after the round", 0, Map.of("value", "1", "writes", "B=1,A=1")));
		assertThat(tab.count("[data-violation='effect']")).isOne();
		assertThat(middle(tab, "[data-violation='effect']")).isCloseTo(middle(tab, "[data-write] ~ [data-write]"),
				within(NEAR));
	}

	@BrowserTest
	void aWrongWriteHasItsRingAtTheTimeOfTheStore(Browser browser) {
		Tab tab = open(browser, write(300, "B", "written"),
				event(600, Kind.RETURN, "A", "write", 600,
						Map.of("outcome", "written", "owner", "A", "value", "1", "fence", "none",
								HistoryEvent.STORED_AT, "450000000")),
				event(600, Kind.INVOKE, "A", "release", 601, Map.of("owner", "A")),
				event(900, Kind.STORE, "store", "after the round", 0, Map.of("value", "1", "writes", "B=1,A=1")));
		assertThat(middle(tab, "[data-violation='effect']")).isCloseTo(middle(tab, "[data-write] ~ [data-write]"),
				within(NEAR));
	}

	@BrowserTest
	void aNodeIsBrokenFromItsCrashUntilItsReplicaIsPromoted(Browser browser) {
		Tab tab = open(browser, seen(0, "A", "A"), fault(100, "node 1", "replica that hears nothing"),
				fault(400, "node 1", "crashed"), fault(700, "node 1", "replica promoted"), seen(1000, "", "A"));
		assertThat(end(tab, "[data-fault='crashed']")).isCloseTo(begin(tab, "[data-fault='replica promoted']"),
				within(NEAR));
		assertThat(number(tab, """
				[...document.querySelectorAll("[data-fault]")].filter((one) => one.getBBox().width > 2).length"""))
			.isOne();
	}

	@BrowserTest
	@Tag("slow")
	void aLockThatDoesNotWaitForTheSecondAnswersShowsNoneBeforeTheyCome(Browser browser) {
		Tab tab = open(browser, seen(0, "", ""),
				event(100, Kind.INVOKE, "A", "acquire", 'A', Map.of(HistoryEvent.HEEDS_SECOND, "false")),
				asked(1, "take", 110), answered(1, "take", 120), asked(2, "expire", 150), returned("A", 155),
				answered(2, "expire", 170), seen(300, "A", ""));
		assertThat(tab.text(".lab-step:nth-child(3)")).contains("asked again, 1 of 1 say yes; this lock ignores that");
		String commands = "document.querySelector('.lab-chip .lab-commands').textContent";
		assertThat(tab.evaluate(commands)).asString().contains("expire → 1");
		tab.evaluate("document.querySelector('.lab-replay input').value = 160");
		tab.evaluate("document.querySelector('.lab-replay input').dispatchEvent(new Event('input'))");
		assertThat(tab.text(".lab-step:nth-child(3)"))
			.contains("asked again, 0 of 1 have answered so far; this lock does not wait for that");
		assertThat(tab.evaluate(commands)).asString().contains("take → 1", "expire → …").doesNotContain("expire → 1");
	}

	@BrowserTest
	void aNodeThatWasAskedTwiceShowsBothAnswers(Browser browser) {
		Tab tab = open(browser, seen(0, "", ""), event(100, Kind.INVOKE, "A", "acquire", 'A', Map.of()),
				asked(1, "take", 110), answered(1, "take", 120), asked(2, "confirm", 150), answered(2, "confirm", 151),
				returned("A", 200), seen(300, "A", ""));
		assertThat(tab.text(".lab-chip")).startsWith("1 ✓ 10 ✓ 1.0");
		assertThat(tab.text(".lab-step:nth-child(3)")).contains("1 of 2 say yes; needed: 2",
				"asked again, 1 of 1 say yes");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theCommandsOfANodeFitOnAPhoneAndSayWhatTheRepliesMean(Browser browser) {
		Tab tab = open(browser, seen(0, "", "", "", "", ""), event(100, Kind.INVOKE, "A", "acquire", 9, Map.of()),
				asked(1, "take", 110), answered(1, "take", 120), returned("A", 200), seen(300, "A", "", "", "", ""));
		tab.evaluate("document.querySelector('.lab-chip').focus()");
		tab.await()
			.that("the commands", (now) -> number(now, "document.querySelector('.lab-commands').clientWidth") > 0);
		assertThat(tab.text(".lab-commands")).contains("take → 1", "the key was free");
		assertThat(tab.evaluate("document.documentElement.scrollWidth <= innerWidth")).isEqualTo(true);
	}

	@BrowserTest
	void theLanesFollowTheWidthOfTheirPlace(Browser browser) {
		Tab tab = open(browser, seen(0, "A", "A"), seen(900, "A", "A"));
		tab.evaluate("document.body.style.width = '300px'");
		tab.await().that("narrower lanes", (now) -> number(now, "document.querySelector('svg').clientWidth") <= 300);
	}

	private static double begin(Tab tab, String shape) {
		return number(tab, "document.querySelector(\"" + shape + "\").getBBox().x");
	}

	private static double top(Tab tab, String shape) {
		return number(tab, "document.querySelector(\"" + shape + "\").getBBox().y");
	}

	private static double height(Tab tab, String shape) {
		return number(tab, "document.querySelector(\"" + shape + "\").getBBox().height");
	}

	private static double middle(Tab tab, String shape) {
		return (begin(tab, shape) + end(tab, shape)) / 2;
	}

	private static double end(Tab tab, String shape) {
		return begin(tab, shape) + number(tab, "document.querySelector(\"" + shape + "\").getBBox().width");
	}

}
