package live.retwis.browser;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/** The form that a click on a post's Reply opens below the post. */
class ReplyInPlaceBrowserTests {

	private static final String FORM = "form[data-reply-in-place]";

	private static final String GONE = "This post is not here any more.";

	private static final String MOVED = "Your reply is in the form for new posts";

	/** From now on, the page of a post comes when the test lets it. */
	private static final String HELD = """
			window.fetch = ((ask) => async (address, how) => {
				if (String(address).includes("/posts/")) await new Promise((go) => (window.go = go));
				return ask(address, how);
			})(fetch);
			void 0""";

	private static final String NO_NETWORK = """
			void (window.fetch = () => Promise.reject(new TypeError("no network")))""";

	/** From now on, no text that the page sends is answered. */
	private static final String HELD_POSTS = """
			void (window.fetch = ((ask) => (address, how) =>
				address === "/posts" ? new Promise(() => {}) : ask(address, how))(fetch))""";

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final String post = this.author.post("answer me");

	private final String article = SiteUser.article(this.post);

	private Tab reader(Browser browser) {
		SiteUser reader = SiteUser.register(browser.newTab(), this.site.url("/"));
		reader.tab().open(this.site.url("/@" + this.author.name()));
		reader.awaitLive();
		return reader.tab();
	}

	private static void openForm(Tab tab, String article) {
		tab.click(article + " a.reply");
		tab.await().count(article + " " + FORM, 1);
	}

	private static void press(Tab tab, String key, String how) {
		tab.evaluate("""
				void document.activeElement.dispatchEvent(new KeyboardEvent("keydown",
					{ key: "%s", %s: true, bubbles: true, cancelable: true }))""".formatted(key, how));
	}

