package live.retwis.browser;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/** Forms that leave the page, and people who click twice. */
class SubmitOnceBrowserTests {

	/** Counts the forms that leave the page, and keeps the page. */
	private static final String COUNTED = """
			void addEventListener("submit", (event) => {
				window.left = (window.left ?? 0) + (event.defaultPrevented ? 0 : 1);
				event.preventDefault();
			})""";

	private final Site site = Site.shared();

	@BrowserTest
	@Tag("slow")
	void aSecondClickOnAFormThatLeavesThePageDoesNothing(Browser browser) {
		Tab tab = browser.newTab();
		tab.open(this.site.url("/register"));
		tab.evaluate(COUNTED);
		tab.fill("#register-username", Visitor.freshName());
		tab.fill("#register-password", "correct horse battery");
		tab.fill("#register-password2", "correct horse battery");
		tab.click("button.primary");
		tab.await().count("button[aria-busy]", 1);
		tab.click("button.primary");
		assertThat(tab.evaluate("window.left")).isEqualTo(1L);

		tab.evaluate("void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
		tab.click("button.primary");
		assertThat(tab.evaluate("window.left")).as("after the reader has come back").isEqualTo(2L);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aSecondClickOnPostAsksForNoFurtherText(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = user.tab();
		user.awaitLive();
		tab.fill("#compose-body", "once");
		tab.evaluate("""
				window.asked = 0;
				document.querySelector("#compose-body").addEventListener("invalid", () => asked++);
				for (const detail of [1, 2]) {
					document.querySelector("form.compose .primary")
						.dispatchEvent(new MouseEvent("click", { detail, bubbles: true, cancelable: true }));
				}
				for (let i = 0; i < 2; i++) {
					document.querySelector("#compose-body").dispatchEvent(new KeyboardEvent("keydown",
						{ key: "Enter", ctrlKey: true, repeat: true, bubbles: true, cancelable: true }));
				}
				void 0""");
		tab.await().text("article .post-body", "once");
		assertThat(tab.evaluate("asked")).isEqualTo(0L);
	}

}
