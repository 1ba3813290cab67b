package live.retwis.browser;

import java.util.List;
import java.util.Map;
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

	/**
	 * The files with their sizes on the wire. The headers count 300 bytes each, as
	 * browsers estimate them. A script adds suggested users when the page is live. Which
	 * of them have a picture depends on the other tests of this site.
	 */
	private static final String LOADED = """
			Object.fromEntries([...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
				.filter(({ initiatorType, name }) => !["fetch", "eventsource"].includes(initiatorType) && !name.includes("/pictures/"))
				.map(({ name, encodedBodySize }) => [name.replace(/.*\\//, ""), encodedBodySize + 300]))""";

	private final Site site = Site.shared();

	@BrowserTest(BrowserKind.CHROMIUM)
	void homeWithTwentyPostsIsSmallAndNeedsThreeRequests(Browser browser) {
		Visitor ada = Visitor.registered(this.site);
		for (int i = 0; i < 20; i++) {
			ada.post("Post " + i + " about the #engine, which weaves algebraic patterns, @" + ada.name() + ".");
		}
		Tab tab = browser.newTab();
		tab.setCookie("auth", ada.cookie("auth"), "127.0.0.1");
		tab.open(this.site.url("/home"));
		tab.await().count("[data-live-state='open']", 1);
		tab.await().count("article", 20);
		Map<?, ?> loaded = (Map<?, ?>) Objects.requireNonNull(tab.evaluate(LOADED));
		long bytes = loaded.values().stream().mapToLong((size) -> ((Number) size).longValue()).sum();
		log.info("A first view of the home page: {} bytes, {}", bytes, loaded);
		assertThat(loaded.keySet().stream().map(String::valueOf).filter((name) -> !BESIDE.contains(name)))
			.containsExactlyInAnyOrderElementsOf(NEEDED);
		assertThat(bytes).isBetween(5_000L, (long) MOST_BYTES);
	}

}
