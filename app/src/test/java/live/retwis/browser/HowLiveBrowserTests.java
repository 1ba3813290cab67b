package live.retwis.browser;

import java.util.Map;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a page shows about the delivery of its posts.
 */
class HowLiveBrowserTests {

	private static final Map<String, TabOptions> LOOKS = Map.of("1280-light-en", TabOptions.desktop(), "390-dark-en",
			TabOptions.phone().inTheDark());

	private static final String PANEL = "[data-how-live-panel]";

	private static final String TOP = "document.querySelector('article').getBoundingClientRect().top";

	private static final String HERE = "(?s)This page\\s+\\d+\\s+\\d+\\s+\\d+";

	/**
	 * Delays the answer. The page's estimate of the data node's clock is wrong by half of
	 * the delay.
	 */
	private static final String SLOW_ANSWER = """
			const usual = fetch;
			fetch = (...asked) => new Promise((later) => setTimeout(later, 2000)).then(() => usual(...asked));
			true
			""";

	private final Site site = Site.shared();

	private final Visitor alice = Visitor.registered(this.site);

	private final String instance = this.alice.get("/timeline").header("X-Instance");

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theLinkBesideTheLiveIndicatorShowsTheInstanceAndItsDelays(Browser browser, BrowserKind kind) {
		this.alice.post("was there before");
		LOOKS.forEach((look, options) -> {
			Tab tab = browser.newTab(options);
			tab.open(this.site.url("/@" + this.alice.name()));
			awaitMeasuredPost(tab);
			String post = this.alice.post("comes live, " + look);
			tab.await().count(SiteUser.article(post), 1);
			Object top = tab.evaluate(TOP);
			tab.click("[data-how-live]");
			tab.await().text(PANEL, "live updates from " + this.instance + ".");
			assertThat(tab.texts(PANEL + " tbody tr:first-child")).singleElement()
				.asString()
				.matches("(?s).*" + this.instance + "\\s+\\d+\\s+\\d+\\s+\\d+");
			assertThat(tab.texts(PANEL + " tbody tr:last-child")).singleElement().asString().matches(HERE);
			assertThat(tab.evaluate(TOP)).as("nothing moved").isEqualTo(top);
			assertThat(tab.evaluate("document.documentElement.scrollWidth <= innerWidth")).isEqualTo(true);
			tab.screenshotOfViewport(Look.folder(kind).resolve("how-live-panel-" + look + ".png"));
			tab.click("[data-how-live]");
			tab.await().text("article .post-body", "comes live, " + look);
			assertThat(tab.text(PANEL)).isEmpty();
			tab.close();
		});
	}

	/**
	 * Posts until the page has measured a delay. It leaves out a post that came so soon
	 * after its stream was opened that the clocks cannot tell which was first.
	 */
	private void awaitMeasuredPost(Tab tab) {
		tab.await().count("[data-live-state='open']", 1);
		tab.await().that("a measured post", (page) -> {
			page.await().count(SiteUser.article(this.alice.post("comes live")), 1);
			page.click("[data-how-live]");
			page.await().text(PANEL, "This page");
			boolean measured = String.valueOf(page.texts(PANEL + " tbody tr:last-child").get(0)).matches(HERE);
			page.click("[data-how-live]");
			return measured;
		});
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	void thePageShowsItsOwnDelaysEvenAfterASlowAnswer(Browser browser, BrowserKind kind) {
		Tab tab = browser.newTab(TabOptions.desktop());
		tab.open(this.site.url("/@" + this.alice.name()));
		tab.await().count("[data-live-state='open']", 1);
		String post = this.alice.post("comes live");
		tab.await().count(SiteUser.article(post), 1);
		tab.evaluate(SLOW_ANSWER);
		tab.click("[data-how-live]");
		tab.await().text(PANEL, "live updates from " + this.instance + ".");
		assertThat(tab.texts(PANEL + " tbody tr:last-child")).singleElement().asString().matches(HERE);
		tab.close();
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void withoutScriptsTheLinkLeadsToAPage(Browser browser, BrowserKind kind) {
		this.alice.post("somebody has to");
		LOOKS.forEach((look, options) -> {
			Tab tab = browser.newTab(options.withoutJavaScript());
			tab.open(this.site.url("/timeline"));
			tab.screenshotOfViewport(Look.folder(kind).resolve("timeline-plain-" + look + ".png"));
			tab.clickAndLoad("[data-how-live]");
			assertThat(tab.url()).endsWith("/how-live");
			assertThat(tab.text("h2")).isEqualTo(this.instance);
			assertThat(tab.evaluate("document.documentElement.scrollWidth <= innerWidth")).isEqualTo(true);
			tab.screenshot(Look.folder(kind).resolve("how-live-plain-" + look + ".png"));
			tab.close();
		});
	}

}
