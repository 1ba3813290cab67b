package live.retwis.browser;

import java.util.Objects;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static live.retwis.browser.SentTexts.ANSWERS;
import static live.retwis.browser.SentTexts.FAST;
import static live.retwis.browser.SentTexts.REFUSED;
import static live.retwis.browser.SentTexts.SEND;
import static live.retwis.browser.SentTexts.WAITING;
import static live.retwis.browser.SentTexts.send;
import static org.assertj.core.api.Assertions.assertThat;

/** Sending a post from the page, when the server does not answer as it should. */
class OutboxBrowserTests {

	/**
	 * Makes the page's timers fast, and records how long a link to a post should wait.
	 */
	private static final String LINKS = """
			void (window.setTimeout = ((real) => (task, ms) => {
				if (String(task).includes("linkTo")) window.linkedAfter = ms;
				return real(task, ms / 100);
			})(setTimeout))""";

	private static final String MADE = "Response.json({ posts: [{ id: '0AAAAAAAAAAAA' }] }, { status: 201 })";

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
	void aTextIsSentAgainWhenTheServerIsBusyOrFails(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(FAST);
		tab.evaluate(ANSWERS.formatted("""
				new Response("", { status: 429, headers: { "Retry-After": "77" } }), new Response("", { status: 500 }),
				new Response("", { status: 408 }), new Response("", { status: 502 })"""));
		send(tab, "through a crowd");
		tab.await().text("article.post .post-body", "through a crowd");
		tab.await().count(".outgoing", 0);
		assertThat(tab.count("article.post")).isOne();
		assertThat(tab.evaluate("waits.includes(77_000)")).as("waits as long as the server asked for").isEqualTo(true);
	}

	@BrowserTest
	@Tag("slow")
	void aTextIsOnThePageAtOnceAndSaysThatItIsBeingSent(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWERS.formatted("new Promise((answered) => window.release = () => answered(undefined))"));
		send(tab, "on its way");
		tab.await().text(".outgoing", "on its way");
		assertThat(tab.text(".outgoing .hint")).isEqualTo("Sending…");
		tab.evaluate("void release()");
		tab.await().text("article.post .post-body", "on its way");
		tab.await().count(".outgoing", 0);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextOfAPageThatWasOpenDuringALogInIsSentFromThePageThatSaysSo(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab other = user.tab().window();
		other.open(this.site.url("/home"));
		other.clickAndLoad("button[formaction='/logout']");
		SiteUser.login(other, this.site.url("/"), user.name());
		send(user.tab(), "written before");
		user.tab().await().text(".failure", "You have logged in or out since this page was opened.");
		user.tab().clickAndLoad(".failure form button");
		user.tab().await().url("/home");
		assertThat(user.tab().texts("article.post .post-body")).containsExactly("written before");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextWhoseAnswerWasLostIsPostedOnceUnlessItIsChanged(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWERS.formatted("null, " + REFUSED));
		send(tab, "sent twice");
		tab.await().text(".outgoing", "Not sent yet.");
		tab.evaluate("void dispatchEvent(new Event('online'))");
		tab.await().text(".outgoing .error", "Not now.");
		tab.click(".outgoing button");
		assertThat(tab.value("#compose-body")).isEqualTo("sent twice");
		tab.click(SEND);
		tab.await().count(".outgoing", 0);
		assertThat(tab.texts("article.post .post-body")).containsExactly("sent twice");
		send(tab, "sent twice");
		tab.await().count("article.post", 2);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextWhoseAnswerWasLostIsPostedOnceAlthoughThePageIsReloaded(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWERS.formatted("null"));
		send(tab, "sent before the reload");
		tab.await().text(".outgoing", "Not sent yet.");
		tab.reload();
		tab.await().count("[data-live-state='open']", 1);
		tab.await().count(".outgoing", 0);
		tab.reload();
		assertThat(tab.texts("article.post .post-body")).containsExactly("sent before the reload");
		assertThat(tab.value("#compose-body")).isEmpty();
	}

