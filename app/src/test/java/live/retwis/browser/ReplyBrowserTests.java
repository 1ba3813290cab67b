package live.retwis.browser;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/** Replies on pages whose list is not live, or not live now. */
class ReplyBrowserTests {

	/** More than the first page of a conversation has. */
	private static final int MANY = 51;

	/** Notes when the page's stream has begun. */
	private static final String NOTED = """
			() => {
				const Real = window.EventSource;
				window.EventSource = class extends Real {
					constructor(...how) {
						super(...how);
						this.addEventListener("position", () => (window.begun = true));
					}
				};
			}""";

	/**
	 * From now on, pauses are short, and the page counts the pages that it has looked at.
	 */
	private static final String LOOKS = """
			window.looks = 0;
			window.fetch = ((ask) => async (...asked) => {
				const answer = await ask(...asked);
				const text = await answer.clone().text();
				if (asked[1]?.redirect === "manual") answer.text = async () => setTimeout(() => looks++, 100) && text;
				return answer;
			})(fetch);
			window.setTimeout = ((real) => (task, ms) => real(task, ms === 60_000 ? 100 : ms))(setTimeout);
			void 0""";

	private static final String FORM = "form[data-reply-in-place]";

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	/** A post that has more replies than one page. */
	private String longConversation() {
		String post = this.author.post("what do you think?");
		for (int i = 0; i < MANY; i++) {
			this.author.reply(post, "reply " + i);
		}
		return post;
	}

	private void open(Tab tab, String path) {
		tab.open(this.site.url(path));
		tab.evaluate("void (window.stayed = true)");
	}

	private void openAndAwaitStream(Tab tab, String path) {
		tab.beforeScripts(NOTED);
		open(tab, path);
		tab.await().that("a stream that has begun", (page) -> Boolean.TRUE.equals(page.evaluate("window.begun")));
	}

