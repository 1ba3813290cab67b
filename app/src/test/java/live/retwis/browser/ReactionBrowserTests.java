package live.retwis.browser;

import java.util.List;

import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/** Liking and replying without leaving the page, and the keys for readers. */
class ReactionBrowserTests {

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final String post = this.author.post("to be liked");

	private final String article = SiteUser.article(this.post);

	private Tab reader(Browser browser) {
		SiteUser reader = SiteUser.register(browser.newTab(), this.site.url("/"));
		reader.tab().open(this.site.url("/@" + this.author.name()));
		reader.awaitLive();
		return reader.tab();
	}

	private static void press(Tab tab, String key) {
		tab.evaluate("void (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', "
				+ "{ key: '" + key + "', bubbles: true, cancelable: true }))");
	}

	@BrowserTest
	void aLikeStaysOnThePageAndIsSeenByEverybodyAtOnce(Browser browser) {
		Tab other = browser.newTab();
		other.open(this.site.url("/@" + this.author.name()));
		other.await().count("[data-live-state='open']", 1);
		Tab reader = reader(browser);
		String before = reader.url();
		reader.click(this.article + " button.like");
		reader.await().count(this.article + " button.like[aria-pressed='true'][data-count='1']", 1);
		other.await().count(this.article + " button.like[data-count='1']", 1);
		assertThat(reader.url()).isEqualTo(before);
		reader.reload();
		reader.await().count(this.article + " button.like[aria-pressed='true'][data-count='1']", 1);
		reader.click(this.article + " button.like");
		other.await().count(this.article + " button.like[data-count]", 0);
		reader.await().count(this.article + " button.like[aria-pressed='false']", 1);
	}