	@BrowserTest
	@Tag("slow")
	void aTextThatTheBrowserHasSentIsNotSentAgain(Browser browser) {
		Tab tab = home(browser);
		pause(tab);
		tab.fill("#compose-body", "sent by the browser");
		tab.clickAndLoad(SEND);
		tab.await().count(".outgoing", 0);
		assertThat(tab.texts("article.post .post-body")).containsExactly("sent by the browser");
		assertThat(tab.value("#compose-body")).isEmpty();
		tab.await().that("nothing waits", (page) -> Objects.equals(page.evaluate(WAITING), 0L));
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextThatIsCorrectedWhileTheBrowserSendsItIsPostedOnce(Browser browser) {
		Tab tab = home(browser);
		pause(tab);
		tab.evaluate(FAST);
		tab.evaluate("void document.addEventListener('submit', (event) => !window.go && event.preventDefault())");
		tab.fill("#compose-body", "helo");
		tab.click(SEND);
		tab.await().count(SEND + ":not([disabled])", 1);
		tab.fill("#compose-body", "hello");
		tab.evaluate("void (window.go = true)");
		tab.clickAndLoad(SEND);
		tab.await().that("nothing waits", (page) -> Objects.equals(page.evaluate(WAITING), 0L));
		tab.reload();
		assertThat(tab.texts("article.post .post-body")).containsExactly("hello");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextIsNotPostedByTheNextUserOfTheBrowser(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWERS
			.formatted("new Promise((answer, fail) => { window.lose = () => fail(new TypeError('no network')); })"));
		send(tab, "by the first user");
		Tab elsewhere = tab.window();
		elsewhere.open(this.site.url("/home"));
		elsewhere.clickAndLoad("button[formaction='/logout']");
		SiteUser next = SiteUser.register(elsewhere, this.site.url("/"));
		tab.evaluate("void lose()");
		tab.await().text(".failure", "You have logged in or out since this page was opened.");
		tab.clickAndLoad(".failure form button");
		tab.await().text("form.compose .error", "You are @" + next.name() + " now.");
		assertThat(tab.value("#compose-body")).isEqualTo("by the first user");
		tab.open(this.site.url("/home"));
		assertThat(tab.count("article.post")).isZero();
		assertThat(tab.value("#compose-body")).as("the draft of the next user").isEmpty();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextIsSentAgainWhenNoAnswerComes(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(
				"""
						void (AbortSignal.timeout = ((real) => (ms) => real(ms / 20))(AbortSignal.timeout.bind(AbortSignal)));
						window.fetch = ((send) => (address, how) => {
							if (address !== "/posts" || window.hung) return send(address, how);
							window.hung = true;
							return new Promise((answer, fail) => how.signal?.addEventListener("abort", () => fail(how.signal.reason)));
						})(fetch);
						void 0""");
		send(tab, "into the void");
		tab.await().text("article.post .post-body", "into the void");
		tab.await().count(".outgoing", 0);
	}

	@BrowserTest
	@Tag("slow")
	void aTextThatIsSentWhileTheStreamIsLostGetsItsLinkOnlyWhenThePostDoesNotCome(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWERS.formatted(MADE));
		tab.evaluate("void (document.querySelector('[data-live]').dataset.liveState = 'lost')");
		tab.evaluate(LINKS);
		send(tab, "through a tunnel");
		tab.await().text(".outgoing", "Sent. Show it");
		assertThat(tab.evaluate("linkedAfter")).isEqualTo(5000L);
	}

	@BrowserTest
	@Tag("slow")
	void theFocusGoesFromTheLinkOfASentTextToThePostThatCame(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWERS.formatted(MADE));
		tab.evaluate(FAST);
		send(tab, "late");
		tab.await().text(".outgoing", "Sent. Show it");
		tab.evaluate("document.querySelector('.outgoing a').focus()");
		tab.evaluate("""
				(() => {
					const article = document.createElement("article");
					article.id = "late";
					article.dataset.postId = "0AAAAAAAAAAAA";
					document.querySelector("[data-live-list]").append(article);
					article.dispatchEvent(new Event("post:added", { bubbles: true }));
				})()""");
		tab.await().count(".outgoing", 0);
		assertThat(tab.evaluate("document.activeElement.id")).isEqualTo("late");
	}

