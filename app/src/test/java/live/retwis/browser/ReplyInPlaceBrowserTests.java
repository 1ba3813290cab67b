package live.retwis.browser;

import java.util.Objects;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/** The form that a click on a post's Reply opens below the post. */
class ReplyInPlaceBrowserTests {

	private static final String FORM = "form[data-reply-in-place]";

	private static final String GONE = "This post is not here any more.";

	/** From now on, the page of a post comes when the test lets it. */
	private static final String HELD = """
			window.fetch = ((ask) => async (address, how) => {
				if (String(address).includes("/posts/")) await new Promise((go) => (window.go = go));
				return ask(address, how);
			})(fetch);
			void 0""";

	private static final String NO_NETWORK = """
			void (window.fetch = () => Promise.reject(new TypeError("no network")))""";

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final String post = this.author.post("answer me");

	private final String article = SiteUser.article(this.post);

	private Tab reader(Browser browser) {
		SiteUser reader = SiteUser.register(browser.newTab(), this.site.url("/"));
		reader.tab().open(this.site.url("/@" + this.author.name()));
		reader.awaitLive();
		return reader.tab();
	}

	private static void openForm(Tab tab, String article) {
		tab.click(article + " a.reply");
		tab.await().count(article + " " + FORM, 1);
	}

	private static void press(Tab tab, String key, String how) {
		tab.evaluate("""
				void document.activeElement.dispatchEvent(new KeyboardEvent("keydown",
					{ key: "%s", %s: true, bubbles: true, cancelable: true }))""".formatted(key, how));
	}

	private void delete(String post) {
		this.author.get("/home");
		assertThat(this.author.submit("/posts/" + post + "/delete").status()).isEqualTo(303);
	}

	@BrowserTest
	void aReplyThatIsShortEnoughIsSentWithControlAndEnter(Browser browser) {
		Tab reader = reader(browser);
		openForm(reader, this.article);
		reader.evaluate("""
				(() => {
					const text = document.activeElement;
					text.value = "x".repeat(281);
					text.dispatchEvent(new Event("input", { bubbles: true }));
				})()""");
		assertThat(reader.texts(FORM + " button:disabled")).containsExactly("Reply");
		reader.fill(FORM + " textarea", "by keys");
		press(reader, "Enter", "ctrlKey");
		reader.await().text(".outgoing .post-body", "by keys");
		reader.await().count(this.article + " a.reply[data-count='1']", 1);
	}

	@BrowserTest
	void theKeyThatEndsACompositionLeavesTheFormOpen(Browser browser) {
		Tab reader = reader(browser);
		openForm(reader, this.article);
		press(reader, "Escape", "isComposing");
		assertThat(reader.count(FORM)).isOne();
		press(reader, "Escape", "bubbles");
		assertThat(reader.count(FORM)).isZero();
	}

	@BrowserTest
	@Tag("slow")
	void aFormStaysUntilAnotherOneIsThere(Browser browser) {
		String other = SiteUser.article(this.author.post("answer me too"));
		Tab reader = reader(browser);
		openForm(reader, this.article);
		reader.fill(FORM + " textarea", "begun");
		reader.evaluate("document.activeElement.blur()");
		reader.click(this.article + " a.reply");
		assertThat(reader.evaluate("document.activeElement.value")).as("the form that is open").isEqualTo("begun");
		reader.evaluate("void (window.real = fetch)");
		reader.evaluate(NO_NETWORK);
		reader.click(other + " a.reply");
		reader.await().text(other + " .problem", "could not be loaded");
		assertThat(reader.value(this.article + " " + FORM + " textarea")).isEqualTo("begun");
		reader.evaluate("void (window.fetch = real)");
		openForm(reader, other);
		assertThat(reader.count(FORM)).isOne();
	}

	@BrowserTest
	void aFormThatComesLateLeavesTheFocusWhereTheReaderTypes(Browser browser) {
		Tab reader = reader(browser);
		reader.evaluate(HELD);
		reader.click(this.article + " a.reply");
		reader.fill(".bar .search input", "meanwhile");
		reader.evaluate("void go()");
		reader.await().count(FORM, 1);
		assertThat(reader.evaluate("document.activeElement.value")).isEqualTo("meanwhile");
	}

	@BrowserTest
	void aFormThatLosesItsPostIsBelowANoticeThatSaysWhy(Browser browser) {
		Tab reader = reader(browser);
		openForm(reader, this.article);
		delete(this.post);
		reader.await().count(this.article, 0);
		reader.await().text(".gone:has(+ " + FORM + ")", GONE);
		reader.await().text("[data-status]", GONE);
	}

	@BrowserTest
	@Tag("slow")
	void thePageOfAPostThatIsDeletedSaysSo(Browser browser) {
		String reply = Objects
			.requireNonNull(this.author.postJson("body", "below it", "once", "once-below-it", "reply_to", this.post)
				.json()
				.at("/posts/0/id")
				.asString());
		Tab reader = browser.newTab();
		reader.open(this.site.url("/posts/" + reply));
		reader.await().count("[data-live-state='open']", 1);
		delete(this.post);
		reader.await().text(".thread .gone", GONE);
		delete(reply);
		reader.await().count(".thread .gone", 2);
		assertThat(reader.texts(".thread .gone")).containsOnly(GONE);
		reader.await().text("[data-status]", GONE);
	}

}
