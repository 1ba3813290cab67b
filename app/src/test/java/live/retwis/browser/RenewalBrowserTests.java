package live.retwis.browser;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/** Parts that an open page gets from another copy of itself or of another page. */
class RenewalBrowserTests {

	/** Keeps the streams of the page, which mends itself after the shortest delay. */
	private static final String STREAMS = """
			() => {
				Math.random = () => 0;
				const Real = window.EventSource;
				window.EventSource = class extends Real {
					constructor(...how) {
						super(...how);
						this.addEventListener("position", () => (window.stream = this));
					}
				};
			}""";

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final String post = this.author.post("hello");

	private final String article = SiteUser.article(this.post);

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aPageThatMendsItselfShowsNewNamesAndPictures(Browser browser) {
		for (String path : new String[] { "/@" + this.author.name(), "/posts/" + this.post + "/likes" }) {
			Tab tab = browser.newTab();
			tab.beforeScripts(STREAMS);
			tab.open(this.site.url(path));
			tab.await().that("a stream", (page) -> Boolean.TRUE.equals(page.evaluate("'stream' in window")));
			tab.evaluate("""
					document.querySelector("%1$s .name").textContent = "an old name";
					document.querySelector("%1$s .avatar").textContent = "?";
					stream.dispatchEvent(new MessageEvent("reset"));
					void 0""".formatted(this.article));
			tab.await().noText(this.article + " header", "an old name");
			assertThat(tab.text(this.article + " .avatar")).isEqualToIgnoringCase(this.author.name().substring(0, 1));
			tab.close();
		}
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyFormHasTheLanguageOfItsPageThoughAnotherTabHasChosenAnother(Browser browser) {
		SiteUser reader = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = reader.tab();
		tab.open(this.site.url("/@" + this.author.name()));
		Tab other = tab.window();
		other.open(this.site.url("/home?lang=zh"));
		tab.click(this.article + " a.reply");
		tab.await().text("form[data-reply-in-place] .primary", "Reply");
		other.open(this.site.url("/home"));
		assertThat(other.attribute("html", "lang")).as("the choice stays").isEqualTo("zh");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aListThatHasLostItsLastPostSaysThatItIsEmptyAndKeepsTheFocus(Browser browser) {
		SiteUser reader = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = reader.tab();
		reader.awaitLive();
		String empty = tab.text("[data-live-empty]");
		reader.post("the only one");
		assertThat(tab.count("[data-live-empty]:not([hidden])")).isZero();
		tab.click("article button.danger");
		tab.await().count("article button.danger[data-armed]", 1);
		tab.evaluate("""
				fetch(document.activeElement.formAction, { method: "POST",
					body: new URLSearchParams(new FormData(document.querySelector("#act"))) }).then(() => 0)""");
		tab.await().count("article", 0);
		assertThat(tab.text("[data-live-empty]")).isEqualTo(empty);
		assertThat(tab.evaluate("document.activeElement.id")).isEqualTo("feed-title");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aListSaysThatItIsEmptyWhenItsLastPostIsDeleted(Browser browser) {
		Visitor author = Visitor.registered(this.site);
		String post = author.post("the only one");
		Tab tab = browser.newTab();
		tab.open(this.site.url("/@" + author.name()));
		tab.await().count("[data-live-state='open']", 1);
		assertThat(tab.count("[data-live-empty][hidden]")).isOne();
		author.submit("/posts/" + post + "/delete");
		tab.await().count("[data-live-empty]:not([hidden])", 1);
		String next = author.post("the next one");
		tab.await().count(SiteUser.article(next), 1);
		assertThat(tab.count("[data-live-empty][hidden]")).isOne();
	}

}
