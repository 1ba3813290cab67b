package live.retwis.browser;

import live.retwis.testing.Site;
import org.junit.jupiter.api.Tag;

import static live.retwis.browser.SentTexts.ANSWERS;
import static live.retwis.browser.SentTexts.NO_TIMERS;
import static live.retwis.browser.SentTexts.ONLINE;
import static live.retwis.browser.SentTexts.REFUSED;
import static live.retwis.browser.SentTexts.SEND;
import static live.retwis.browser.SentTexts.send;
import static org.assertj.core.api.Assertions.assertThat;

/** A text that was sent so long ago that nobody knows whether it was posted. */
class OldTextBrowserTests {

	/** As when the machine has slept for an hour. */
	private static final String HOUR_LATER = "(() => { Date.now = ((now) => () => now() + 3_600_000)(Date.now); })";

	private static final String CLOCK_SET_BACK = HOUR_LATER.replace("+ 3_600_000", "- 3_600_000");

	private final Site site = Site.shared();

	private Tab home(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		user.awaitLive();
		return user.tab();
	}

	@BrowserTest
	@Tag("slow")
	void aTextIsNotSentAgainWhenTheMachineHasSleptTooLong(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(NO_TIMERS);
		tab.evaluate(ANSWERS.formatted("null, " + REFUSED));
		send(tab, "sent before the lid was closed");
		tab.await().text(".outgoing", "Not sent yet.");
		tab.evaluate(HOUR_LATER + "()");
		tab.evaluate(ONLINE);
		tab.await().text(".outgoing .error", "may have been published");
		assertThat(tab.evaluate("answers.length")).as("not sent again").isEqualTo(1L);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextThatWasSentLongAgoIsADraftWhoseWriterIsAsked(Browser browser) {
		assertWriterIsAsked(browser, HOUR_LATER);
	}

	/** When it was sent is not known then. */
	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextThatWasSentBeforeTheClockWasSetBackIsADraftWhoseWriterIsAsked(Browser browser) {
		assertWriterIsAsked(browser, CLOCK_SET_BACK);
	}

	private void assertWriterIsAsked(Browser browser, String clock) {
		Tab tab = home(browser);
		tab.evaluate(NO_TIMERS);
		tab.evaluate(ANSWERS.formatted("null"));
		send(tab, "sent long ago");
		tab.await().text(".outgoing", "Not sent yet.");
		tab.beforeScripts(clock);
		tab.reload();
		tab.await().count("[data-live-state='open']", 1);
		assertThat(tab.value("#compose-body")).isEqualTo("sent long ago");
		assertThat(tab.text("form.compose .notice")).contains("may have been published");
		tab.click(SEND);
		tab.await().count("article.post", 2);
		assertThat(tab.count("form.compose .notice")).isZero();
	}

}
