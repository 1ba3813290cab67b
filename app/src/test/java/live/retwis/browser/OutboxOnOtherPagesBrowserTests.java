package live.retwis.browser;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static live.retwis.browser.SentTexts.ANSWERS;
import static live.retwis.browser.SentTexts.BUSY;
import static live.retwis.browser.SentTexts.NO_TIMERS;
import static live.retwis.browser.SentTexts.REFUSED;
import static live.retwis.browser.SentTexts.SEND;
import static live.retwis.browser.SentTexts.WAITING;
import static live.retwis.browser.SentTexts.send;
import static org.assertj.core.api.Assertions.assertThat;

/** Texts that wait, on the pages that the reader opens meanwhile. */
class OutboxOnOtherPagesBrowserTests {

	private final Site site = Site.shared();

	private Tab home(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		user.awaitLive();
		return user.tab();
	}

	/** From now on, the browser itself sends forms. */
	private static void pause(Tab tab) {
		tab.click(".live-controls button");
		tab.await().count("[data-live-state='paused']", 1);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void textsThatWaitArePostedFromTheNextPageAlthoughAnotherOneWasBegun(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(NO_TIMERS);
		tab.evaluate(ANSWERS.formatted(BUSY + ", " + BUSY));
		send(tab, "the first");
		send(tab, "the second");
		tab.await()
			.that("both wait",
					(page) -> page.texts(".outgoing .hint")
						.stream()
						.filter((hint) -> hint.startsWith("Not sent yet."))
						.count() == 2);
		tab.fill("#compose-body", "begun");
		tab.open(this.site.url("/timeline"));
		tab.open(this.site.url("/home"));
		tab.await().count("article.post", 2);
		tab.await().count(".outgoing", 0);
		assertThat(tab.texts("article.post .post-body")).containsExactlyInAnyOrder("the first", "the second");
		assertThat(tab.value("#compose-body")).isEqualTo("begun");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextThatTheBrowserCouldNotSendIsPostedFromTheNextPage(Browser browser) {
		Tab tab = home(browser);
		pause(tab);
		tab.fill("#compose-body", "into a tunnel");
		tab.evaluate("void document.addEventListener('submit', (event) => event.preventDefault())");
		tab.click(SEND);
		tab.open(this.site.url("/home"));
		tab.await().text("article.post .post-body", "into a tunnel");
		tab.await().count(".outgoing", 0);
		assertThat(tab.count("article.post")).isOne();
		assertThat(tab.value("#compose-body")).isEmpty();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyThatWaitsIsSentFromAPageThatDoesNotHaveItsForm(Browser browser) {
		Tab tab = home(browser);
		String post = Visitor.registered(this.site).post("answer me");
		tab.open(this.site.url("/timeline"));
		tab.click(SiteUser.article(post) + " a.reply");
		tab.fill("form[data-reply-in-place] textarea", "an answer");
		tab.evaluate(ANSWERS.formatted(BUSY));
		tab.click("form[data-reply-in-place] button.primary");
		tab.await().text(".outgoing", "Not sent yet.");
		tab.open(this.site.url("/notifications"));
		tab.await().text(".outgoing", "an answer");
		tab.await().text(".outgoing .hint", "Sent. Show it");
		assertThat(tab.evaluate(WAITING)).isEqualTo(0L);
		tab.open(this.site.url("/posts/" + post));
		assertThat(tab.texts("[data-live-list] .post-body")).containsExactly("an answer");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextThatIsRefusedOnAPageThatDoesNotHaveItsFormIsEditedOnThePageThatHasIt(Browser browser) {
		Tab tab = home(browser);
		tab.beforeScripts("() => { " + ANSWERS.formatted(REFUSED) + "; }");
		tab.open(this.site.url("/home"));
		tab.await().count("[data-live-state='open']", 1);
		send(tab, "not now");
		tab.await().text(".outgoing .error", "Not now.");
		tab.open(this.site.url("/notifications"));
		tab.await().text(".outgoing .error", "Not now.");
		tab.clickAndLoad(".outgoing button");
		assertThat(tab.evaluate(WAITING)).isEqualTo(0L);
		tab.await().count("[data-live-state='open']", 1);
		assertThat(tab.value("#compose-body")).isEqualTo("not now");
		assertThat(tab.count(".outgoing")).isZero();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aPageThatDoesNotHaveTheFormStaysWhenTheSessionHasEnded(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWERS.formatted(BUSY));
		send(tab, "for later");
		tab.await().text(".outgoing", "Not sent yet.");
		tab.beforeScripts("() => { " + ANSWERS.formatted("new Response('', { status: 401 })") + "; }");
		tab.open(this.site.url("/notifications"));
		tab.await().text(".outgoing .hint", "Not sent yet.");
		assertThat(tab.texts("h1")).containsExactly("Notifications");
		assertThat(tab.evaluate(WAITING)).isEqualTo(1L);
	}

}
