package live.retwis.browser;

import java.util.List;

import live.retwis.browser.Input.Key;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Using the site without a mouse.
 */
class KeyboardBrowserTests {

	private static final String FOCUS_IS_SEEN = """
			(() => {
				const style = getComputedStyle(document.activeElement);
				const box = document.activeElement.getBoundingClientRect();
				return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2
					&& box.width > 0 && box.bottom > 0 && box.top < innerHeight;
			})()""";

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final String post = this.author.post("to be liked");

	private final String article = SiteUser.article(this.post);

	@BrowserTest
	@Tag("slow")
	void theFirstFocusIsALinkThatSkipsTheHeader(Browser browser) {
		Tab tab = browser.newTab();
		tab.open(this.site.url("/"));
		tab.press(Key.TAB);
		assertThat(focused(tab, "className")).isEqualTo("skip");
		assertThat(tab.evaluate("document.activeElement.getBoundingClientRect().top >= 0")).isEqualTo(true);
		tab.press(Key.ENTER);
		tab.await().url("#main");
		tab.press(Key.TAB);
		assertThat(tab.evaluate("document.querySelector('main').contains(document.activeElement)")).isEqualTo(true);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theFocusIsVisibleEverywhere(Browser browser) {
		Tab tab = browser.newTab();
		SiteUser alice = SiteUser.register(tab, this.site.url("/"));
		alice.post("a post with buttons");
		tab.reload();
		alice.awaitLive();
		tab.await().count("article button.danger", 1);
		tab.evaluate("document.activeElement.blur()");
		int stops = 0;
		while (stops < 30) {
			tab.press(Key.TAB);
			if (Boolean.TRUE.equals(tab.evaluate("document.activeElement === document.body"))) {
				break;
			}
			stops++;
			assertThat(tab.evaluate(FOCUS_IS_SEEN)).as("focus on %s", focused(tab, "outerHTML")).isEqualTo(true);
			if (String.valueOf(focused(tab, "textContent")).equals("Delete")) {
				break;
			}
		}
		assertThat(focused(tab, "textContent")).as("the last button of the post").isEqualTo("Delete");
		assertThat(stops).isGreaterThan(8);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aUserCanRegisterAndPostWithTheKeyboardOnly(Browser browser) {
		Tab tab = browser.newTab();
		tab.open(this.site.url("/register"));
		SiteUser alice = new SiteUser(tab, Visitor.freshName());
		tab.fill("#register-username", alice.name());
		tab.fill("#register-password", Visitor.PASSWORD);
		tab.fill("#register-password2", Visitor.PASSWORD);
		tab.press(Key.ENTER);
		tab.await().url("/home");
		tab.fill("#compose-body", "by keys");
		tab.press(Key.TAB);
		tab.press(Key.ENTER);
		tab.await().text("article .post-body", "by keys");
	}

	private static Object focused(Tab tab, String property) {
		return String.valueOf(tab.evaluate("document.activeElement." + property));
	}

	@BrowserTest
	@Tag("slow")
	void theListOfKeysHasANameAndTurnsThemOffAlthoughTheBrowserKeepsNothing(Browser browser) {
		Tab tab = browser.newTab();
		tab.beforeScripts("""
				() => Object.defineProperty(window, "localStorage", { get() { throw new DOMException("none"); } })""");
		tab.open(this.site.url("/timeline"));
		String help = """
				void document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }))""";
		tab.evaluate(help);
		assertThat(tab.text("#" + tab.attribute("dialog", "aria-labelledby"))).isEqualTo("Keys");
		tab.click("dialog button:last-child");
		tab.await().count("dialog", 0);
		tab.evaluate(help);
		assertThat(tab.count("dialog")).isZero();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theListOfTheKeysIsNamedByItsOwnTitle(Browser browser) {
		Tab tab = SiteUser.register(browser.newTab(), this.site.url("/")).tab();
		tab.open(this.site.url("/settings"));
		tab.evaluate("void document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))");
		assertThat(tab.text("dialog h2")).isEqualTo("Keys");
		assertThat(tab.evaluate(
				"""
						document.getElementById(document.querySelector("dialog").getAttribute("aria-labelledby")).textContent"""))
			.isEqualTo("Keys");
	}

	private Tab reader(Browser browser) {
		SiteUser reader = SiteUser.register(browser.newTab(), this.site.url("/"));
		reader.tab().open(this.site.url("/@" + this.author.name()));
		reader.awaitLive();
		return reader.tab();
	}

	private static void press(Tab tab, String key) {
		tab.evaluate("void (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', "
				+ "{ key: '" + key + "', bubbles: true, cancelable: true }))");
	}

	/** Which of the keys the page takes from the browser. */
	private static String takes(Tab tab, String target, String keys, String how) {
		return String.valueOf(tab.evaluate("""
				[..."%s"].filter((key) => !document.querySelector("%s").dispatchEvent(
					new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, %s }))).join("")"""
			.formatted(keys, target, how)));
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void keysGoFromPostToPostLikeAndReplyButNotWhileSomebodyTypes(Browser browser) {
		String newest = this.author.post("the newest");
		Tab reader = reader(browser);
		press(reader, "j");
		assertThat(reader.evaluate("document.activeElement.id")).isEqualTo("post-" + newest);
		press(reader, "j");
		assertThat(reader.evaluate("document.activeElement.id")).isEqualTo("post-" + this.post);
		press(reader, "l");
		reader.await().count(this.article + " button.like[aria-pressed='true']", 1);
		press(reader, "k");
		press(reader, "r");
		reader.await().count(SiteUser.article(newest) + " form[data-reply-in-place]", 1);
		press(reader, "l");
		assertThat(reader.count(SiteUser.article(newest) + " button.like[aria-pressed='true']")).isZero();
		press(reader, "Escape");
		press(reader, "?");
		assertThat(reader.text("dialog h2")).isEqualTo("Keys");
		assertThat(reader.texts("dialog dt")).containsExactly("j", "k", "l", "r", "n", "/", "?", "Ctrl + Enter", "Esc");
		assertThat(reader.texts("dialog dd")).hasSize(9).allMatch((text) -> text.matches("[a-z ]{5,}"));
		reader.click("dialog button");
		reader.await().count("dialog", 0);
		press(reader, "?");
		reader.click("dialog button:last-child");
		press(reader, "?");
		assertThat(reader.count("dialog[open]")).as("the keys are turned off").isZero();
		reader.open(this.site.url("/settings"));
		reader.await().count("[data-keys]:not([hidden]) input:not(:checked)", 1);
		reader.click("[data-keys] input");
		reader.evaluate("document.activeElement.blur()");
		press(reader, "?");
		reader.await().count("dialog", 1);
		reader.click("dialog button");
		reader.open(this.site.url("/notifications"));
		press(reader, "n");
		reader.await()
			.that("the field of the home page", (page) -> page.url().endsWith("/home#new-post")
					&& "compose-body".equals(page.evaluate("document.activeElement.id")));
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void keysAreLeftToFieldsAndToTheBrowser(Browser browser) {
		Tab reader = reader(browser);
		String keys = "jklrn/?";
		reader.fill("[type=search]", keys);
		assertThat(reader.value("[type=search]")).isEqualTo(keys);
		String choice = "document.querySelector('#main').append(document.createElement('select')); void 0";
		for (String page : List.of("/settings", "/home")) {
			reader.open(this.site.url(page));
			reader.evaluate(choice);
			for (String field : List.of("[type=search]", "[type=checkbox]", "[type=file]", "textarea", "select")) {
				if (reader.count(field) > 0) {
					assertThat(takes(reader, field, keys, "")).as("in %s of %s", field, page).isEqualTo("");
				}
			}
			for (String how : List.of("ctrlKey", "metaKey", "altKey", "isComposing")) {
				assertThat(takes(reader, "body", keys, how + ": true")).as(how).isEqualTo("");
			}
			assertThat(reader.count("dialog")).isZero();
			assertThat(takes(reader, "body", "?", "")).as("without a field").isEqualTo("?");
			reader.await().count("dialog", 1);
			reader.click("dialog button");
		}
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theKeyForANewPostDoesNotGoToTheFormOfAReply(Browser browser) {
		Tab reader = reader(browser);
		reader.open(this.site.url("/posts/" + this.post));
		press(reader, "n");
		reader.await()
			.that("the field of the home page", (page) -> page.url().endsWith("/home#new-post")
					&& "compose-body".equals(page.evaluate("document.activeElement.id")));
	}

}
