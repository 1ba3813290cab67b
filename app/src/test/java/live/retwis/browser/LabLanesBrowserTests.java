package live.retwis.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
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
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
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

	/** At a quarter and at a twentieth of the speed, with motion. */
	@BrowserTest
	@Tag("slow")
	void aReplayInSlowMotionGoesOnWithTheTimeUntilItIsPaused(Browser browser) {
		Tab tab = browser.newTab(TabOptions.phone());
		tab.beforeScripts("() => { window.matchMedia = () => ({ matches: false, addEventListener() {} }); }");
		show(tab, LabWords.ENGLISH, event(100, Kind.INVOKE, "A", "acquire", 9, Map.of()), returned("A", 200),
				seen(120_000, "A", "A"));
		tab.click("[data-replay='play']");
		assertThat(speed(tab)).isCloseTo(0.25, within(0.05));
		tab.evaluate("void (document.querySelector('.lab-replay select').value = '0.05')");
		assertThat(speed(tab)).isCloseTo(0.05, within(0.02));
		tab.click("[data-replay='play']");
		assertThat(tab.attribute("[data-replay='play']", "aria-pressed")).isEqualTo("false");
		assertThat(speed(tab)).isZero();
	}

	/** How many ms of the round pass in a ms, over a second. */
	private static double speed(Tab tab) {
		tab.evaluate(
				"""
						void (window.measured = new Promise((done) => {
						  const time = () => Number(document.querySelector(".lab-replay input").value);
						  requestAnimationFrame((began) => {
						    const first = time();
						    const look = (now) => now - began < 1000 ? requestAnimationFrame(look) : done((time() - first) / (now - began));
						    requestAnimationFrame(look);
						  });
						}).then((speed) => { window.speed = speed; }))""");
		tab.await().that("a second", (now) -> Boolean.TRUE.equals(now.evaluate("window.speed !== undefined")));
		double speed = number(tab, "window.speed");
		tab.evaluate("void (window.speed = undefined)");
		return speed;
	}

	@BrowserTest
	void aRefusalDoesNotCoverTheWriteBeforeIt(Browser browser) {
		Tab tab = open(browser, write(500, "B", "written"), write(501, "A", "refused"), seen(900, "A", "A"));
		assertThat(top(tab, "[data-write='refused']"))
			.isGreaterThanOrEqualTo(top(tab, "[data-write='written']") + height(tab, "[data-write='written']"));
	}

	@BrowserTest
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
	void aReplayDrawsNothingThatIsStillToCome(Browser browser) {
		Tab tab = open(browser, returned("A", 100), seen(200, "A", "A"), fault(300, "node 1", "paused"),
				event(400, Kind.INVOKE, "A", "write", 7, Map.of()),
				event(900, Kind.INVOKE, "A", "release", 8, Map.of()));
		tab.click("[data-replay='back']");
		tab.await().count("[data-now]", 1);
		assertThat(number(tab,
				"""
						Math.max(...[...document.querySelectorAll("svg rect")].map((bar) => bar.getBBox().x + bar.getBBox().width))
						  - document.querySelector("[data-now]").getBBox().x"""))
			.isLessThanOrEqualTo(NEAR);
	}

	@BrowserTest
	void aReplaySaysEachThingOnceAndWhatRedisReplied(Browser browser) {
		Tab tab = open(browser, event(100, Kind.INVOKE, "A", "acquire", 9, Map.of()), asked(1, "take", 110),
				answered(1, "take", 120), returned("A", 200), write(300, "A", "written"),
				event(400, Kind.INVOKE, "A", "release", 2, Map.of()),
				event(500, Kind.RETURN, "A", "release", 2, Map.of("outcome", "done")),
				event(600, Kind.STORE, "store", "after the round", 0, Map.of("value", "1", "writes", "A=1")));
		List<?> told = (List<?>) Objects.requireNonNull(tab.evaluate("""
				(() => {
				  const told = [];
				  for (let step = 0; step < 7; step++) {
				    document.querySelector("[data-replay='back']").click();
				    told.push(document.querySelector(".lab-told").textContent.split(" · ")[1]);
				  }
				  document.querySelector(".lab-replay input").value = 600;
				  document.querySelector(".lab-replay input").dispatchEvent(new Event("input"));
				  told.push(document.querySelector(".lab-told").textContent.split(" · ")[1]);
				  return told;
				})()"""));
		assertThat(told).doesNotHaveDuplicates().hasSize(8);
		assertThat(told.stream().map(String::valueOf)).contains("Node 1 answers A: yes, the key was free (1)",
				"The round is over: the counter in the store is 1");
	}

	@BrowserTest
	void aReplayTellsThatLeasesEndAndGoesToWhatMatters(Browser browser) {
		Tab tab = open(browser, event(100, Kind.INVOKE, "A", "acquire", 'A', Map.of("known as", "id-1, id-2")),
				returned("A", 200), seen(300, "id-1 for 810 ms", "id-2 for 815 ms"), seen(1500, "", ""),
				seen(1600, "", ""));
		assertThat(turningPoints(tab, 3)).asInstanceOf(InstanceOfAssertFactories.LIST)
			.containsExactly("0.200 s · A, trying for the lock: gets the lock",
					"1.115 s · node 1, node 2: the key of A ends, because its lease is over",
					"1.200 s · The time for which A relies on the lock is over");
	}

	@BrowserTest
	void aReplayTellsHowTheStoreKnowsAClientThatReads(Browser browser) {
		Tab tab = open(browser, event(100, Kind.RETURN, "A", "read", 1, Map.of("value", "3", "fence", "owner")),
				event(200, Kind.RETURN, "B", "read", 2, Map.of("value", "4", "fence", "number 2")),
				event(300, Kind.RETURN, "C", "read", 3, Map.of("value", "5", "fence", "none")));
		assertThat(turningPoints(tab, 3)).asInstanceOf(InstanceOfAssertFactories.LIST)
			.containsExactly("0.100 s · A has claimed the store, and reads the counter: 3",
					"0.200 s · B got number 2 from the store, and reads the counter: 4",
					"0.300 s · C reads the counter: 5");
	}

	/** B has the lock because the key on node 1 has ended. */
	@BrowserTest
	void aReplayTellsWhichKeysEndedBeforeAnotherClientGotTheLock(Browser browser) {
		Tab tab = open(browser, event(100, Kind.INVOKE, "A", "acquire", 'A', Map.of("known as", "id-1, id-2")),
				returned("A", 200), seen(300, "id-1 for 810 ms", "id-2 for 815 ms"),
				event(1000, Kind.INVOKE, "B", "acquire", 'B', Map.of("known as", "id-3")), returned("B", 1112),
				seen(1500, "", ""), seen(1600, "", ""));
		assertThat(turningPoints(tab, 4)).asInstanceOf(InstanceOfAssertFactories.LIST)
			.containsExactly("0.200 s · A, trying for the lock: gets the lock",
					"1.110 s · node 1: the key of A ends, because its lease is over",
					"1.112 s · B, trying for the lock: gets the lock",
					"1.115 s · node 2: the key of A ends, because its lease is over");
	}

	/** The answer to B comes last, although the store noted B first. */
	@BrowserTest
	void aReplayTellsWhatTheStoreDidInItsOwnOrder(Browser browser) {
		Tab tab = open(browser,
				event(100, Kind.RETURN, "C", "read", 1,
						Map.of("value", "3", "fence", "number 2", HistoryEvent.STORED_AT, "99000000")),
				event(101, Kind.RETURN, "B", "read", 2,
						Map.of("value", "3", "fence", "number 1", HistoryEvent.STORED_AT, "98000000")),
				event(200, Kind.RETURN, "C", "write", 3,
						Map.of("value", "4", "fence", "number 2", "outcome", "written")),
				event(300, Kind.RETURN, "B", "write", 4,
						Map.of("value", "4", "fence", "number 1", "outcome", "refused")));
		assertThat(turningPoints(tab, 4)).asInstanceOf(InstanceOfAssertFactories.LIST)
			.containsExactly("0.098 s · B got number 1 from the store, and reads the counter: 3",
					"0.099 s · C got number 2 from the store, and reads the counter: 3",
					"0.200 s · C wrote 4: accepted (the store compares numbers; this client has 2)",
					"0.300 s · B wanted to write 4: refused (the store compares numbers; this client has 1)."
							+ " C has written with number 2.");
	}

	@BrowserTest
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
	void aReplayTellsWhichWriteIsReplaced(Browser browser) {
		Tab tab = open(browser, write(100, "A", "written"), write(200, "B", "written"), write(300, "C", "refused"));
		assertThat(turningPoints(tab, 3)).asInstanceOf(InstanceOfAssertFactories.LIST)
			.containsExactly("0.100 s · A wrote 1: accepted (the store compares nothing)",
					"0.200 s · B wrote 1: accepted (the store compares nothing). This replaces the 1 that A wrote.",
					"0.300 s · C wanted to write 1: refused (the store compares nothing)");
	}

	@BrowserTest
	void aReplayTellsTogetherThatTheKeysOfAnotherClientAreDeleted(Browser browser) {
		Tab tab = open(browser, returned("B", 90), deletion(1, "3", 100), deletion(2, "1", 110), deletion(3, "2", 111),
				deleted(1, "3", 120), deleted(2, "1", 130), returned("C", 140), deleted(3, "2", 150));
		assertThat(turningPoints(tab, 4)).asInstanceOf(InstanceOfAssertFactories.LIST)
			.containsExactly("0.090 s · B, trying for the lock: gets the lock",
					"0.130 s · node 1, node 3: A has deleted the key of B",
					"0.140 s · C, trying for the lock: gets the lock",
					"0.150 s · node 1, node 2, node 3: A has deleted the key of B");
	}

	@BrowserTest
	void aReplayTellsThatAKeyEndsByAClockThatRunsFast(Browser browser) {
		Tab tab = open(browser, fault(0, "node 2", "clock fast by 9000 millionths"), returned("A", 200),
				seen(300, "A for 810 ms", "A for 800 ms"), event(1105, Kind.INVOKE, "B", "acquire", 'B', Map.of()),
				returned("B", 1105), seen(1500, "", ""));
		assertThat(turningPoints(tab, 5)).asInstanceOf(InstanceOfAssertFactories.LIST)
			.contains("1.100 s · node 2: the key of A ends, because its lease is over by a clock that runs fast",
					"1.110 s · node 1: the key of A ends, because its lease is over");
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

	private Tab open(Browser browser, HistoryEvent... events) {
		return open(browser, LabWords.ENGLISH, events);
	}

	private Tab open(Browser browser, LabWords words, HistoryEvent... events) {
		Tab tab = browser.newTab(TabOptions.phone());
		show(tab, words, events);
		return tab;
	}

	private void show(Tab tab, LabWords words, HistoryEvent... events) {
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

	/** What the replay tells at its first turning points. */
	private static Object turningPoints(Tab tab, int number) {
		tab.evaluate("document.querySelector('.lab-replay input').value = 0");
		tab.evaluate("document.querySelector('.lab-replay input').dispatchEvent(new Event('input'))");
		return Objects.requireNonNull(tab.evaluate("""
				Array.from({ length: %d }, () => {
				  document.querySelector("[data-replay='turn']").click();
				  return document.querySelector(".lab-told").textContent;
				})""".formatted(number)));
	}

	private static double number(Tab tab, String expression) {
		return ((Number) Objects.requireNonNull(tab.evaluate(expression))).doubleValue();
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

	private static HistoryEvent event(long millis, Kind kind, String subject, String name, long operation,
			Map<String, String> details) {
		return new HistoryEvent(millis * 1_000_000, kind, subject, name, operation, details);
	}

	/**
	 * What the nodes hold, by their numbers: an owner, with or without the time left, or
	 * an empty text for nothing.
	 */
	private static HistoryEvent seen(long millis, String... owners) {
		Map<String, String> details = new HashMap<>();
		IntStream.rangeClosed(1, owners.length)
			.forEach((node) -> details.put("node " + node, owners[node - 1].isEmpty() ? "free"
					: owners[node - 1].contains(" for ") ? owners[node - 1] : owners[node - 1] + " for 5000 ms"));
		return event(millis, Kind.NODES, "", "seen", 0, details);
	}

	private static HistoryEvent fault(long millis, String subject, String name) {
		return event(millis, Kind.INJECT, subject, name, 0, Map.of());
	}

	private static HistoryEvent write(long millis, String client, String outcome) {
		return event(millis, Kind.RETURN, client, "write", millis,
				Map.of("outcome", outcome, "owner", client, "value", "1", "fence", "none"));
	}

	private static HistoryEvent asked(long operation, String what, long millis) {
		return event(millis, Kind.ASKED, "A", what, operation, Map.of("node", "1", "owner", "A", "sent", what));
	}

	private static HistoryEvent answered(long operation, String what, long millis) {
		return event(millis, Kind.ANSWERED, "A", what, operation, Map.of("node", "1", "says", "yes", "reply", "1"));
	}

	/** A asks a node to delete a key, whoever has it. */
	private static HistoryEvent deletion(long operation, String node, long millis) {
		return event(millis, Kind.ASKED, "A", "release", operation,
				Map.of("node", node, "owner", "A", "sent", "DEL lock:name"));
	}

	/** The key was that of B. */
	private static HistoryEvent deleted(long operation, String node, long millis) {
		return event(millis, Kind.ANSWERED, "A", "release", operation,
				Map.of("node", node, "says", "yes", "reply", "1", HistoryEvent.DELETED_OF, "B"));
	}

	private static HistoryEvent returned(String client, long millis) {
		return event(millis, Kind.RETURN, client, "acquire", client.charAt(0), Map.of("outcome", "acquired", "owner",
				client, HistoryEvent.UNTIL, String.valueOf((millis + 1000) * 1_000_000)));
	}

}
