package live.retwis.browser;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import live.retwis.bench.BenchReport;
import live.retwis.locks.nodes.testing.bench.Figure;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * How long a first view takes on a phone's link, in Chromium. Nothing is in its cache.
 * Chromium delays each answer by a round trip, and carries only so many bytes. The time
 * in which a connection opens is not delayed. {@code -Dbench.rounds} (10) is how often
 * each page is opened.
 */
class FirstViewBench {

	/** A good 4G link: 60 ms there and back, 9 Mbit/s. */
	private static final Duration ROUND_TRIP = Duration.ofMillis(60);

	private static final int BYTES_PER_SECOND = 9_000_000 / 8;

	private static final int POSTS = 20;

	/** What the site aims for, in ms of server and network. */
	private static final double AIM = 100;

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("first-view", "A first view on a 4G link", "FirstViewBench");

	/** Notes when the page is live, and what moves. */
	private static final String WATCH = """
			() => {
				globalThis.view = { live: 0, largest: 0, moved: 0 };
				const look = () => {
					if (document.querySelector("[data-live-state='open']")) view.live ||= performance.now();
					else requestAnimationFrame(look);
				};
				look();
				new PerformanceObserver((paints) => { view.largest = paints.getEntries().at(-1).startTime; })
					.observe({ type: "largest-contentful-paint", buffered: true });
				new PerformanceObserver((shifts) => shifts.getEntries().forEach(({ value }) => { view.moved += value; }))
					.observe({ type: "layout-shift", buffered: true });
			}""";

	/** The files are those that the page waits for. */
	private static final String MEASURED = """
			Object.assign(view, {
				first: performance.getEntriesByName("first-contentful-paint")[0].startTime,
				loaded: Math.max(...[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
					.filter(({ entryType, name }) => entryType === "navigation" || /site\\.(css|js)$/.test(name))
					.map(({ responseEnd }) => responseEnd)),
			})""";

	private final Site site = Site.shared();

	private final int rounds = Integer.getInteger("bench.rounds", 10);

	@BrowserTest(BrowserKind.CHROMIUM)
	void firstViews(Browser browser) {
		Visitor ada = Visitor.registered(this.site);
		for (int i = 0; i < POSTS; i++) {
			ada.post("Post " + i + " about the #engine, which weaves algebraic patterns, @" + ada.name() + ".");
		}
		measure(browser, "/@" + ada.name(), "a profile, for a stranger", "");
		measure(browser, "/home", "/home", ada.cookie("auth"));
	}

	private void measure(Browser browser, String path, String name, String session) {
		Map<String, List<Double>> figures = new LinkedHashMap<>();
		for (int i = 0; i <= this.rounds; i++) {
			Tab tab = browser.newTab();
			tab.beforeScripts(WATCH);
			tab.throttle(ROUND_TRIP, BYTES_PER_SECOND);
			if (!session.isEmpty()) {
				tab.setCookie("auth", session, "127.0.0.1");
			}
			tab.open(this.site.url(path));
			tab.await().that("live", (page) -> Boolean.TRUE.equals(page.evaluate("view.live > 0")));
			Map<?, ?> view = (Map<?, ?>) Objects.requireNonNull(tab.evaluate(MEASURED));
			// The first one warms up the site and the browser.
			if (i > 0) {
				view.forEach((what, value) -> figures.computeIfAbsent(what.toString(), (key) -> new ArrayList<>())
					.add(((Number) value).doubleValue()));
			}
			tab.close();
		}
		REPORT.add(of(name + ": page, style and script are there", "ms", figures, "loaded").atMost(AIM));
		REPORT.add(of(name + ": first paint", "ms", figures, "first"));
		REPORT.add(of(name + ": largest paint", "ms", figures, "largest"));
		REPORT.add(of(name + ": live", "ms", figures, "live"));
		REPORT.add(of(name + ": layout shift", "", figures, "moved").neverAbove(0));
	}

	private static Figure of(String name, String unit, Map<String, List<Double>> figures, String what) {
		return Figure.of(name, unit, Objects.requireNonNull(figures.get(what)));
	}

}