	@BrowserTest
	@Tag("slow")
	void aLikeThatIsOneTooManyIsTakenBackAndThePostSaysWhenOneCanGoOn(Browser browser) {
		// Registered without limits: all browsers come from the same address. The cookie
		// of the session counts for both instances, since they differ by the port only.
		Tab reader = SiteUser.register(browser.newTab(), this.site.url("/")).tab();
		reader.open(Site.limited().url("/posts/" + this.post));
		String like = this.article + " button.like";
		reader.click(like);
		reader.await().count(like + "[data-count='1']:not([data-sending])", 1);
		reader.click(like);
		reader.await().count(like + "[aria-pressed='false']:not([data-count], [data-sending])", 1);
		reader.click(like);
		reader.await().text(this.article + " .problem", "You can go on in");
		reader.await().count(like + "[aria-pressed='false']:not([data-count], [data-sending])", 1);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aPageThatMayNotAskWhatItsReaderHasLikedTakesLikesAllTheSame(Browser browser) {
		Tab reader = SiteUser.register(browser.newTab(), this.site.url("/")).tab();
		reader.open(Site.limited().url("/settings"));
		reader.evaluate("Promise.all([1, 2, 3].map(() => fetch('/reactions?posts='))).then(() => 0)");
		reader.beforeScripts("""
				() => {
					window.fetch = ((send) => async (...how) => {
						const answer = await send(...how);
						window.refused ||= answer.status === 429;
						return answer;
					})(window.fetch);
				}""");
		reader.open(Site.limited().url("/posts/" + this.post));
		reader.await().that("a refusal", (page) -> Boolean.TRUE.equals(page.evaluate("window.refused")));
		String like = this.article + " button.like";
		reader.click(like);
		reader.await().count(like + "[aria-pressed='true'][data-count='1']:not([data-sending])", 1);
		assertThat(reader.count(this.article + " .problem")).isZero();
	}

	@BrowserTest
	void aLikeOfAPostOnItsOwnPageIsCountedOnceWhenTheStreamIsFasterThanTheAnswer(Browser browser) {
		Tab reader = reader(browser);
		reader.open(this.site.url("/posts/" + this.post));
		reader.await().count("[data-live-state='open']", 1);
		reader.evaluate("""
				window.fetch = ((send) => async (...asked) => {
					const answer = await send(...asked);
					const like = document.querySelector("button.like");
					const filter = { attributeFilter: ["data-count"] };
					await new Promise((counted) =>
						like.dataset.count ? counted() : new MutationObserver(counted).observe(like, filter));
					return answer;
				})(fetch);
				void 0""");
		reader.click(this.article + " button.like");
		reader.await().count(this.article + " button.like[data-count]:not([data-sending])", 1);
		assertThat(reader.attribute(this.article + " button.like", "data-count")).isEqualTo("1");
	}

	@BrowserTest
	@Tag("slow")
	void aLikeIsCountedWhileTheStreamIsPausedAndOnceAfterwards(Browser browser) {
		Tab reader = reader(browser);
		reader.click(".live-controls button");
		reader.click(this.article + " button.like");
		reader.await().count(this.article + " button.like[data-count='1']", 1);
		String later = this.author.post("after the like");
		reader.click(".live-controls button");
		reader.await().count(SiteUser.article(later), 1);
		assertThat(reader.attribute(this.article + " button.like", "data-count")).isEqualTo("1");
	}

	@BrowserTest
	@Tag("slow")
	void aRepostComesToTheOpenPagesOfFollowersAndGoesWhenItIsTakenBack(Browser browser) {
		Tab reader = reader(browser);
		Visitor follower = Visitor.registered(this.site);
		String reposter = "/@" + reader.attribute("body", "data-viewer");
		follower.get(reposter);
		assertThat(follower.submit(reposter + "/follow").status()).isEqualTo(303);
		Tab home = browser.newTab();
		SiteUser.login(home, this.site.url("/"), follower.name()).awaitLive();
		reader.click(this.article + " button.repost");
		home.await().count(this.article + " .reposted", 1);
		reader.await().count(this.article + " button.repost[aria-pressed='true'][data-count='1']", 1);
		home.click(this.article + " button.like");
		reader.await().count(this.article + " button.like[data-count='1']", 1);
		home.await().count(this.article + " button.like[data-count='1']", 1);
		reader.click(this.article + " button.repost");
		home.await().count(this.article, 0);
		reader.await().count(this.article + " button.repost[data-count]", 0);
	}

	@BrowserTest
	void aRepostedPostStaysUntilItsLastRepostIsTakenBack(Browser browser) {
		Visitor first = Visitor.registered(this.site);
		Visitor second = Visitor.registered(this.site);
		Visitor follower = Visitor.registered(this.site);
		follower.follow(first);
		follower.follow(second);
		Tab home = browser.newTab();
		SiteUser.login(home, this.site.url("/"), follower.name()).awaitLive();
		first.submit("/posts/" + this.post + "/repost");
		home.await().text(this.article + " .reposted", first.name());
		second.submit("/posts/" + this.post + "/repost");
		String later = second.post("after the second repost");
		home.await().count(SiteUser.article(later), 1);
		first.submit("/posts/" + this.post + "/unrepost");
		home.await().text(this.article + " .reposted", second.name());
		assertThat(home.count(this.article + " .reposted")).isOne();
		second.submit("/posts/" + this.post + "/unrepost");
		home.await().count(this.article, 0);
	}

	@BrowserTest
	@Tag("slow")
	void aPostThatAPageShowsByARepostStaysForEachOtherReasonToBeThere(Browser browser) {
		Visitor first = Visitor.registered(this.site);
		Visitor second = Visitor.registered(this.site);
		Visitor follower = Visitor.registered(this.site);
		List.of(this.author, first, second).forEach(follower::follow);
		first.submit("/posts/" + this.post + "/repost");
		second.submit("/posts/" + this.post + "/repost");
		FanOutWait.settle(this.site);
		Tab home = browser.newTab();
		SiteUser.login(home, this.site.url("/"), follower.name()).awaitLive();
		assertThat(home.text(this.article + " .reposted")).contains(second.name());
		second.submit("/posts/" + this.post + "/unrepost");
		home.await().text(this.article + " .reposted", first.name());
		first.submit("/posts/" + this.post + "/unrepost");
		home.await().count(this.article + " .reposted", 0);
		assertThat(home.count(this.article)).isOne();
	}

	@BrowserTest
	@Tag("slow")
	void aRepostOfAPostThatIsOnThePageIsShownWhereThePostIs(Browser browser) {
		Visitor first = Visitor.registered(this.site);
		Visitor second = Visitor.registered(this.site);
		Visitor follower = Visitor.registered(this.site);
		List.of(this.author, first, second).forEach(follower::follow);
		String later = this.author.post("above the post");
		FanOutWait.settle(this.site);
		Tab profile = browser.newTab();
		profile.open(this.site.url("/@" + this.author.name()));
		profile.await().count("[data-live-state='open']", 1);
		Tab home = browser.newTab();
		SiteUser.login(home, this.site.url("/"), follower.name()).awaitLive();
		first.submit("/posts/" + this.post + "/repost");
		home.await().text(this.article + " .reposted", first.name());
		second.submit("/posts/" + this.post + "/repost");
		home.await().text(this.article + " .reposted", second.name());
		assertThat(home.count(this.article + " .reposted")).isOne();
		assertThat(home.count(SiteUser.article(later) + " + " + this.article)).as("in its place").isOne();
		profile.await().count(this.article + " button.repost[data-count='2']", 1);
		assertThat(profile.count(".reposted")).as("no entry of the author's page").isZero();
		home.reload();
		home.await().text(this.article + " .reposted", second.name());
		second.submit("/posts/" + this.post + "/unrepost");
		home.await().text(this.article + " .reposted", first.name());
		first.submit("/posts/" + this.post + "/unrepost");
		home.await().count(this.article + " .reposted", 0);
		assertThat(home.count(this.article)).isOne();
	}

	@BrowserTest
	@Tag("slow")
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
	void countsChangeOnPagesWhoseListIsNotLive(Browser browser) {
		Tab reader = SiteUser.register(browser.newTab(), this.site.url("/")).tab();
		reader.open(this.site.url("/posts/" + this.post));
		reader.clickAndLoad("button[formaction='/posts/" + this.post + "/bookmark']");
		int likes = 0;
		for (String path : new String[] { "/bookmarks", "/posts/" + this.post + "/likes" }) {
			reader.open(this.site.url(path));
			Visitor fan = Visitor.registered(this.site);
			fan.get("/posts/" + this.post);
			fan.submit("/posts/" + this.post + "/like");
			likes++;
			reader.await().count(this.article + " button.like[data-count='" + likes + "']", 1);
		}
		this.author.get("/posts/" + this.post);
		this.author.submit("/posts/" + this.post + "/delete");
		reader.await().count(this.article, 0);
	}

	@BrowserTest
	@Tag("slow")
	void aPostThatIsDeletedBeforeThePageOpensItsStreamLeavesThePage(Browser browser) {
		Tab likes = browser.newTab();
		likes.beforeScripts("""
				() => {
					let state = "hidden";
					Object.defineProperty(document, "visibilityState", { get: () => state });
					window.turnToPage = () => {
						state = "visible";
						document.dispatchEvent(new Event("visibilitychange"));
					};
				}""");
		likes.open(this.site.url("/posts/" + this.post + "/likes"));
		assertThat(likes.count(this.article)).isOne();
		this.author.get("/posts/" + this.post);
		this.author.submit("/posts/" + this.post + "/delete");
		likes.evaluate("turnToPage()");
		likes.await().count(this.article, 0);
	}

	@BrowserTest
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
	void aLikeInTwoBrowsersIsCountedOnce(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = user.tab();
		tab.open(this.site.url("/posts/" + this.post));
		user.awaitLive();
		tab.await()
			.that("the page knows what its reader has liked", (page) -> Boolean.TRUE.equals(page.evaluate(
					"performance.getEntriesByType('resource').some(({ name }) => name.includes('/reactions?'))")));
		Visitor elsewhere = Visitor.of(this.site);
		elsewhere.get("/login");
		elsewhere.signIn(user.name(), Visitor.PASSWORD);
		elsewhere.submit("/posts/" + this.post + "/like");
		String like = this.article + " button.like";
		tab.await().count(like + "[data-count='1']:not([aria-pressed='true'])", 1);
		tab.click(like);
		tab.await().count(like + "[aria-pressed='true']:not([data-sending])", 1);
		assertThat(tab.count(like + "[data-count='1']")).isOne();
	}

	@BrowserTest
	@Tag("slow")
	void whatAReaderDoesToAPostIsSeenInTheReadersOtherTabsButNotInThoseOfAnotherUser(Browser browser) {
		Tab first = SiteUser.register(browser.newTab(), this.site.url("/")).tab();
		List<Tab> others = List.of(first.window(), first.window(), browser.newTab());
		Tab another = SiteUser.register(others.get(2), this.site.url("/")).tab();
		first.open(this.site.url("/posts/" + this.post));
		others.get(0).open(this.site.url("/posts/" + this.post));
		others.get(1).open(this.site.url("/posts/" + this.post + "/likes"));
		another.open(this.site.url("/posts/" + this.post));
		for (String action : List.of("like", "repost")) {
			String button = this.article + " button." + action;
			for (String pressed : List.of("true", "false")) {
				first.click(button);
				for (Tab tab : others.subList(0, 2)) {
					tab.await().count(button + "[aria-pressed='" + pressed + "']:not([data-sending])", 1);
				}
				others.get(1).await().count(button + "[data-count]", pressed.equals("true") ? 1 : 0);
				first.await().count(button + ":not([data-sending])", 1);
			}
			assertThat(another.count(button + "[aria-pressed='true']")).isZero();
		}
		first.clickAndLoad("button[formaction='/posts/" + this.post + "/bookmark']");
		others.get(0).await().text("button[formaction='/posts/" + this.post + "/unbookmark']", "Remove bookmark");
		others.get(0).clickAndLoad("button[formaction='/posts/" + this.post + "/unbookmark']");
		first.await().text("button[formaction='/posts/" + this.post + "/bookmark']", "Bookmark");
		assertThat(another.count("button[formaction='/posts/" + this.post + "/bookmark']")).isOne();
	}

	@BrowserTest
	void countsOfThePostsAboveAConversationChange(Browser browser) {
		this.author.postJson("body", "a reply", "once", this.post + this.post, "reply_to", this.post);
		String reply = this.author.get("/posts/" + this.post).postIds().get(1);
		Tab reader = browser.newTab();
		reader.open(this.site.url("/posts/" + reply));
		reader.await().count("[data-live-state='open']", 1);
		Visitor fan = Visitor.registered(this.site);
		fan.get("/posts/" + this.post);
		fan.submit("/posts/" + this.post + "/like");
		reader.await().count(this.article + " button.like[data-count='1']", 1);
	}

	@BrowserTest
	void theAddressOfTheFormPutsTheFocusIntoItAndLeavesItThere(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		user.tab().open(this.site.url("/posts/" + this.post + "#reply"));
		user.awaitLive();
		assertThat(user.tab().evaluate("document.activeElement.name")).isEqualTo("body");
		user.tab().evaluate("new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(() => end(1))))");
		assertThat(user.tab().evaluate("document.activeElement.name")).isEqualTo("body");
	}

	@BrowserTest
	@Tag("slow")
	void aReplyComesToAnOpenConversationAndIsSentFromIt(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab reader = user.tab();
		reader.open(this.site.url("/posts/" + this.post));
		user.awaitLive();
		String other = this.author.post("no reply");
		this.author.submit("/posts/" + other + "/delete");
		this.author.submit("/posts/" + this.post + "/like");
		reader.await().count(this.article + " button.like[data-count='1']", 1);
		assertThat(reader.count("[data-live-empty]")).as("no reply was deleted").isOne();
		this.author.postJson("body", "the first reply", "once", this.post + this.post, "reply_to", this.post);
		reader.await().text("[data-live-list] article .post-body", "the first reply");
		reader.await().text("[data-live-replies] .count", "1");
		reader.fill("#compose-body", "the second reply");
		reader.click("form.compose button.primary");
		reader.await().count("[data-live-list] article", 2);
		assertThat(reader.texts("[data-live-list] article .post-body")).containsExactly("the first reply",
				"the second reply");
		assertThat(reader.texts("main article .post-body")).as("after a reload the same")
			.containsExactly("to be liked", "the first reply", "the second reply");
	}

	@BrowserTest
	void whatWasTypedSurvivesAChangeOfPage(Browser browser) {
		Tab tab = SiteUser.register(browser.newTab(), this.site.url("/")).tab();
		tab.fill("#compose-body", "not sent yet");
		tab.open(this.site.url("/timeline"));
		tab.open(this.site.url("/home"));
		tab.await().that("the draft", (now) -> now.value("#compose-body").equals("not sent yet"));
		tab.await().count("[data-live-state='open']", 1);
		tab.click("form.compose button.primary");
		tab.await().text("article .post-body", "not sent yet");
		tab.await().count(".outgoing", 0);
		tab.reload();
		assertThat(tab.value("#compose-body")).isEmpty();
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

	@BrowserTest
	@Tag("slow")
	void keysGoFromPostToPostLikeAndReplyButNotWhileSomebodyTypes(Browser browser) {
		String newest = this.author.post("the newest");
		Tab reader = reader(browser);
		press(reader, "j");
		assertThat(reader.evaluate("document.activeElement.id")).isEqualTo("post-" + newest);
		press(reader, "j");
		assertThat(reader.evaluate("document.activeElement.id")).isEqualTo("post-" + this.post);
		press(reader, "l");
		reader.await().count(this.article + " button.like[aria-pressed='true']", 1);
		press(reader, "k");
		press(reader, "r");
		reader.await().count(SiteUser.article(newest) + " form[data-reply-in-place]", 1);
		press(reader, "l");
		assertThat(reader.count(SiteUser.article(newest) + " button.like[aria-pressed='true']")).isZero();
		press(reader, "Escape");
		press(reader, "?");
		assertThat(reader.text("dialog h2")).isEqualTo("Keys");
		assertThat(reader.texts("dialog dt")).containsExactly("j", "k", "l", "r", "n", "/", "?", "Ctrl + Enter", "Esc");
		assertThat(reader.texts("dialog dd")).hasSize(9).allMatch((text) -> text.matches("[a-z ]{5,}"));
		reader.click("dialog button");
		reader.await().count("dialog", 0);
		press(reader, "?");
		reader.click("dialog button:last-child");
		press(reader, "?");
		assertThat(reader.count("dialog[open]")).as("the keys are turned off").isZero();
		reader.open(this.site.url("/settings"));
		reader.await().count("[data-keys]:not([hidden]) input:not(:checked)", 1);
		reader.click("[data-keys] input");
		reader.evaluate("document.activeElement.blur()");
		press(reader, "?");
		reader.await().count("dialog", 1);
		reader.click("dialog button");
		reader.open(this.site.url("/notifications"));
		press(reader, "n");
		reader.await()
			.that("the field of the home page", (page) -> page.url().endsWith("/home#new-post")
					&& "compose-body".equals(page.evaluate("document.activeElement.id")));
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void keysAreLeftToFieldsAndToTheBrowser(Browser browser) {
		Tab reader = reader(browser);
		String keys = "jklrn/?";
		reader.fill("[type=search]", keys);
		assertThat(reader.value("[type=search]")).isEqualTo(keys);
		String choice = "document.querySelector('#main').append(document.createElement('select')); void 0";
		for (String page : List.of("/settings", "/home")) {
			reader.open(this.site.url(page));
			reader.evaluate(choice);
			for (String field : List.of("[type=search]", "[type=checkbox]", "[type=file]", "textarea", "select")) {
				if (reader.count(field) > 0) {
					assertThat(takes(reader, field, keys, "")).as("in %s of %s", field, page).isEqualTo("");
				}
			}
			for (String how : List.of("ctrlKey", "metaKey", "altKey", "isComposing")) {
				assertThat(takes(reader, "body", keys, how + ": true")).as(how).isEqualTo("");
			}
			assertThat(reader.count("dialog")).isZero();
			assertThat(takes(reader, "body", "?", "")).as("without a field").isEqualTo("?");
			reader.await().count("dialog", 1);
			reader.click("dialog button");
		}
	}

	/** Which of the keys the page takes from the browser. */
	private static String takes(Tab tab, String target, String keys, String how) {
		return String.valueOf(tab.evaluate("""
				[..."%s"].filter((key) => !document.querySelector("%s").dispatchEvent(
					new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, %s }))).join("")"""
			.formatted(keys, target, how)));
	}

	@BrowserTest
	@Tag("slow")
	void aPageWhoseStreamIsSilentOrOfflineSaysSoAndComesBack(Browser browser) {
		Tab reader = reader(browser);
		saysThatItIsNotLive(reader, ".live-mark", "Live");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aPageWithoutALiveListWhoseStreamIsSilentOrOfflineSaysSoAndComesBack(Browser browser) {
		Tab reader = reader(browser);
		for (String page : new String[] { "/posts/" + this.post + "/likes", "/settings" }) {
			reader.open(this.site.url(page));
			saysThatItIsNotLive(reader, ".not-live", "");
		}
	}

	/** Says nothing before one and a half heartbeats, which are 22.5 s. */
	private static void saysThatItIsNotLive(Tab tab, String mark, String live) {
		tab.evaluate("""
				window.marks = [];
				new MutationObserver(() => {
					const mark = document.querySelector("%s")?.textContent ?? "";
					if (mark !== (marks.at(-1) ?? "%s")) marks.push(mark);
				}).observe(document.body, { childList: true, subtree: true });
				window.clock = Date.now();
				Date.now = () => {
					window.looks++;
					return clock;
				};
				void 0""".formatted(mark, live));
		String away = "Reconnecting…," + live;
		tab.evaluate("void dispatchEvent(new Event('offline'))");
		tab.await().that(away, (page) -> away.equals(page.evaluate("marks.join()")));
		for (int silence = 10; silence <= 20; silence += 10) {
			tab.evaluate("window.looks = 0; clock += 10_000; void 0");
			tab.await().that("a look at the clock", (page) -> Boolean.TRUE.equals(page.evaluate("looks > 0")));
			assertThat(tab.evaluate("marks.join()")).as("silent for %d s", silence).isEqualTo(away);
		}
		tab.evaluate("clock += 3_000; void 0");
		tab.await().that(away, (page) -> (away + "," + away).equals(page.evaluate("marks.join()")));
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
	void theFocusStaysInAConversationWhenTheOnlyPostAboveIsDeleted(Browser browser) {
		this.author.postJson("body", "a reply", "once", this.post + this.post, "reply_to", this.post);
		String reply = this.author.get("/posts/" + this.post).postIds().get(1);
		Tab reader = browser.newTab();
		reader.open(this.site.url("/posts/" + reply));
		reader.await().count("[data-live-state='open']", 1);
		reader.evaluate("document.querySelector('" + this.article + " a.when').focus()");
		this.author.submit("/posts/" + this.post + "/delete");
		reader.await().count(this.article, 0);
		assertThat(reader.evaluate("document.activeElement.id")).isEqualTo("post-" + reply);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theAddressOfTheFormLeavesTheReaderAloneOnTheWayBack(Browser browser) {
		Tab reader = reader(browser);
		reader.open(this.site.url("/posts/" + this.post + "#reply"));
		reader.await().that("the focus", (page) -> "body".equals(page.evaluate("document.activeElement.name")));
		reader.reload();
		reader.await().count("[data-live-state='open']", 1);
		assertThat(reader.evaluate("document.activeElement.name ?? ''")).as("after a reload").isEqualTo("");
		reader.click(this.article + " a.reply");
		reader.await().that("the focus again", (page) -> "body".equals(page.evaluate("document.activeElement.name")));
		reader.evaluate("document.activeElement.blur()");
		reader.open(this.site.url("/timeline"));
		reader.go(-1);
		reader.await().count("[data-live-state='open']", 1);
		assertThat(reader.evaluate("document.activeElement.name ?? ''")).as("on the way back").isEqualTo("");
	}

	@BrowserTest
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
	void aLikeWithoutAnAnswerIsTakenBack(Browser browser) {
		Tab reader = reader(browser);
		reader.evaluate("""
				void (AbortSignal.timeout = ((real) => (ms) => real(ms / 20))(AbortSignal.timeout.bind(AbortSignal)));
				window.fetch = (address, how) =>
					new Promise((answer, fail) => how.signal?.addEventListener("abort", () => fail(how.signal.reason)));
				void 0""");
		reader.click(this.article + " button.like");
		reader.await().text(this.article + " .problem", "could not be liked");
		assertThat(reader.count(this.article + " button.like[aria-pressed='false']:not([data-sending])")).isOne();
	}

	@BrowserTest
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
	void theKeyForANewPostDoesNotGoToTheFormOfAReply(Browser browser) {
		Tab reader = reader(browser);
		reader.open(this.site.url("/posts/" + this.post));
		press(reader, "n");
		reader.await()
			.that("the field of the home page", (page) -> page.url().endsWith("/home#new-post")
					&& "compose-body".equals(page.evaluate("document.activeElement.id")));
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aRepostIsSeenWithoutColours(Browser browser) {
		Tab reader = reader(browser);
		String before = reader.text(this.article + " button.repost");
		reader.click(this.article + " button.repost");
		reader.await().count(this.article + " button.repost[data-count='1']", 1);
		assertThat(reader.text(this.article + " button.repost")).isNotEqualTo(before);
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
	void aLikeThatIsTakenBackWhileThePageStillAsksStaysTakenBack(Browser browser) {
		Tab reader = reader(browser);
		String like = this.article + " button.like";
		reader.click(like);
		reader.await().count(like + "[aria-pressed='true']:not([data-sending])", 1);
		reader.beforeScripts("""
				() => {
					window.fetch = ((ask) => async (...asked) => {
						const answer = await ask(...asked);
						if (asked[0].startsWith("/reactions")) await new Promise((go) => (window.go = go));
						return answer;
					})(fetch);
				}""");
		reader.reload();
		reader.await().that("an answer on its way", (page) -> Boolean.TRUE.equals(page.evaluate("'go' in window")));
		for (String pressed : List.of("true", "false")) {
			reader.click(like);
			reader.await().count(like + "[aria-pressed='" + pressed + "']:not([data-sending])", 1);
		}
		reader.evaluate("void go()");
		reader.await().count(this.article + " button.repost[aria-pressed='false']", 1);
		assertThat(reader.count(like + "[aria-pressed='false']")).isOne();
	}

	@BrowserTest
	@Tag("slow")
	void whyALikeIsRefusedIsToldInTheLanguageOfThePage(Browser browser) {
		Tab reader = reader(browser);
		reader.open(this.site.url("/@" + this.author.name() + "?lang=zh"));
		reader.await().count("[data-live-state='open']", 1);
		reader.click(".live-controls button");
		reader.window().open(this.site.url("/timeline?lang=en"));
		this.author.submit("/posts/" + this.post + "/delete");
		reader.click(this.article + " button.like");
		reader.await().count(this.article + " .problem", 1);
		assertThat(reader.text(this.article + " .problem")).matches(".*\\p{IsHan}.*");
	}

}
