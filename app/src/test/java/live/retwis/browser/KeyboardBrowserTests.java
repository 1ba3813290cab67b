package live.retwis.browser;

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

	@BrowserTest
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

}
