package live.retwis.browser;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The lab in a browser: the user sees a violation when it happens, and breaks nodes by
 * hand.
 */
class LabBrowserTests {

	/**
	 * Longest wait for a run. A run starts six servers and three JVMs for each engine.
	 * They get processor time when nothing else needs it, and other tests do.
	 */
	private static final Duration RUN = Duration.ofMinutes(4);

	private static final int MOST_RUNS = 4;

	private static final String RAW = "[data-lab-engine='raw'] ";

	private static final String OURS = "[data-lab-engine='redisson'] ";

	private static final String OVER = "[data-lab-state='over']";

	private static final Duration PRESS_INTERVAL = Duration.ofSeconds(1);

	/** The field with the token of forms. */
	private static final String TOKEN = "document.querySelector('#act [name=_csrf]')";

	private static final String PAST = "[data-lab-runs] li a";

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	@BeforeAll
	static void start() {
		site = Site.another("--retwis.lab.enabled=true", "--retwis.lab.limit=" + RUN.toSeconds() + "s");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	/**
	 * Also awaits the end of a failed test's run, so that the next test can begin one.
	 */
	@AfterEach
	void awaitTheEnd() {
		Visitor visitor = Visitor.of(site);
		Awaitility.await("the end of the run")
			.atMost(RUN.multipliedBy(2))
			.until(() -> !visitor.get("/lab").body().contains("It is running"));
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void thePageShowsThatRedissonsLockFailsAndOursDoesNot(Browser browser, BrowserKind kind) {
		Tab tab = browser.newTab();
		SiteUser.register(tab, site.url("/"));
		playUntilItComesAbout(tab, "8a");
		assertThat(tab.count(RAW + ".lab-node")).isEqualTo(5);
		assertThat(tab.count(RAW + "[data-fault='replies held']")).isOne();
		assertThat(tab.text(RAW + ".lab-violation")).contains("A and B both had the lock for ");
		assertThat(tab.count("[data-lab-runs] .empty")).as("No runs yet").isZero();
		assertThat(tab.text(RAW + ".lab-result")).contains("Two clients, A and B, held the lock at once for ");
		assertThat(tab.count(RAW + "svg [data-violation]")).isPositive();
		assertThat(tab.text(OURS + ".lab-result")).contains("Never did two clients hold the lock at once.");
		assertThat(tab.evaluate("""
				[...document.querySelectorAll("[data-lab-engine]")].every((panel) => {
				  const held = [...panel.querySelectorAll(".lab-node")]
				    .filter((node) => node.querySelector(".lab-who").textContent !== "–");
				  const bars = [...panel.querySelectorAll(".lab-node > .lab-left")]
				    .filter((bar) => Number(bar.style.getPropertyValue("--left")) > 0);
				  const end = panel.querySelector(".lab-holder").textContent;
				  return bars.length === held.length && end.includes("No node has a key") === (held.length === 0)
				    && !end.includes("?");
				})""")).as("the cards and the sentence of the end agree").isEqualTo(true);
		replays(tab);
		assertThat(tab.count(OURS + ".lab-violation")).isZero();
		assertThat(tab.count(OURS + "svg [data-violation]")).isZero();
		tab.await(RUN).text("[data-status]", "Retwis, sequential: Never did two clients hold the lock at once.");
		pictures(browser, kind, "lab-finished", "/lab", OVER + " .lab-lanes svg");
		tab.clickAndLoad("[data-lab-run] a");
		tab.await().count("[data-lab-round] svg", 2);
		assertThat(tab.count("[data-lab-round] .lab-strip")).isPositive();
		assertThat(tab.texts("details table")).isNotEmpty();
		pictures(browser, kind, "lab-run", tab.url().substring(site.url("").length()), "[data-lab-round] svg");
		pictures(browser, kind, "lab-scenario", "/lab/scenarios/8a", ".lab-form");
	}

	/** Steps through a round by the keyboard, and plays it. */
	private static void replays(Tab tab) {
		String told = RAW + ".lab-told";
		assertThat(tab.text(RAW + ".lab-lacking")).contains("1 Reads the clock");
		tab.click(RAW + "[data-replay='back']");
		tab.await().count(RAW + "svg [data-now]", 1);
		String last = tab.text(told);
		tab.click(RAW + "[data-replay='back']");
		assertThat(tab.text(told)).isNotEqualTo(last);
		tab.click(RAW + "[data-replay='forward']");
		assertThat(tab.text(told)).isEqualTo(last);
		tab.click(RAW + "[data-replay='play']");
		tab.await(RUN)
			.that("the end of the replay",
					(now) -> "false".equals(now.attribute(RAW + "[data-replay='play']", "aria-pressed"))
							&& now.count(RAW + "svg [data-now]") == 0);
	}

	/** The address of the newest of the past runs; empty for none. */
	private static String newestPastRun(Tab tab) {
		String address = (tab.count(PAST) > 0) ? tab.attribute(PAST, "href") : null;
		return (address != null) ? address : "";
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void thePageShowsANodeThatIsPausedByHandAndItsReturn(Browser browser, BrowserKind kind) {
		Tab tab = browser.newTab();
		SiteUser.register(tab, site.url("/"));
		play(tab, "free");
		String node = OURS + "[data-lab-node='3'] ";
		tab.click(node + "[data-lab-act='pause']", RUN);
		tab.await(RUN).text(node + ".lab-state", "Paused");
		tab.await(RUN).count(OURS + "svg [data-fault='paused']", 1);
		tab.click(node + "[data-lab-act='resume']", RUN);
		tab.await(RUN).text(node + ".lab-state", "Up");
		tab.click(OURS + "[data-lab-node='5'] [data-lab-act='cut']", RUN);
		tab.await(RUN).text(OURS + "[data-lab-node='5'] .lab-state", "Cut off");
		pictures(browser, kind, "lab-running", "/lab", OURS + ".lab-lanes svg");
		Tab stranger = browser.newTab();
		stranger.open(site.url("/lab"));
		stranger.await(RUN).count(node + ".lab-state", 1);
		assertThat(stranger.count("[data-lab-act]")).isZero();
		tab.clickAndLoad("[data-lab-stop]");
		tab.await(RUN).count(OVER, 1);
		stranger.await(RUN).count(OVER, 1);
		assertThat(stranger.texts("[data-status]")).singleElement().asString().doesNotContain("node");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aPausedClientThatIsToldToWriteIsRefusedByTheStore(Browser browser, BrowserKind kind) {
		Look look = Look.FEW.get(0);
		Tab tab = look.open(browser, site.url("/"));
		SiteUser.register(tab, site.url("/"));
		tab.open(site.url("/lab"));
		tab.click("input[name='by_hand']");
		tab.fill("#free-lease", "5000");
		tab.clickAndLoad("#lab-free-title ~ form .primary");
		tell(tab, "A", "acquire", "[data-lab-act='write'][aria-disabled='false']");
		tab.click(OURS + ".lab-keep input");
		tell(tab, "A", "pause", "[data-lab-act='resume']");
		awaitTheLock(tab, "B");
		tell(tab, "B", "write", "[data-lab-act='release'][aria-disabled='false']");
		tab.await(RUN).count(OURS + "svg [data-write='written']", 1);
		tell(tab, "B", "release", "[data-lab-act='acquire'][aria-disabled='false']");
		tell(tab, "A", "write", "[data-lab-act='resume']");
		tell(tab, "A", "resume", "[data-lab-act='pause']");
		tab.await(RUN).count(OURS + "svg [data-write='refused']", 1);
		String token = (String) tab.evaluate(TOKEN + ".value");
		tab.evaluate(TOKEN + ".value = 'outdated'");
		tab.click(OURS + "[data-lab-client='C'] [data-lab-act='kill']");
		tab.await().count("[data-lab] > .alert:not([hidden])", 1);
		tab.evaluate(TOKEN + ".value = '" + token + "'");
		tab.click(OURS + "[data-lab-client='C'] [data-lab-act='kill']");
		tab.await(RUN).count(OURS + "[data-lab-client='C'][data-lab-state='gone']", 1);
		tab.await().count("[data-lab] > .alert:not([hidden])", 0);
		assertThat(look.picture(tab, kind, "lab-by-hand")).isEmpty();
		tab.clickAndLoad("[data-lab-stop]");
		tab.await(RUN).count(OVER, 1);
		assertThat(tab.count("[data-lab-act]")).isZero();
	}

	/** Lets a client try for the lock once a second, until it has it. */
	private static void awaitTheLock(Tab tab, String client) {
		String card = OURS + "[data-lab-client='" + client + "'] ";
		AtomicLong pressed = new AtomicLong(System.nanoTime() - PRESS_INTERVAL.toNanos());
		tab.await(RUN).that(client + " has the lock when it is free again", (now) -> {
			boolean has = now.count(card + "[data-lab-act='release'][aria-disabled='false']") > 0;
			if (!has && System.nanoTime() - pressed.get() >= PRESS_INTERVAL.toNanos()) {
				now.click(card + "[data-lab-act='acquire']");
				pressed.set(System.nanoTime());
			}
			return has;
		});
	}

	/** Presses a button of a client, and waits until the client has what it then has. */
	private static void tell(Tab tab, String client, String what, String then) {
		String card = OURS + "[data-lab-client='" + client + "'] ";
		tab.click(card + "[data-lab-act='" + what + "']", RUN);
		tab.await(RUN).that(client + " after " + what, (now) -> now.count(card + then) > 0);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void whatBreaksADesignIsPlayedOnRealNodes(Browser browser, BrowserKind kind) {
		Tab tab = browser.newTab();
		SiteUser.register(tab, site.url("/"));
		tab.open(site.url("/lab/design"));
		tab.click("input[name='release'][value='any-key']");
		tab.clickAndLoad("form[action='/lab/design'] .primary");
		tab.await(RUN).count("form[action='/lab/design/play']", 1);
		tab.await(RUN).count("[data-lab-round] [data-replay='back']", 1);
		assertThat(tab.texts(".lab-found li"))
			.anyMatch((line) -> line.startsWith("DEL also deletes") && line.contains("This is a cause"));
		tellsWhoseKeyIsDeleted(tab);
		String found = tab.url().substring(site.url("").length());
		tab.clickAndLoad("form[action='/lab/design/play'] .primary");
		tab.await(RUN).count(OVER, 1);
		assertThat(tab.text("[data-lab-engine='design'] .lab-result")).contains("on real nodes");
		tellsWhoseKeyIsDeleted(tab);
		pictures(browser, kind, "lab-design-real", "/lab", OVER + " .lab-lanes svg");
		pictures(browser, kind, "lab-design-found", found, "[data-lab-round] svg");
	}

	private static void tellsWhoseKeyIsDeleted(Tab tab) {
		tab.await().that("a turning point at which a key is deleted", (page) -> {
			page.click("[data-replay='turn']");
			return page.text(".lab-told").matches("(?s).*node \\d: \\w has deleted the key of \\w.*");
		});
		assertThat(tab.count(".lab-chip[data-says='other']")).isPositive();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void withoutScriptsARunCanBePlayedAndRead(Browser browser, BrowserKind kind) {
		Tab tab = browser.newTab(TabOptions.phone().withoutJavaScript());
		SiteUser.register(tab, site.url("/"));
		play(tab, "8a");
		tab.await(RUN).that("the violation, after a reload", (page) -> {
			page.reload();
			return page.texts(".lab-violation").stream().anyMatch((text) -> text.contains("both had the lock"));
		});
		tab.await(RUN).that("the end, after a reload", (page) -> {
			page.reload();
			return page.texts("[data-lab-plain]").stream().anyMatch((text) -> text.contains("It has finished."));
		});
		assertThat(tab.evaluate("document.documentElement.scrollWidth <= innerWidth")).isEqualTo(true);
		tab.screenshot(Look.folder(kind).resolve("lab-plain-390-light-en.png"));
		tab.clickAndLoad("[data-lab-plain] a");
		// On a busy machine the situation may not come about for the other engine.
		assertThat(tab.texts(".lab-result")).hasSize(2)
			.anySatisfy((sentences) -> assertThat(sentences).contains("held the lock at once")
				.endsWith("That is what this scenario shows."));
		assertThat(tab.texts(".lab-plain-steps").get(0)).contains("1 Reads the clock", "✗");
		tab.click("details summary");
		assertThat(tab.text("details table")).contains("replies held");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aLessonIsPredictedRevealedAndReplayed(Browser browser, BrowserKind kind) {
		Tab tab = browser.newTab();
		tab.open(site.url("/lab/course"));
		tab.clickAndLoad(".lab-lessons li:last-child a");
		tab.click("input[name='answer'][value='b']");
		tab.clickAndLoad(".lab-form .primary");
		assertThat(tab.text("main")).contains("It was not so.", "Two clients, A and B, held the lock at once");
		tab.await().count("[data-lab-round] .lab-strip", 2);
		assertThat(tab.evaluate("""
				(() => {
				  const left = () => [...document.querySelectorAll(".lab-step .lab-left")]
				    .map((bar) => Number(bar.style.getPropertyValue("--left")));
				  const seen = [left()];
				  for (let step = 0; step < 40; step++) {
				    document.querySelector("[data-replay='back']").click();
				    seen.push(left());
				  }
				  document.querySelector("[data-replay='forward']").focus();
				  for (let step = 1; step < 40; step++) document.querySelector("[data-replay='forward']").click();
				  const first = seen.map((bars) => bars[0]).filter((bar) => bar !== undefined);
				  return first.every((bar, at) => at === 0 || bar >= first[at - 1]) && first.at(-1) > first[0];
				})()""")).as("the time left is a bar that shrinks").isEqualTo(true);
		assertThat(tab.count(".lab-lacking")).isPositive();
		tab.click("[data-replay='back']");
		tab.await().count("svg [data-now]", 1);
		pictures(browser, kind, "lab-lesson", "/lab/course/reply?answer=b", "[data-lab-round] svg");
	}

	/** Chooses engines on the page of the scenario. */
	private static void play(Tab tab, String scenario) {
		tab.open(site.url("/lab/scenarios/" + scenario));
		tab.clickAndLoad(".lab-form .primary");
		assertThat(tab.url()).endsWith("/lab#live");
	}

	/**
	 * Plays a scenario until its situation comes about for both engines. A machine that
	 * has no time left may miss it, and such a run shows nothing.
	 */
	private static void playUntilItComesAbout(Tab tab, String scenario) {
		for (int run = 1;; run++) {
			play(tab, scenario);
			String before = newestPastRun(tab);
			tab.await(RUN).count(OVER, 1);
			tab.await().that("the run among the past ones", (now) -> !newestPastRun(now).equals(before));
			List<String> results = tab.texts(".lab-result");
			if (results.stream().noneMatch((result) -> result.contains("The situation did not come about"))) {
				return;
			}
			assertThat(run).as(results.toString()).isLessThan(MOST_RUNS);
		}
	}

	private static void pictures(Browser browser, BrowserKind kind, String page, String path, String shown) {
		for (Look look : Look.FEW) {
			Tab tab = look.open(browser, site.url(path));
			tab.await(RUN).that(shown, (one) -> one.count(shown) > 0);
			assertThat(look.picture(tab, kind, page)).isEmpty();
			tab.close();
		}
	}

}
