package live.retwis.browser;

import java.util.List;
import java.util.Objects;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a browser loads that sees the site for the first time.
 */
class FirstViewBrowserTests {

	private static final Logger log = LoggerFactory.getLogger(FirstViewBrowserTests.class);

	private static final int MOST_BYTES = 40_000;

	/** What a page waits for until it is live. */
	private static final List<String> NEEDED = List.of("home", "site.css", "site.js");

	/** What it loads beside that: its icon, and the module that loads failed scripts. */
	private static final List<String> BESIDE = List.of("icon.svg", "retry-scripts.js");

	/** Tells when the page is live. */
	private static final String WATCH = """
			() => document.addEventListener("live:state", ({ detail }) => {
				if (detail === "open") window.liveAt ??= performance.now();
			}, { capture: true })""";

	/**
	 * What was loaded, apart from the stream: names, sizes on the wire, and whether
	 * before the page was live.
	 */
	private static final String LOADED = """
			[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
				.filter(({ initiatorType }) => initiatorType !== "eventsource")
				.map(({ name, startTime, encodedBodySize }) => [name.replace(/.*\\//, "").replace(/\\?.*/, ""),
					encodedBodySize + 300, startTime < liveAt])""";

	private final Site site = Site.shared();

	@BrowserTest(BrowserKind.CHROMIUM)
	void homeWithTwentyPostsIsSmallAndNeedsThreeRequests(Browser browser) {
		Visitor ada = Visitor.registered(this.site);
		for (int i = 0; i < 20; i++) {
			ada.post("Post " + i + " about the #engine, which weaves algebraic patterns, @" + ada.name() + ".");
		}
		Tab tab = browser.newTab();
		tab.setCookie("auth", ada.cookie("auth"), "127.0.0.1");
		tab.beforeScripts(WATCH);
		tab.open(this.site.url("/home"));
		tab.await().count("[data-live-state='open']", 1);
		tab.await().count("article", 20);
		tab.await().count("article .like[aria-pressed]", 20);
		List<Load> loads = ((List<?>) Objects.requireNonNull(tab.evaluate(LOADED))).stream().map(Load::of).toList();
		long bytes = loads.stream().mapToLong(Load::bytes).sum();
		log.info("A first view of the home page: {} bytes, {}", bytes, loads);
		assertThat(loads.stream().filter(Load::beforeLive).map(Load::name).filter((name) -> !BESIDE.contains(name)))
			.containsExactlyInAnyOrderElementsOf(NEEDED);
		assertThat(loads).extracting(Load::name).contains("reactions");
		assertThat(bytes).isBetween(5_000L, (long) MOST_BYTES);
	}

	/**
	 * A file that the browser has loaded.
	 *
	 * @param bytes its size on the wire. The headers count 300 bytes, as browsers
	 * estimate them
	 * @param beforeLive whether it was asked for before the page was live
	 */
	private record Load(String name, long bytes, boolean beforeLive) {

		static Load of(Object row) {
			List<?> cells = (List<?>) row;
			return new Load(String.valueOf(cells.get(0)), ((Number) cells.get(1)).longValue(), (Boolean) cells.get(2));
		}

	}

}
