package live.retwis.browser;

import java.util.Objects;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/** Sending a post from the page, when the server does not answer as it should. */
class OutboxBrowserTests {

	private static final String SEND = "form.compose button.primary";

	private static final String LOGOUT = "button[formaction='/logout']";

	private static final String PLACES_IN_BAR = """
			[...document.querySelectorAll(".bar nav > *, .bar .search")]
				.map((part) => Math.round(part.getBoundingClientRect().x)).join()""";

	/**
	 * Gives these answers to the first texts that the page sends. A null is a lost
	 * answer.
	 */
	private static final String ANSWERS = """
			window.answers = [%s];
			window.fetch = ((send) => async (...asked) => {
				const answer = asked[0] === "/posts" ? await answers.shift() : undefined;
				if (answer === undefined) return send(...asked);
				if (answer === null) await send(...asked);
				return answer ?? Promise.reject(new TypeError("no answer"));
			})(fetch);
			void 0""";

	/** Makes the page's timers fast, and records how long they should have been. */
	private static final String FAST = """
			window.waits = [];
			void (window.setTimeout = ((real) => (task, ms) => real(task, waits.push(ms) && ms / 100))(setTimeout))""";

	private static final String WAITING = "Object.keys(sessionStorage).filter((key) => key.includes(':waiting')).length";

	private static final String BUSY = "new Response('', { status: 503 })";

	/** The first two texts have to wait until the test answers them. */
	private static final String HELD = """
			new Promise((answer) => window.one = answer), new Promise((answer) => window.two = answer)""";

	private static final String REFUSED = "Response.json({ detail: 'Not now.' }, { status: 403 })";

	/** From now on, a page waits until the network is back instead of for a time. */
	private static final String NO_TIMERS = "void (window.setTimeout = () => 0)";

	private static final String ONLINE = "void dispatchEvent(new Event('online'))";

	/** As when the machine has slept for an hour. */
	private static final String HOUR_LATER = "(() => { Date.now = ((now) => () => now() + 3_600_000)(Date.now); })";

	private static final String CLOCK_SET_BACK = HOUR_LATER.replace("+ 3_600_000", "- 3_600_000");

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

	private static void send(Tab tab, String text) {
		tab.fill("#compose-body", text);
		tab.click(SEND);
	}

	/** From now on, the browser itself sends forms. */
	private static void pause(Tab tab) {
		tab.click(".live-controls button");
		tab.await().count("[data-live-state='paused']", 1);
	}

	@BrowserTest
	@Tag("slow")
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

	@BrowserTest
	@Tag("slow")
	void aTextBegunMeanwhileIsThereAfterTheUserHasLoggedInAgain(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWERS.formatted("new Promise((answer) => { window.release = answer; })"));
		send(tab, "the first thought");
		tab.fill("#compose-body", "the second thought");
		tab.evaluate("void release(new Response('', { status: 401 }))");
		tab.await().text("article.post .post-body", "the first thought");
		tab.await().that("the second thought", (page) -> page.value("#compose-body").equals("the second thought"));
	}

	@BrowserTest
	@Tag("slow")
	void bothTextsThatWaitedArePostedAfterTheUserHasLoggedInAgain(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWERS.formatted(HELD));
		send(tab, "the first");
		send(tab, "the second");
		tab.evaluate("void [one, two].forEach((answer) => answer(new Response('', { status: 401 })))");
		tab.await().text("article.post .post-body", "the first");
		tab.await().count("article.post", 2);
		assertThat(tab.texts("article.post .post-body")).containsExactlyInAnyOrder("the first", "the second");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void bothTextsThatWaitedArePostedAfterTheUserHasLoggedInAgainInAnotherTab(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		user.awaitLive();
		Tab tab = user.tab();
		tab.evaluate(ANSWERS.formatted(HELD));
		send(tab, "the first");
		send(tab, "the second");
		Tab other = tab.window();
		other.open(this.site.url("/home"));
		other.clickAndLoad("button[formaction='/logout']");
		SiteUser.login(other, this.site.url("/"), user.name());
		tab.evaluate("void [one, two].forEach((answer) => answer(undefined))");
		tab.await().text(".failure", "You have logged in or out since this page was opened.");
		tab.clickAndLoad(".failure form button");
		tab.await().url("/home");
		tab.await().count("article.post", 2);
		assertThat(tab.texts("article.post .post-body")).containsExactlyInAnyOrder("the first", "the second");
	}

	@BrowserTest
	@Tag("slow")
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

	@BrowserTest
	@Tag("slow")
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

	@BrowserTest
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

	@BrowserTest
	@Tag("slow")
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
	void aScreenReaderIsToldThatATextWaitsAndThatItIsSent(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(FAST);
		tab.evaluate("""
				window.said = [];
				new MutationObserver(() => said.push(document.querySelector("[data-status]").textContent))
					.observe(document.querySelector("[data-status]"), { childList: true });
				void 0""");
		tab.evaluate(ANSWERS.formatted(BUSY + ", " + BUSY));
		send(tab, "said aloud");
		tab.await()
			.that("what is said", (page) -> Objects.equals(page.evaluate("said.join('|')"),
					"Not sent yet. It is tried again by itself.|Sent."));
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

}
