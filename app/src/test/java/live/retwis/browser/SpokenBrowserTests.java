package live.retwis.browser;

import java.util.List;
import java.util.Objects;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static live.retwis.browser.SentTexts.ANSWERS;
import static live.retwis.browser.SentTexts.BUSY;
import static live.retwis.browser.SentTexts.FAST;
import static live.retwis.browser.SentTexts.send;
import static org.assertj.core.api.Assertions.assertThat;

/** What a screen reader says of what happens by itself. */
class SpokenBrowserTests {

	/**
	 * Makes the page's timers fast but for those of a minute, and records what is said.
	 */
	private static final String LISTEN = """
			window.said = [];
			new MutationObserver(() => said.push(document.querySelector("[data-status]").textContent))
				.observe(document.querySelector("[data-status]"), { childList: true });
			window.minute = [];
			void (window.setTimeout = ((real) => (task, ms) => {
				if (ms === 60_000) minute.push(task);
				else return real(task, ms / 100);
			})(setTimeout))""";

	private static final String SAID = "said.join('|')";

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private Tab profile(Browser browser) {
		Tab tab = browser.newTab(new TabOptions(1280, 400, false, true));
		tab.open(this.site.url("/@" + this.author.name()));
		tab.await().count("[data-live-state='open']", 1);
		tab.evaluate(LISTEN);
		return tab;
	}

	@BrowserTest
	@Tag("slow")
	void newPostsAtTheTopAreSaidOnceAMinute(Browser browser) {
		Tab tab = profile(browser);
		for (int i = 0; i < 3; i++) {
			String post = this.author.post("post " + i);
			tab.await().count(SiteUser.article(post), 1);
		}
		tab.await().that("the first", (page) -> Objects.equals(page.evaluate(SAID), "1 new post"));
		tab.evaluate("void minute.shift()()");
		tab.await().that("the others", (page) -> Objects.equals(page.evaluate(SAID), "1 new post|2 new posts"));
		tab.evaluate("void minute.shift()()");
		assertThat(tab.evaluate(SAID)).as("nothing came since").isEqualTo("1 new post|2 new posts");
	}

	@BrowserTest
	@Tag("slow")
	void postsThatWaitAreSaidWhenTheyAreTwiceAsMany(Browser browser) {
		for (int i = 0; i < 8; i++) {
			this.author.post("before " + i);
		}
		Tab tab = profile(browser);
		tab.evaluate("scrollTo({ top: 300, behavior: 'instant' })");
		for (int i = 1; i < 6; i++) {
			this.author.post("waits " + i);
			tab.await().text(".live-new", (i == 1) ? "1 new post" : i + " new posts");
			tab.evaluate("new Promise((over) => setTimeout(over, 6_000))");
		}
		assertThat(tab.evaluate(SAID)).isEqualTo("1 new post|2 new posts|4 new posts");
	}

	@BrowserTest
	@Tag("slow")
	void aStreamThatIsLostAndComesBackIsSaid(Browser browser) {
		Tab tab = profile(browser);
		tab.evaluate("window.Real = EventSource; void (window.EventSource = class extends EventTarget { close() {} })");
		tab.evaluate("void dispatchEvent(new Event('offline'))");
		tab.await().that("lost", (page) -> Objects.equals(page.evaluate(SAID), "Reconnecting…"));
		tab.evaluate("void (window.EventSource = Real)");
		tab.evaluate("void dispatchEvent(new Event('online'))");
		tab.await().that("back", (page) -> Objects.equals(page.evaluate(SAID), "Reconnecting…|Live"));
	}

	@BrowserTest
	@Tag("slow")
	void aPostThatTheReaderHasNotLikedSaysSo(Browser browser) {
		String post = SiteUser.article(this.author.post("neither nor"));
		Tab tab = SiteUser.register(browser.newTab(), this.site.url("/")).tab();
		tab.open(this.site.url("/@" + this.author.name()));
		tab.await().count(post + " :is(.like, .repost)[aria-pressed='false']", 2);
		tab.click(post + " .like");
		tab.await().count(post + " .like[aria-pressed='true']:not([data-sending])", 1);
		tab.reload();
		tab.await().count(post + " .like[aria-pressed='true']", 1);
	}

	@BrowserTest
	@Tag("slow")
	void theFirstPostThatWaitsIsSaidEachTime(Browser browser) {
		for (int i = 0; i < 8; i++) {
			this.author.post("before " + i);
		}
		Tab tab = profile(browser);
		for (String said : List.of("1 new post", "1 new post|1 new post")) {
			tab.evaluate("scrollTo({ top: 300, behavior: 'instant' })");
			this.author.post("waits");
			tab.await().text(".live-new", "1 new post");
			tab.await().that(said, (page) -> Objects.equals(page.evaluate(SAID), said));
			tab.evaluate("void document.querySelector('.live-new').click()");
			tab.await().count(".live-new[hidden]", 1);
		}
	}

	@BrowserTest
	@Tag("slow")
	void aStreamThatIsLostAndPausedAndComesBackIsSaid(Browser browser) {
		Tab tab = profile(browser);
		tab.evaluate("window.Real = EventSource; void (window.EventSource = class extends EventTarget { close() {} })");
		tab.evaluate("void dispatchEvent(new Event('offline'))");
		tab.await().that("lost", (page) -> Objects.equals(page.evaluate(SAID), "Reconnecting…"));
		tab.click(".live-controls button");
		tab.await().count("[data-live-state='paused']", 1);
		tab.evaluate("void (window.EventSource = Real)");
		tab.click(".live-controls button");
		tab.await().that("back", (page) -> Objects.equals(page.evaluate(SAID), "Reconnecting…|Live"));
	}

	private Tab home(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		user.awaitLive();
		return user.tab();
	}

	@BrowserTest
	@Tag("slow")
	void aScreenReaderIsToldThatATextWaitsAndThatItIsSent(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(FAST);
		tab.evaluate("""
				window.said = [];
				new MutationObserver(() => said.push(document.querySelector("[data-status]").textContent))
					.observe(document.querySelector("[data-status]"), { childList: true });
				void 0""");
		tab.evaluate(ANSWERS.formatted(BUSY + ", " + BUSY));
		send(tab, "said aloud");
		tab.await()
			.that("what is said", (page) -> Objects.equals(page.evaluate("said.join('|')"),
					"Not sent yet. It is tried again by itself.|Sent."));
	}

}
