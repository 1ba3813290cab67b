package live.retwis.browser;

import java.util.Objects;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static live.retwis.browser.SentTexts.ANSWERS;
import static live.retwis.browser.SentTexts.NO_TIMERS;
import static live.retwis.browser.SentTexts.WAITING;
import static live.retwis.browser.SentTexts.send;
import static org.assertj.core.api.Assertions.assertThat;

/** A log-out while a text has not been sent yet. */
class LogOutWithWaitingTextBrowserTests {

	private static final String LOGOUT = "button[formaction='/logout']";

	private static final String PLACES_IN_BAR = """
			[...document.querySelectorAll(".bar nav > *, .bar .search")]
				.map((part) => Math.round(part.getBoundingClientRect().x)).join()""";

	private final Site site = Site.shared();

	private Tab home(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		user.awaitLive();
		return user.tab();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aLogOutAsksWhileATextWaits(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWERS.formatted("new Promise(() => {})"));
		send(tab, "not sent yet");
		tab.await().count(".outgoing", 1);
		tab.click(LOGOUT);
		tab.await().text(LOGOUT, "Lose text?");
		assertThat(tab.evaluate(WAITING)).isEqualTo(1L);
		tab.await().count(LOGOUT + "[data-armed]", 1);
		tab.clickAndLoad(LOGOUT);
		assertThat(tab.evaluate(WAITING)).isEqualTo(0L);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theQuestionOfTheLogOutLeavesTheRestOfTheBarWhereItIs(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWERS.formatted("new Promise(() => {})"));
		send(tab, "not sent yet");
		tab.await().count(".outgoing", 1);
		Object before = tab.evaluate(PLACES_IN_BAR);
		tab.click(LOGOUT);
		tab.await().count(LOGOUT + "[data-asks]", 1);
		assertThat(tab.evaluate(PLACES_IN_BAR)).isEqualTo(before);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextThatWaitsDoesNotTakeTheBrowserAwayFromALogOut(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(NO_TIMERS);
		tab.evaluate(ANSWERS.formatted("new Promise((answer) => window.one = answer)"));
		send(tab, "not sent yet");
		tab.await().count(".outgoing", 1);
		tab.evaluate("""
				HTMLFormElement.prototype.submit = () => window.sent = true;
				document.addEventListener("submit", (event) => event.preventDefault());
				document.querySelector("%s").form.requestSubmit(document.querySelector("%s"));
				one(new Response("", { status: 401 }));
				void 0""".formatted(LOGOUT, LOGOUT));
		tab.await()
			.that("waits or leaves", (page) -> page.text(".outgoing").contains("Not sent yet.")
					|| Objects.equals(page.evaluate("window.sent"), true));
		assertThat(tab.evaluate("window.sent ?? false")).isEqualTo(false);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aLogOutNeitherAsksForNorLosesTheTextsOfAnotherUserOfTheTab(Browser browser) {
		SiteUser first = SiteUser.register(browser.newTab(), this.site.url("/"));
		first.awaitLive();
		first.tab().evaluate(ANSWERS.formatted("new Promise(() => {})"));
		send(first.tab(), "not sent yet");
		first.tab().await().count(".outgoing", 1);
		Visitor elsewhere = Visitor.signedIn(this.site, first.name());
		elsewhere.get("/home");
		elsewhere.submit("/logout");
		Tab tab = SiteUser.register(first.tab(), this.site.url("/")).tab();
		tab.clickAndLoad(LOGOUT);
		assertThat(tab.evaluate(WAITING)).isEqualTo(1L);
		SiteUser.login(tab, this.site.url("/"), first.name());
		tab.await().text("article.post .post-body", "not sent yet");
	}

}