	private void delete(String post) {
		this.author.get("/home");
		assertThat(this.author.submit("/posts/" + post + "/delete").status()).isEqualTo(303);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyThatIsShortEnoughIsSentWithControlAndEnter(Browser browser) {
		Tab reader = reader(browser);
		openForm(reader, this.article);
		reader.evaluate("""
				(() => {
					const text = document.activeElement;
					text.value = "x".repeat(281);
					text.dispatchEvent(new Event("input", { bubbles: true }));
				})()""");
		assertThat(reader.texts(FORM + " button:disabled")).containsExactly("Reply");
		reader.fill(FORM + " textarea", "by keys");
		press(reader, "Enter", "ctrlKey");
		reader.await().text(".outgoing .post-body", "by keys");
		reader.await().count(this.article + " a.reply[data-count='1']", 1);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theKeyThatEndsACompositionLeavesTheFormOpen(Browser browser) {
		Tab reader = reader(browser);
		openForm(reader, this.article);
		press(reader, "Escape", "isComposing");
		assertThat(reader.count(FORM)).isOne();
		press(reader, "Escape", "bubbles");
		assertThat(reader.count(FORM)).isZero();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aFormStaysUntilAnotherOneIsThere(Browser browser) {
		String other = SiteUser.article(this.author.post("answer me too"));
		Tab reader = reader(browser);
		openForm(reader, this.article);
		reader.fill(FORM + " textarea", "begun");
		reader.evaluate("document.activeElement.blur()");
		reader.click(this.article + " a.reply");
		assertThat(reader.evaluate("document.activeElement.value")).as("the form that is open").isEqualTo("begun");
		reader.evaluate("void (window.real = fetch)");
		reader.evaluate(NO_NETWORK);
		reader.click(other + " a.reply");
		reader.await().text(other + " .problem", "could not be loaded");
		assertThat(reader.value(this.article + " " + FORM + " textarea")).isEqualTo("begun");
		reader.evaluate("void (window.fetch = real)");
		openForm(reader, other);
		assertThat(reader.count(FORM)).isOne();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aFormThatComesLateLeavesTheFocusWhereTheReaderTypes(Browser browser) {
		Tab reader = reader(browser);
		reader.evaluate(HELD);
		reader.click(this.article + " a.reply");
		reader.fill(".bar .search input", "meanwhile");
		reader.evaluate("void go()");
		reader.await().count(FORM, 1);
		assertThat(reader.evaluate("document.activeElement.value")).isEqualTo("meanwhile");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aFormThatLosesItsPostIsBelowANoticeThatSaysWhy(Browser browser) {
		Tab reader = reader(browser);
		openForm(reader, this.article);
		delete(this.post);
		reader.await().count(this.article, 0);
		reader.await().text(".gone:has(+ " + FORM + ")", GONE);
		reader.await().text("[data-status]", GONE);
	}

	@BrowserTest
	@Tag("slow")
	void thePageOfAPostThatIsDeletedSaysSo(Browser browser) {
		String reply = Objects
			.requireNonNull(this.author.postJson("body", "below it", "once", "once-below-it", "reply_to", this.post)
				.json()
				.at("/posts/0/id")
				.asString());
		Tab reader = browser.newTab();
		reader.open(this.site.url("/posts/" + reply));
		reader.await().count("[data-live-state='open']", 1);
		delete(this.post);
		reader.await().text(".thread .gone", GONE);
		delete(reply);
		reader.await().count(".thread .gone", 2);
		assertThat(reader.texts(".thread .gone")).containsOnly(GONE);
		reader.await().text("[data-status]", GONE);
	}

	private static void awaitDraftOfNewPost(Tab tab, Site site, String text) {
		tab.open(site.url("/home"));
		tab.await().that("the text", (page) -> page.value("#new-post textarea").equals(text));
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyWhosePostIsDeletedIsATextForANewPostWhenItsWriterLeavesThePage(Browser browser) {
		String other = SiteUser.article(this.author.post("answer me too"));
		Tab reader = reader(browser);
		openForm(reader, this.article);
		reader.fill(FORM + " textarea", "an answer");
		delete(this.post);
		reader.await().count(this.article, 0);
		openForm(reader, other);
		assertThat(reader.value(".gone + " + FORM + " textarea")).isEqualTo("an answer");
		awaitDraftOfNewPost(reader, this.site, "an answer");
		reader.go(-1);
		reader.await().count("[data-live-state='open']", 1);
		awaitDraftOfNewPost(reader, this.site, "an answer");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyWhosePostIsDeletedIsATextForANewPostWhenItsWriterClosesTheForm(Browser browser) {
		Tab reader = reader(browser);
		openForm(reader, this.article);
		reader.fill(FORM + " textarea", "an answer");
		delete(this.post);
		reader.await().count(this.article, 0);
		reader.click(FORM + " button[type=button]");
		assertThat(reader.count(FORM)).isZero();
		assertThat(reader.evaluate("document.activeElement.id")).isEqualTo("feed-title");
		reader.await().text("main .notice", MOVED);
		awaitDraftOfNewPost(reader, this.site, "an answer");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyToAnAuthorWhoseAccountIsDeletedIsATextForANewPost(Browser browser) {
		Tab reader = reader(browser);
		openForm(reader, this.article);
		reader.fill(FORM + " textarea", "an answer");
		this.author.get("/home");
		assertThat(this.author.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		reader.await().count(this.article, 0);
		awaitDraftOfNewPost(reader, this.site, "an answer");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyThatWasClosedBeforeItsPostIsDeletedIsATextForANewPost(Browser browser) {
		Tab reader = reader(browser);
		openForm(reader, this.article);
		reader.fill(FORM + " textarea", "an answer");
		press(reader, "Escape");
		reader.open(this.site.url("/bookmarks"));
		delete(this.post);
		reader.open(this.site.url("/notifications"));
		reader.await().text("main .notice", MOVED);
		reader.clickAndLoad("main .notice a");
		reader.await().that("the text", (page) -> page.value("#new-post textarea").equals("an answer"));
		assertThat(reader.evaluate("document.activeElement.id")).isEqualTo("compose-body");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyToAMutedAuthorStaysADraftOfItsPost(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab reader = user.tab();
		reader.open(this.site.url("/timeline"));
		openForm(reader, this.article);
		reader.fill(FORM + " textarea", "an answer");
		Visitor muting = Visitor.signedIn(this.site, user.name());
		muting.get("/home");
		assertThat(muting.submit("/@" + this.author.name() + "/mute").status()).isEqualTo(303);
		reader.await().count(this.article, 0);
		reader
			.evaluate("window.ask = fetch; void (window.fetch = async (...how) => (window.asked = await ask(...how)))");
		reader.click(FORM + " button[type=button]");
		reader.await().that("looks", (page) -> Objects.equals(page.evaluate("window.asked?.bodyUsed"), true));
		reader.open(this.site.url("/posts/" + this.post));
		reader.await().that("the reply", (page) -> page.value("#reply textarea").equals("an answer"));
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyOnThePageOfItsPostIsATextForANewPostWhenThePostIsDeleted(Browser browser) {
		Tab reader = SiteUser.register(browser.newTab(), this.site.url("/")).tab();
		reader.fill("#compose-body", "begun");
		reader.open(this.site.url("/posts/" + this.post));
		reader.await().count("[data-live-state='open']", 1);
		reader.fill("#compose-body", "an answer");
		reader.open(this.site.url("/posts/" + this.post));
		reader.await().that("the draft", (page) -> page.value("#compose-body").equals("an answer"));
		reader.await().count("[data-live-state='open']", 1);
		delete(this.post);
		reader.await().count(this.article, 0);
		awaitDraftOfNewPost(reader, this.site, "begun\n\nan answer");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theFocusGoesToTheTitleWhenAReplyIsSentWhosePostIsDeleted(Browser browser) {
		Tab reader = reader(browser);
		openForm(reader, this.article);
		reader.fill(FORM + " textarea", "an answer");
		delete(this.post);
		reader.await().count(this.article, 0);
		reader.evaluate(HELD_POSTS);
		reader.click(FORM + " button.primary");
		reader.await().count(".outgoing", 1);
		assertThat(reader.evaluate("document.activeElement.id")).isEqualTo("feed-title");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aFormThatComesWhileThePageItselfHasTheFocusTakesIt(Browser browser) {
		Tab reader = reader(browser);
		reader.evaluate(HELD);
		reader.click(this.article + " a.reply");
		reader.evaluate("document.querySelector('#main').focus()");
		reader.evaluate("void go()");
		reader.await().count(FORM, 1);
		assertThat(reader.evaluate("document.activeElement.name")).isEqualTo("body");
	}

	@BrowserTest
	@Tag("slow")
	void aPostThatIsDeletedLeavesANoticeAndTheFocusOnThePageOfItsLikes(Browser browser) {
		Tab reader = browser.newTab();
		reader.open(this.site.url("/posts/" + this.post + "/likes"));
		reader.evaluate("document.querySelector('" + this.article + " a.when').focus()");
		delete(this.post);
		reader.await().text("main .gone", GONE);
		reader.await().text("[data-status]", GONE);
		assertThat(reader.evaluate("document.activeElement.id")).isEqualTo("main");
	}

	private static void press(Tab tab, String key) {
		tab.evaluate("void (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', "
				+ "{ key: '" + key + "', bubbles: true, cancelable: true }))");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyIsWrittenUnderThePostAndItsWriterStaysThere(Browser browser) {
		Tab reader = reader(browser);
		reader.click(this.article + " a.reply");
		reader.await().count(this.article + " form[data-reply-in-place]", 1);
		assertThat(reader.evaluate("document.activeElement.name")).isEqualTo("body");
		reader.fill(this.article + " textarea", "written in place");
		String before = reader.url();
		reader.click(this.article + " form button.primary");
		reader.await().count(this.article + " a.reply[data-count='1']", 1);
		assertThat(reader.url()).isEqualTo(before);
		reader.click(this.article + " a.reply");
		reader.await().count(this.article + " form[data-reply-in-place]", 1);
		assertThat(reader.value(this.article + " textarea")).as("what was sent is no draft").isEmpty();
		press(reader, "Escape");
		reader.await().count("form[data-reply-in-place]", 0);
		String link = this.article + " .outgoing a";
		reader.await().count(link, 1);
		assertThat(reader.text(this.article + " .outgoing")).startsWith("written in place").endsWith("Show it");
		reader.clickAndLoad(link);
		assertThat(reader.texts("main .post-body")).contains("written in place");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void whatIsBeingWrittenStaysWhenThePostAboveItIsDeleted(Browser browser) {
		SiteUser reader = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = reader.tab();
		tab.open(this.site.url("/timeline"));
		reader.awaitLive();
		String post = this.author.post("soon gone");
		tab.await().count(SiteUser.article(post), 1);
		tab.click(SiteUser.article(post) + " a.reply");
		tab.await().count("form[data-reply-in-place]", 1);
		tab.fill("form[data-reply-in-place] textarea", "a long answer");
		this.author.submit("/posts/" + post + "/delete");
		tab.await().count(SiteUser.article(post), 0);
		assertThat(tab.value("form[data-reply-in-place] textarea")).isEqualTo("a long answer");
		assertThat(tab.evaluate("document.activeElement.matches('[data-reply-in-place] textarea')")).isEqualTo(true);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyIsNotWrittenByTheNextUserOfTheBrowser(Browser browser) {
		Tab reader = reader(browser);
		reader.click(this.article + " a.reply");
		reader.fill(this.article + " textarea", "by the first user");
		Tab elsewhere = reader.window();
		elsewhere.open(this.site.url("/home"));
		elsewhere.clickAndLoad("button[formaction='/logout']");
		SiteUser next = SiteUser.register(elsewhere, this.site.url("/"));
		reader.await().text(".live-notice", "You have been logged out.");
		press(reader, "Escape");
		reader.clickAndLoad(this.article + " a.reply");
		assertThat(reader.attribute("body", "data-viewer")).as("the page says who is signed in").isEqualTo(next.name());
		assertThat(reader.value("form#reply textarea")).isEmpty();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theFocusStaysWhereAReplyWasSentAndWhereAPostIsDeleted(Browser browser) {
		String newest = this.author.post("soon gone");
		Tab reader = reader(browser);
		reader.click(this.article + " a.reply");
		reader.fill(this.article + " textarea", "written in place");
		reader.click(this.article + " form button.primary");
		reader.await().count("form[data-reply-in-place]", 0);
		assertThat(reader.evaluate("document.activeElement.closest('article')?.id")).isEqualTo("post-" + this.post);
		reader.evaluate("document.querySelector('" + SiteUser.article(newest) + " a.when').focus()");
		this.author.submit("/posts/" + newest + "/delete");
		reader.await().count(SiteUser.article(newest), 0);
		assertThat(reader.evaluate("document.activeElement.id")).isEqualTo("post-" + this.post);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void whoSendsAReplyStaysWhereTheyHaveScrolledTo(Browser browser) {
		IntStream.range(0, 10).forEach((i) -> this.author.post("older"));
		String replied = this.author.reply(this.post, "in the middle of each list");
		IntStream.range(0, 10).forEach((i) -> this.author.reply(this.post, "newer"));
		Tab tab = browser.newTab();
		tab.setCookie("auth", this.author.cookie("auth"), "127.0.0.1");
		String here = SiteUser.article(replied);
		for (String page : List.of("/home", "/timeline", "/@" + this.author.name(), "/posts/" + this.post)) {
			tab.open(this.site.url(page));
			tab.await().count("[data-live-state='open']", 1);
			openForm(tab, here);
			tab.fill(here + " textarea", "from " + page);
			tab.evaluate(
					"document.querySelector('" + here + " form button.primary').scrollIntoView({ block: 'center' })");
			assertThat(((Number) Objects.requireNonNull(tab.evaluate("scrollY"))).doubleValue()).as(page).isPositive();
			String top = "Math.round(document.querySelector('" + here + "').getBoundingClientRect().top)";
			Object before = tab.evaluate(top);
			tab.click(here + " form button.primary");
			tab.await().count(here + " .outgoing a", 1);
			tab.await().count(here + " form[data-reply-in-place]", 0);
			assertThat(tab.evaluate(top)).as(page).isEqualTo(before);
		}
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyWithoutANetworkLeavesThePageAndSaysSo(Browser browser) {
		Tab reader = reader(browser);
		reader.evaluate("void (window.fetch = () => Promise.reject(new TypeError('no network')))");
		String before = reader.url();
		reader.click(this.article + " a.reply");
		reader.await().text(this.article + " .problem", "The form could not be loaded. Try again.");
		reader.click(this.article + " a.reply");
		reader.await().count(this.article + " .problem", 1);
		assertThat(reader.url()).isEqualTo(before);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyThatIsBeingWrittenDoesNotMoveWhenAPostArrives(Browser browser) {
		Tab reader = reader(browser);
		reader.click(this.article + " a.reply");
		reader.await().count("form[data-reply-in-place]", 1);
		String top = "String(document.querySelector('[data-reply-in-place] textarea').getBoundingClientRect().top)";
		Object before = reader.evaluate(top);
		assertThat(reader.evaluate("scrollY")).isEqualTo(0L);
		String later = this.author.post("pushes nothing");
		reader.await().text(".live-new", "1 new post");
		assertThat(reader.count(SiteUser.article(later))).isZero();
		assertThat(reader.evaluate(top)).isEqualTo(before);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void formsThatAreClosedAndTextsThatArrivedListenToNothingMore(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = user.tab();
		tab.beforeScripts("""
				() => {
					const types = ["hashchange", "pageshow", "post:added"];
					const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
					window.listening = 0;
					EventTarget.prototype.addEventListener = function (type, ...how) {
						if (types.includes(type)) listening++;
						add.call(this, type, ...how);
					};
					EventTarget.prototype.removeEventListener = function (type, ...how) {
						if (types.includes(type)) listening--;
						remove.call(this, type, ...how);
					};
				}""");
		tab.open(this.site.url("/home"));
		user.awaitLive();
		user.post("to reply to");
		tab.evaluate(
				"""
						window.fetch = ((send) => async (...asked) =>
							asked[0] === "/posts" ? Response.json({ posts: [{ id: "sent" }] }, { status: 201 }) : send(...asked))(fetch);
						void 0""");
		tab.await().count(".outgoing", 0);
		Object before = tab.evaluate("listening");
		tab.fill("#compose-body", "arrives after its answer");
		tab.click("form.compose button.primary");
		tab.await().text(".outgoing", "Sent.");
		tab.evaluate("""
				const article = document.querySelector("article").cloneNode(true);
				article.dataset.postId = "sent";
				document.querySelector("[data-live-list]").prepend(article);
				article.dispatchEvent(new Event("post:added", { bubbles: true }));
				void 0""");
		tab.await().count(".outgoing", 0);
		tab.click("article a.reply");
		tab.await().count("form[data-reply-in-place]", 1);
		press(tab, "Escape");
		tab.await().count("form[data-reply-in-place]", 0);
		assertThat(tab.evaluate("listening")).isEqualTo(before);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyStaysADraftOfItsPostWhenARepostIsTakenBack(Browser browser) {
		Visitor reposter = Visitor.registered(this.site);
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Visitor.signedIn(this.site, user.name()).follow(reposter);
		assertThat(reposter.submit("/posts/" + this.post + "/repost").status()).isEqualTo(303);
		Tab reader = user.tab();
		reader.open(this.site.url("/home"));
		user.awaitLive();
		reader.await().count(this.article, 1);
		openForm(reader, this.article);
		reader.fill(FORM + " textarea", "an answer");
		reposter.submit("/posts/" + this.post + "/unrepost");
		reader.await().count(this.article, 0);
		reader.click(FORM + " button[type=button]");
		assertThat(reader.value("#new-post textarea")).isEmpty();
		reader.open(this.site.url("/posts/" + this.post));
		reader.await().that("the reply", (page) -> page.value("#reply textarea").equals("an answer"));
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aSecondReplyStaysADraftOfItsPostWhenTheFirstMeetsALogOut(Browser browser) {
		Tab reader = reader(browser);
		openForm(reader, this.article);
		reader.fill(FORM + " textarea", "the first");
		reader.evaluate(SentTexts.ANSWERS.formatted("new Promise((answer) => { window.release = answer; })"));
		reader.click(FORM + " button.primary");
		reader.await().count(".outgoing", 1);
		openForm(reader, this.article);
		reader.fill(FORM + " textarea", "the second");
		reader.loading(() -> reader.evaluate("void release(new Response('', { status: 401 }))"));
		reader.open(this.site.url("/posts/" + this.post));
		reader.await().that("the second", (page) -> page.value("#reply textarea").equals("the second"));
	}

}
