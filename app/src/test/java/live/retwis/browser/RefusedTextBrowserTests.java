package live.retwis.browser;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static live.retwis.browser.SentTexts.ANSWERS;
import static live.retwis.browser.SentTexts.BUSY;
import static live.retwis.browser.SentTexts.NO_TIMERS;
import static live.retwis.browser.SentTexts.REFUSED;
import static live.retwis.browser.SentTexts.SEND;
import static live.retwis.browser.SentTexts.send;
import static org.assertj.core.api.Assertions.assertThat;

/** A text that the server refused stays until its writer has edited it. */
class RefusedTextBrowserTests {

	private static final String FORM = "form[data-reply-in-place]";

	private static final String DELETED = "The post that you reply to has been deleted.";

	/** The next text gets this answer. Nothing is tried again. */
	private static final String ANSWER = """
			window.setTimeout = () => 0;
			window.fetch = ((send) => (...asked) => {
				const refuses = asked[0] === "/posts" && !window.refused;
				if (refuses) window.refused = true;
				return refuses ? Promise.resolve(%s) : send(...asked);
			})(fetch);
			void 0""";

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private Tab home(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		user.awaitLive();
		return user.tab();
	}

	private void delete(String post) {
		this.author.get("/home");
		assertThat(this.author.submit("/posts/" + post + "/delete").status()).isEqualTo(303);
	}

