package live.retwis.browser;

import live.retwis.browser.Input.Key;
import live.retwis.testing.Site;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/** The question that a button asks before it deletes something. */
class ConfirmBrowserTests {

	private static final String DELETE = "article button.danger";

	private static final String ASKS = DELETE + "[data-asks]";

	private static final String FAST = """
			window.wait = ((real) => (ms) => new Promise((over) => real(over, ms)))(setTimeout);
			void (window.setTimeout = ((real) => (task, ms) => real(task, ms / 100))(setTimeout))""";

	private final Site site = Site.shared();

	private static void ask(Tab tab) {
		tab.click(DELETE);
		tab.await().text(ASKS + "[data-armed]", "Delete?");
	}

	private static void assertAsksNoMore(Tab tab) {
		tab.await().count(ASKS, 0);
		assertThat(tab.text(DELETE)).isEqualTo("Delete");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aQuestionStaysUntilTheReaderTurnsToSomethingElse(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = user.tab();
		user.awaitLive();
		user.post("stays");
		tab.await().count(DELETE, 1);
		tab.evaluate(FAST);
		ask(tab);
		tab.evaluate("wait(100)");
		assertThat(tab.count(ASKS)).as("after ten seconds").isOne();
		tab.click("#feed-title");
		assertAsksNoMore(tab);
		ask(tab);
		tab.press(Key.ESCAPE);
		assertAsksNoMore(tab);
		ask(tab);
		tab.press(Key.TAB);
		assertAsksNoMore(tab);
		ask(tab);
		tab.clickAndLoad(DELETE);
		assertThat(tab.count("article")).isZero();
	}

}
