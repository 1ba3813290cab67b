package live.retwis.browser;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.words.LabWords;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** What a replay in the lab tells of a round, and when. */
class LabReplayBrowserTests extends RoundPage {

	/** At a quarter and at a twentieth of the speed, with motion. */
	@BrowserTest
	@Tag("slow")
	@Tag("long")
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
	@Tag("slow")
	@Tag("long")
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

}