	private static void replyInPlace(Tab tab, String article, String text) {
		tab.click(article + " a.reply");
		tab.await().count(article + " " + FORM, 1);
		tab.fill(article + " textarea", text);
		tab.click(article + " " + FORM + " button.primary");
		tab.await().text(".outgoing", "Sent. Show it");
		assertThat(tab.evaluate("window.stayed")).as("no other page came").isEqualTo(true);
		assertThat(tab.count(FORM)).isZero();
		assertThat(tab.text(article + " .outgoing .post-body")).isEqualTo(text);
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void aReplyFromAPageWithoutALiveListLeavesItsWriterThere(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = user.tab();
		String post = this.author.post("hello @" + user.name());
		String article = SiteUser.article(post);
		open(tab, "/posts/" + post);
		tab.clickAndLoad("button[formaction='/posts/" + post + "/bookmark']");
		FanOutWait.settle(this.site);
		int replies = 0;
		for (String path : List.of("/mentions", "/bookmarks", "/search?q=" + user.name(),
				"/posts/" + post + "/likes")) {
			open(tab, path);
			replyInPlace(tab, article, "from " + path);
			assertThat(tab.evaluate("document.activeElement.closest('article')?.id")).isEqualTo("post-" + post);
			tab.await().count(article + " a.reply[data-count='" + ++replies + "']", 1);
		}
		tab.clickAndLoad(".outgoing a");
		assertThat(tab.text(".focus .post-body")).isEqualTo("from /posts/" + post + "/likes");
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void aReplyFromAPageThatIsPausedLeavesItsWriterThere(Browser browser) {
		String article = SiteUser.article(this.author.post("hello"));
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		open(user.tab(), "/@" + this.author.name());
		user.awaitLive();
		user.tab().click(".live-controls button");
		replyInPlace(user.tab(), article, "while it was quiet");
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void aReplyOnTheFirstPageOfALongConversationLeavesItsWriterThere(Browser browser) {
		String post = longConversation();
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = user.tab();
		open(tab, "/posts/" + post);
		tab.fill("#compose-body", "my opinion");
		tab.click("#reply button.primary");
		tab.await().text(".outgoing", "Sent. Show it");
		assertThat(tab.evaluate("window.stayed")).as("no other page came").isEqualTo(true);
		assertThat(tab.value("#compose-body")).as("free for the next text").isEmpty();
		replyInPlace(tab, "[data-live-list] article", "another opinion");
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void theFirstPageOfALongConversationLeadsToTheNewReplies(Browser browser) {
		String post = longConversation();
		Tab tab = browser.newTab();
		openAndAwaitStream(tab, "/posts/" + post);
		this.author.reply(post, "a first new one");
		tab.await().text(".live-new", "1 new reply");
		this.author.reply(post, "a second new one");
		tab.await().text(".live-new", "2 new replies");
		assertThat(tab.text("#replies-title .count")).isEqualTo(String.valueOf(MANY + 2));
		tab.clickAndLoad(".live-new");
		assertThat(tab.texts("[data-live-list] .post-body")).containsExactly("a first new one", "a second new one");
		tab.await().count("[data-live-state='open']", 1);
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void theListOfMentionsLeadsToTheNewOnes(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = user.tab();
		openAndAwaitStream(tab, "/mentions");
		this.author.post("hello @" + user.name());
		tab.await().text(".live-new", "1 new post");
		this.author.get("/@" + user.name());
		this.author.submit("/@" + user.name() + "/follow");
		tab.await().text("[data-unread]", "2");
		this.author.post("are you there, @" + user.name() + "?");
		tab.await().text(".live-new", "2 new posts");
		tab.clickAndLoad(".live-new");
		assertThat(tab.count("article")).isEqualTo(2);
		assertThat(tab.count(".live-new")).isZero();
	}

	private String mention(SiteUser user) {
		return this.author.postJson("body", "hello @" + user.name(), "once", UUID.randomUUID().toString())
			.json()
			.at("/posts/0/id")
			.asString();
	}

	private void delete(String post) {
		assertThat(this.author.submit("/posts/" + post + "/delete").status()).isEqualTo(303);
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void theListOfMentionsLeadsToEachOfManyNewOnes(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		openAndAwaitStream(user.tab(), "/mentions");
		user.tab().evaluate(LOOKS);
		for (int i = 1; i < 6; i++) {
			mention(user);
			user.tab().await().text(".live-new", (i == 1) ? "1 new post" : i + " new posts");
		}
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void theListOfMentionsLeadsToTheNewOnesOfWhoeverHasMoreUnreadThanTheBadgeShows(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		for (int i = 0; i < 101; i++) {
			mention(user);
		}
		FanOutWait.settle(this.site);
		openAndAwaitStream(user.tab(), "/mentions");
		assertThat(user.tab().text("[data-unread]")).isEqualTo("99+");
		mention(user);
		user.tab().await().text(".live-new", "1 new post");
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void aMentionThatMovesUpIsNotNew(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		List<String> posts = IntStream.range(0, 21).mapToObj((i) -> mention(user)).toList();
		FanOutWait.settle(this.site);
		Tab tab = user.tab();
		openAndAwaitStream(tab, "/mentions");
		tab.evaluate(LOOKS);
		delete(posts.get(10));
		tab.await().count("article", 19);
		tab.await().that("a look at the page", (page) -> Boolean.TRUE.equals(page.evaluate("looks > 0")));
		assertThat(tab.count(".live-new")).isZero();
		mention(user);
		tab.await().text(".live-new", "1 new post");
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void theLinkToANewMentionGoesWithIt(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = user.tab();
		openAndAwaitStream(tab, "/mentions");
		String post = mention(user);
		tab.await().text(".live-new", "1 new post");
		tab.evaluate("document.querySelector('.live-new').focus()");
		delete(post);
		tab.await().count(".live-new", 0);
		assertThat(tab.evaluate("document.activeElement.id")).isEqualTo("feed-title");
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void aDeletedReplyDoesNotHideANewOne(Browser browser) {
		String post = this.author.post("what do you think?");
		List<String> replies = IntStream.range(0, MANY).mapToObj((i) -> this.author.reply(post, "reply " + i)).toList();
		Tab tab = browser.newTab();
		openAndAwaitStream(tab, "/posts/" + post);
		this.author.reply(post, "a new one");
		tab.await().text(".live-new", "1 new reply");
		delete(replies.get(MANY - 1));
		tab.await().text("#replies-title .count", String.valueOf(MANY));
		assertThat(tab.text(".live-new")).isEqualTo("1 new reply");
		this.author.reply(post, "another new one");
		tab.await().text(".live-new", "2 new replies");
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void onlyRepliesOfOthersThatTheReaderSeesAreNew(Browser browser) {
		Visitor muted = Visitor.registered(this.site);
		String post = longConversation();
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = user.tab();
		Visitor elsewhere = Visitor.of(this.site);
		elsewhere.get("/login");
		elsewhere.signIn(user.name(), Visitor.PASSWORD);
		elsewhere.get("/@" + muted.name());
		assertThat(elsewhere.submit("/@" + muted.name() + "/mute").status()).isEqualTo(303);
		openAndAwaitStream(tab, "/posts/" + post);
		muted.postJson("body", "not for you", "once", UUID.randomUUID().toString(), "reply_to", post);
		tab.await().text("#replies-title .count", String.valueOf(MANY + 1));
		tab.fill("#compose-body", "my own");
		tab.click("#reply button.primary");
		tab.await().text("#replies-title .count", String.valueOf(MANY + 2));
		this.author.reply(post, "of another one");
		tab.await().text("#replies-title .count", String.valueOf(MANY + 3));
		tab.await().text(".live-new", "1 new reply");
	}

}
