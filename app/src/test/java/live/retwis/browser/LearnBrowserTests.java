package live.retwis.browser;

import java.util.ArrayList;
import java.util.List;

import live.retwis.testing.Site;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A chapter in a browser: its experiment is played step by step.
 */
class LearnBrowserTests {

	private static final String SHOWN = "[data-learn] > li:not([hidden])";

	private static final String STEP = "[data-learn-control='step']";

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	@BeforeAll
	static void start() {
		site = Site.another("--retwis.learn.enabled=true");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void anExperimentIsPlayedAndGoneThroughStepByStep(Browser browser, BrowserKind kind) {
		Tab tab = browser.newTab();
		SiteUser.register(tab, site.url("/"));
		tab.open(site.url("/learn/atomicity"));
		tab.clickAndLoad("#experiment .primary");
		assertThat(tab.url()).contains("/learn/atomicity?run=");
		int all = tab.count("[data-learn] > li");
		assertThat(tab.count(SHOWN)).as("all steps where little motion is wanted").isEqualTo(all);
		assertThat(tab.text("[data-learn]")).contains("One was lost.", "Refused: nil.");
		tab.click(STEP);
		tab.await().count(SHOWN, 1);
		tab.click(STEP);
		tab.await().count(SHOWN, 2);
		tab.click("[data-learn-control='play']");
		tab.await().that("one more", (now) -> now.count(SHOWN) >= 3);
		tab.click("[data-learn-control='pause']");
		assertThat(tab.count(SHOWN)).isLessThan(all);
		tab.click("[data-learn-control='all']");
		tab.await().count(SHOWN, all);
		tab.click(".learn-question summary");
		tab.await().text(".learn-question[open]", "With WATCH the loser has to try again");
	}

	/** The browsers of the tests ask for little motion, so this one says otherwise. */
	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void inSlowMotionTheStepsComeByThemselvesUntilPaused(Browser browser, BrowserKind kind) {
		Tab tab = browser.newTab();
		SiteUser.register(tab, site.url("/"));
		tab.beforeScripts("() => { window.matchMedia = () => ({ matches: false, addEventListener() {} }); }");
		tab.open(site.url("/learn/strings"));
		tab.clickAndLoad("#experiment .primary");
		assertThat(tab.count(SHOWN)).isBetween(1, 6);
		int before = tab.count(SHOWN);
		tab.await().that("one more", (now) -> now.count(SHOWN) > before);
		tab.click("[data-learn-control='pause']");
		assertThat(tab.count(SHOWN)).isLessThan(7);
		tab.await().count("[data-learn-control='play']", 1);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theChaptersAreFitForEveryReaderAndWindow(Browser browser, BrowserKind kind) {
		List<String> wrong = new ArrayList<>();
		for (Look look : Look.FEW) {
			Tab tab = look.open(browser, site.url("/timeline"));
			SiteUser.register(tab, site.url("/"));
			tab.open(site.url("/learn"));
			wrong.addAll(look.picture(tab, kind, "learn"));
			tab.open(site.url("/learn/persistence"));
			tab.clickAndLoad("#experiment .primary");
			tab.click("[data-learn-control='all']");
			wrong.addAll(look.picture(tab, kind, "learn-persistence"));
			tab.open(site.url("/learn/sharding"));
			wrong.addAll(look.picture(tab, kind, "learn-sharding"));
			tab.close();
		}
		assertThat(wrong).isEmpty();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void withoutScriptsTheWholeTranscriptIsThere(Browser browser, BrowserKind kind) {
		Tab tab = browser.newTab(TabOptions.phone().withoutJavaScript());
		SiteUser.register(tab, site.url("/"));
		tab.open(site.url("/learn/strings"));
		tab.clickAndLoad("#experiment .primary");
		assertThat(tab.count(SHOWN)).isEqualTo(7);
		assertThat(tab.count(".learn-controls")).isZero();
	}

}
