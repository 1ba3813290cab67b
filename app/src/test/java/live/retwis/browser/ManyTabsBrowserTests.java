package live.retwis.browser;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many pages in one browser, which opens at most six connections to a host.
 */
class ManyTabsBrowserTests {

	private static final String OPEN = "[data-live-state='open']";

	private static final Duration MOMENT = Duration.ofSeconds(5);

	/** On this page thirty seconds pass in half a second. */
	private static final String HASTE = """
			() => {
				const real = window.setTimeout;
				window.setTimeout = (task, ms, ...rest) => real(task, ms === 30_000 ? 500 : ms, ...rest);
			}""";

	private final Site site = Site.shared();

	private final Visitor alice = Visitor.registered(this.site);

	private final String page = this.site.url("/@" + this.alice.name());

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aThirteenthTabLoadsAndTheVisibleTabIsLive(Browser browser) {
		Tab first = browser.newTab();
		List<Tab> tabs = new ArrayList<>(List.of(first));
		first.open(this.page);
		while (tabs.size() < 12) {
			first.await().count(OPEN, 1);
			Tab next = first.beside();
			next.open(this.page);
			next.await().count(OPEN, 1);
			tabs.add(next);
			first = next;
		}
		Tab thirteenth = first.beside();
		long asked = System.nanoTime();
		thirteenth.open(this.page);
		assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(MOMENT);
		thirteenth.await().count(OPEN, 1);
		String post = this.alice.post("to whoever looks");
		thirteenth.await().count(SiteUser.article(post), 1);
		tabs.forEach((tab) -> tab.await().count("[data-live-state='resting']", 1));
		assertThat(tabs).allMatch((tab) -> tab.count(SiteUser.article(post)) == 0);
		tabs.get(0).activate();
		tabs.get(0).await().count(SiteUser.article(post), 1);
		thirteenth.await().count("[data-live-state='resting']", 1);
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void theLastFourOfSevenVisibleWindowsAreLiveAndAnEighthLoads(Browser browser) {
		Tab first = browser.newTab();
		List<Tab> windows = new ArrayList<>(List.of(first));
		first.open(this.page);
		while (windows.size() < 7) {
			Tab next = first.window();
			next.open(this.page);
			next.await().count(OPEN, 1);
			windows.add(next);
		}
		windows.subList(0, 3).forEach((window) -> window.await().count("[data-live-state='resting']", 1));
		String post = this.alice.post("to the last four");
		windows.subList(3, 7).forEach((window) -> window.await().count(SiteUser.article(post), 1));
		assertThat(first.text(".live-mark")).isEqualTo("Idle");
		first.evaluate("dispatchEvent(new Event('focus'))");
		first.await().count(SiteUser.article(post), 1);
		windows.get(3).await().count("[data-live-state='resting']", 1);
		windows.get(6).evaluate("location.assign('/login')");
		windows.get(3).await().count(OPEN, 1);
	}

	@BrowserTest
	@Tag("slow")
	void aHiddenTabClosesItsStreamAfterHalfAMinuteAndResumesWhenItIsShown(Browser browser) {
		Tab tab = browser.newTab();
		tab.beforeScripts(HASTE);
		tab.open(this.page);
		tab.await().count(OPEN, 1);
		Tab other = tab.beside();
		assertThat(tab.evaluate("document.visibilityState")).isEqualTo("hidden");
		tab.await().count("[data-live-state='resting']", 1);
		String missed = this.alice.post("while nobody looked");
		other.await().count("article", 0);
		tab.activate();
		tab.await().count(SiteUser.article(missed), 1);
		tab.await().text(".live-mark", "Live");
	}

}