	/** A reply in place that could not be sent before its post was deleted. */
	private String replyThatCameTooLate(Tab tab, String text) {
		String post = this.author.post("answer me");
		tab.open(this.site.url("/timeline"));
		tab.click(SiteUser.article(post) + " a.reply");
		tab.fill(FORM + " textarea", text);
		tab.evaluate(ANSWER.formatted(BUSY));
		tab.click(FORM + " button.primary");
		tab.await().text(".outgoing", "Not sent yet.");
		delete(post);
		return post;
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyToAPostThatIsGoneIsBackInTheFormWhereItWasWritten(Browser browser) {
		Tab tab = home(browser);
		String article = SiteUser.article(this.author.post("answer me"));
		String other = SiteUser.article(this.author.post("answer me too"));
		tab.open(this.site.url("/@" + this.author.name()));
		tab.await().count("[data-live-state='open']", 1);
		tab.click(".live-controls button");
		tab.await().count("[data-live-state='paused']", 1);
		tab.click(article + " a.reply");
		tab.fill(FORM + " textarea", "an answer");
		delete(String.valueOf(tab.attribute(article, "data-post-id")));
		tab.click(FORM + " button.primary");
		tab.await().text(".outgoing .error", DELETED);
		tab.click(other + " a.reply");
		tab.await().count(FORM, 1);
		tab.click(".outgoing button");
		tab.await().count(article + " " + FORM, 1);
		assertThat(tab.value(FORM + " textarea")).isEqualTo("an answer");
		assertThat(tab.count(FORM)).isOne();
		assertThat(tab.count(".outgoing")).isZero();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyToAPostThatIsGoneIsATextForANewPostWhenItIsEditedOnAnotherPage(Browser browser) {
		Tab tab = home(browser);
		replyThatCameTooLate(tab, "an answer");
		tab.open(this.site.url("/notifications"));
		tab.await().text(".outgoing .error", DELETED);
		tab.open(this.site.url("/bookmarks"));
		tab.await().text(".outgoing .error", DELETED);
		tab.clickAndLoad(".outgoing button");
		tab.await().that("the text", (page) -> page.value("#compose-body").equals("an answer"));
		assertThat(tab.count(".outgoing")).isZero();
		tab.click(SEND);
		tab.await().text("article.post .post-body", "an answer");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyToAPostThatIsGoneGoesIntoTheFormForNewPostsOfThePage(Browser browser) {
		Tab tab = home(browser);
		tab.fill("#compose-body", "begun");
		replyThatCameTooLate(tab, "an answer");
		tab.open(this.site.url("/home"));
		tab.await().text(".outgoing .error", DELETED);
		tab.click(".outgoing button");
		tab.await().count(".outgoing", 0);
		assertThat(tab.value("#compose-body")).isEqualTo("begun\n\nan answer");
		assertThat(tab.evaluate("document.activeElement.id")).isEqualTo("compose-body");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aRefusedTextIsNotSentAgainByTheNextPage(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWER.formatted(REFUSED));
		tab.fill("#compose-body", "not now");
		tab.click(SEND);
		tab.await().text(".outgoing .error", "Not now.");
		for (String path : new String[] { "/notifications", "/home" }) {
			tab.beforeScripts(
					"() => window.fetch = ((ask) => (...how) => ask(...how, window.asks = [...(window.asks ?? []), how[0]]))(fetch)");
			tab.open(this.site.url(path));
			tab.await().text(".outgoing .error", "Not now.");
			assertThat(tab.evaluate("(window.asks ?? []).includes('/posts')")).isEqualTo(false);
		}
		tab.click(".outgoing button");
		assertThat(tab.value("#compose-body")).isEqualTo("not now");
		tab.click(SEND);
		tab.await().text("article.post .post-body", "not now");
		tab.await().count(".outgoing", 0);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aRefusedTextStaysWhereItIsWhenItsFormCannotBeReached(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWER.formatted(REFUSED));
		tab.fill("#compose-body", "not now");
		tab.click(SEND);
		tab.await().text(".outgoing .error", "Not now.");
		tab.open(this.site.url("/notifications"));
		tab.await().text(".outgoing .error", "Not now.");
		tab.evaluate("window.real = fetch; void (window.fetch = () => Promise.reject(new TypeError('no network')))");
		for (int tries = 0; tries < 2; tries++) {
			tab.click(".outgoing button");
			tab.await().text(".outgoing .problem", "The form could not be loaded. Try again.");
			tab.await().count(".outgoing button[aria-busy]", 0);
			assertThat(tab.count(".outgoing .problem")).isOne();
		}
		assertThat(tab.url()).endsWith("/notifications");
		tab.evaluate("void (window.fetch = real)");
		tab.clickAndLoad(".outgoing button");
		tab.await().url("/home#new-post");
		tab.await().that("the text", (page) -> page.value("#compose-body").equals("not now"));
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void whyATextIsRefusedIsToldInTheLanguageOfThePage(Browser browser) {
		Tab tab = home(browser);
		tab.open(this.site.url("/home?lang=zh"));
		tab.await().count("[data-live-state='open']", 1);
		tab.window().open(this.site.url("/home?lang=en"));
		tab.evaluate("void (document.querySelector('#compose-body').value = 'refused \\u0007')");
		tab.click(SEND);
		tab.await().count(".outgoing .error", 1);
		assertThat(tab.text(".outgoing .error")).matches(".*\\p{IsHan}.*");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextThatIsRefusedCanBeEdited(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = user.tab();
		user.awaitLive();
		tab.evaluate("void (document.querySelector('#compose-body').value = 'refused \\u0007')");
		tab.click("form.compose button.primary");
		tab.await().text(".outgoing .error", "control character");
		tab.click(".outgoing button");
		assertThat(tab.value("#compose-body")).isEqualTo("refused \u0007");
		tab.fill("#compose-body", "refused at first");
		tab.click("form.compose button.primary");
		tab.await().text("article.post .post-body", "refused at first");
	}

	/** From now on, the browser itself sends forms. */
	private static void pause(Tab tab) {
		tab.click(".live-controls button");
		tab.await().count("[data-live-state='paused']", 1);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextThatTheServerRefusesLeavesTheTextsThatWait(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(NO_TIMERS);
		tab.evaluate(ANSWERS.formatted(BUSY));
		send(tab, "the first");
		tab.await().text(".outgoing", "Not sent yet.");
		pause(tab);
		tab.fill("#compose-body", "refused");
		tab.evaluate("void (document.querySelector('#compose-body').value = 'refused \\u0007')");
		tab.clickAndLoad(SEND);
		assertThat(tab.value("#compose-body")).isEqualTo("refused \u0007");
		tab.open(this.site.url("/home"));
		tab.await().text("article.post .post-body", "the first");
		assertThat(tab.value("#compose-body")).isEqualTo("refused \u0007");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aRefusedTextComesBackBesideTheTextThatWasBegunMeanwhile(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWERS.formatted("new Promise((answer) => { window.release = answer; })"));
		send(tab, "the first thought");
		tab.fill("#compose-body", "the second thought");
		tab.evaluate("void release(" + REFUSED + ")");
		tab.await().count(".outgoing .error", 1);
		tab.click(".outgoing button");
		assertThat(tab.value("#compose-body")).isEqualTo("the first thought\n\nthe second thought");
	}

	/** As when the browser has kept the page, and the reader comes back to it. */
	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aRefusedTextThatWasEditedOnAnotherPageIsGoneOnTheWayBack(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWERS.formatted(REFUSED + ", " + REFUSED));
		send(tab, "edited elsewhere");
		send(tab, "still refused");
		tab.await().count(".outgoing .error", 2);
		tab.evaluate("""
				(() => {
					const key = Object.keys(sessionStorage).find((one) => one.endsWith(":waiting"));
					const texts = JSON.parse(sessionStorage.getItem(key));
					sessionStorage.setItem(key, JSON.stringify(texts.filter(({ body }) => body === "still refused")));
					dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
				})()""");
		assertThat(tab.texts(".outgoing .post-body")).containsExactly("still refused");
	}

	/** As when the browser keeps the page, and the reader comes back to it. */
	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void aRefusedTextIsEditedOnAnotherPageOnce(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWER.formatted(REFUSED));
		send(tab, "not now");
		tab.await().text(".outgoing .error", "Not now.");
		tab.open(this.site.url("/notifications"));
		tab.await().text(".outgoing .error", "Not now.");
		tab.evaluate("void navigation.addEventListener('navigate', (event) => event.preventDefault())");
		tab.click(".outgoing button");
		tab.await().count(".outgoing", 0);
	}

}