	@BrowserTest
	@Tag("slow")
	void aPostIsSentOnceAndFromThePageAlthoughTheNetworkWasAway(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = user.tab();
		user.awaitLive();
		tab.evaluate("""
				window.tries = 0;
				window.fetch = ((send) => async (...asked) => {
					if (++window.tries === 1) throw new TypeError("no network");
					const answer = await send(...asked);
					if (window.tries === 2) throw new TypeError("the answer is lost");
					return answer;
				})(fetch);
				void 0""");
		tab.fill("#compose-body", "through a tunnel");
		tab.click("form.compose button.primary");
		tab.await().text(".outgoing", "Not sent yet. It is tried again by itself.");
		assertThat(tab.value("#compose-body")).as("free for the next text").isEmpty();
		tab.evaluate("void dispatchEvent(new Event('online'))");
		tab.await().text("article.post .post-body", "through a tunnel");
		tab.evaluate("void dispatchEvent(new Event('online'))");
		tab.await().count(".outgoing", 0);
		assertThat(tab.evaluate("tries >= 3")).isEqualTo(true);
		assertThat(tab.count("article.post")).as("posted once").isEqualTo(1);
	}

	/**
	 * As when the network fails, and the reader comes back to a page that the browser has
	 * kept.
	 */
	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextThatTheBrowserCouldNotSendIsSentOnTheWayBack(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = user.tab();
		user.awaitLive();
		tab.click(".live-controls button");
		tab.await().count("[data-live-state='paused']", 1);
		tab.evaluate("void addEventListener('submit', (event) => event.preventDefault())");
		send(tab, "lost on its way");
		tab.evaluate("void dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))");
		tab.evaluate("void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
		tab.await().text(".outgoing", "lost on its way");
		tab.await().count(".outgoing a", 1);
		assertThat(tab.value("#compose-body")).isEmpty();
		assertThat(Visitor.signedIn(this.site, user.name()).get("/home").texts()).containsExactly("lost on its way");
	}

	/** The reader logs out, and stops the browser before the answer comes. */
	private static void stopALogOut(Tab tab) {
		tab.evaluate("""
				(() => {
					const button = document.querySelector("button[formaction='/logout']");
					document.addEventListener("submit", (event) => event.preventDefault(), { once: true });
					button.form.requestSubmit(button);
				})()""");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextIsRefusedAlthoughALogOutWasStopped(Browser browser) {
		Tab tab = home(browser);
		stopALogOut(tab);
		tab.evaluate(ANSWERS.formatted(REFUSED));
		send(tab, "refused");
		tab.await().text(".outgoing .error", "Not now.");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aLogOutThatWasStoppedIsForgottenAfterAWhile(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(FAST);
		tab.evaluate(ANSWERS.formatted("...[...Array(99)].map(() => new Response('', { status: 401 }))"));
		tab.evaluate("void (HTMLFormElement.prototype.submit = () => window.sent = true)");
		stopALogOut(tab);
		send(tab, "to be sent by the browser");
		tab.await().that("sent", (page) -> Objects.equals(page.evaluate("window.sent"), true));
	}

	@BrowserTest
	@Tag("slow")
	void anAnswerThatBreaksOffRefusesNothing(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWERS.formatted(
				"""
						new Response(new ReadableStream({ start: (body) => body.error(new TypeError("cut")) }), { status: 422 })"""));
		send(tab, "sent again");
		tab.await().text(".outgoing", "Not sent yet.");
		tab.evaluate("void dispatchEvent(new Event('online'))");
		tab.await().text("article.post .post-body", "sent again");
	}

}
