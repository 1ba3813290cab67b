package live.retwis.browser;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

import live.retwis.locks.nodes.proxy.FaultHandle;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.log.CommitLog;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What users see of others without reloading.
 */
class LiveBrowserTests {

	/** Longest time in ms from the click to the follower's page. */
	private static final long AT_ONCE = 1000;

	/** A broken stream is opened again after a second, or after two if a try fails. */
	private static final Duration COMES_BACK = Duration.ofSeconds(15);

	/** Stores the time when an article with the text appears. */
	private static final String WATCH = """
			new MutationObserver(() => {
				if (document.querySelector("[data-live-list]").innerText.includes("Hello, everybody")) {
					window.arrived ??= Date.now();
				}
			}).observe(document.querySelector("[data-live-list]"), { childList: true })""";

	private final Site site = Site.shared();

	@BrowserTest
	void aFollowerSeesAPostWithinASecondAndLosesItWhenItIsDeleted(Browser browser) {
		SiteUser alice = SiteUser.register(browser.newTab(), this.site.url("/"));
		SiteUser bob = SiteUser.register(browser.newTab(TabOptions.phone()), this.site.url("/"));
		bob.tab().open(this.site.url("/@" + alice.name()));
		bob.tab().clickAndLoad("button[formaction$='/follow']");
		bob.tab().open(this.site.url("/home"));
		bob.awaitLive();
		bob.tab().evaluate(WATCH);
		alice.tab().fill("#compose-body", "Hello, everybody");
		alice.tab().click("form.compose button.primary");
		long clicked = System.currentTimeMillis();
		bob.tab().await().text("article .post-body", "Hello, everybody");
		assertThat(number(bob.tab(), "window.arrived") - clicked).isLessThan(AT_ONCE);
		assertThat(bob.tab().text("article time")).isEqualTo("now");
		assertThat(bob.tab().attribute("article time", "title")).isNotEmpty();
		assertThat(bob.tab().count("[data-live-empty]:not([hidden])")).isZero();
		assertThat(bob.tab().count("article button.danger")).as("Bob cannot delete it").isZero();
		alice.tab().await().text("article .post-body", "Hello, everybody");
		alice.tab().click("article button.danger");
		alice.tab().await().text("article button.danger[data-armed]", "Delete?");
		alice.tab().clickAndLoad("article button.danger");
		bob.tab().await().count("article", 0);
	}

	/**
	 * What a page says in a language.
	 *
	 * @param title of an open home page, with a mention that is not read
	 */
	private record Words(String language, String title, String mentioned, String followed) {
	}

	private SiteUser register(Browser browser, Words words) {
		return SiteUser.register(browser.newTab(), this.site.url("/?lang=" + words.language()));
	}

	private void openLive(SiteUser user, String path) {
		user.tab().open(this.site.url(path));
		user.awaitLive();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void whatOthersDoComesToOpenPagesInEachLanguage(Browser browser) {
		for (Words words : List.of(new Words("en", "(1) Home", "mentioned you", "follows you"),
				new Words("zh", "(1) 主页", "提到了你", "关注了你"))) {
			SiteUser writer = register(browser, words);
			SiteUser reader = register(browser, words);
			reader.awaitLive();
			String hello = "hello @" + reader.name();
			writer.post(hello);
			String post = Objects.requireNonNull(writer.tab().attribute("article.post", "data-post-id"));
			reader.tab().await().text("[data-unread]", "1");
			assertThat(reader.tab().title()).startsWith(words.title());
			reader.tab().open(this.site.url("/notifications"));
			assertThat(reader.tab().text(".notifications li")).contains("@" + writer.name(), words.mentioned(), hello);
			reader.tab().await().that("no number", (tab) -> tab.text("[data-unread]").isEmpty());
			writer.tab().open(this.site.url("/@" + reader.name()));
			writer.tab().clickAndLoad("button[formaction$='/follow']");
			reader.tab().await().text(".notifications li:first-child", words.followed());
			reader.tab().open(this.site.url("/@" + writer.name()));
			reader.tab().clickAndLoad("button[formaction$='/follow']");
			openLive(reader, "/home");
			openLive(writer, "/home");
			writer.post("to followers");
			reader.tab().await().text("article .post-body", "to followers");
			List.of(reader, writer).forEach((user) -> openLive(user, "/posts/" + post));
			writer.tab().fill("#compose-body", "an answer");
			writer.tab().click("form.compose button.primary");
			reader.tab().await().text("[data-live-list] article .post-body", "an answer");
			writer.tab().click(SiteUser.article(post) + " button.like");
			reader.tab().await().count(SiteUser.article(post) + " button.like[data-count='1']", 1);
		}
	}

	@BrowserTest
	void anOpenProfileShowsANewNameAndBio(Browser browser) {
		Visitor alice = Visitor.registered(this.site);
		Tab tab = browser.newTab();
		tab.open(this.site.url("/@" + alice.name()));
		tab.await().count("[data-live-state='open']", 1);
		assertThat(tab.text(".profile h1")).isEqualTo(alice.name());
		alice.get("/settings");
		alice.submit("/settings/profile", "name", "Alice <Liddell>", "bio", "curious");
		tab.await().text(".profile h1", "Alice <Liddell>");
		tab.await().text(".bio", "curious");
	}

	@BrowserTest
	@Tag("slow")
	void theUsersBesideThePublicTimelineShowTheirNewNames(Browser browser) {
		Visitor alice = Visitor.registered(this.site);
		Tab tab = browser.newTab();
		tab.open(this.site.url("/timeline"));
		tab.await().count("[data-live-state='open']", 1);
		String name = ".people a[href='/@" + alice.name() + "'] .name";
		alice.get("/settings");
		alice.submit("/settings/profile", "name", "Alice <Liddell>");
		tab.await().text(name, "Alice <Liddell>");
		alice.submit("/settings/profile", "name", "");
		tab.await().noText(name, "Alice");
		assertThat(tab.texts(name)).as("no second name").containsExactly("");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void anAuthorWhomAPageShowsByARepostOrInAListOfPostsShowsTheNewName(Browser browser) {
		SiteUser reader = SiteUser.register(browser.newTab(), this.site.url("/"));
		Visitor other = signedIn(reader);
		Visitor friend = Visitor.registered(this.site);
		Visitor author = Visitor.registered(this.site);
		String id = author.post("for @" + reader.name());
		restrict(other, friend, "follow");
		friend.submit("/posts/" + id + "/repost");
		String name = "#post-" + id + " .name";
		List<String> pages = List.of("/home", "/mentions");
		for (String page : pages) {
			Tab tab = reader.tab();
			tab.open(this.site.url(page));
			tab.await().count(name, 1);
			author.get("/settings");
			author.submit("/settings/profile", "name", "Seen on " + page);
			tab.await().text(name, "Seen on " + page);
		}
	}

	/**
	 * As after an import: there the posts and the users of a site have the same numbers.
	 */
	@BrowserTest
	@Tag("slow")
	void aDeletedPostWithTheIdOfAUserTakesNoPostOfThatUserAway(Browser browser) {
		Visitor alice = Visitor.registered(this.site);
		alice.post("stays");
		Tab tab = browser.newTab();
		tab.open(this.site.url("/@" + alice.name()));
		tab.await().count("[data-live-state='open']", 1);
		this.site.bean(CommitLog.class).postDeleted(alice.id(), alice.id()).block(COMES_BACK);
		alice.post("later");
		tab.await().text("article .post-body", "later");
		assertThat(tab.count("article")).isEqualTo(2);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aMuteOrABlockInAnotherTabTakesAwayWhatAnOpenPageShows(Browser browser) {
		SiteUser reader = SiteUser.register(browser.newTab(), this.site.url("/"));
		Visitor other = signedIn(reader);
		List<Visitor> authors = Stream.generate(() -> Visitor.registered(this.site)).limit(3).toList();
		for (Visitor author : authors) {
			author.post("by " + author.name());
			restrict(other, author, "follow");
		}
		reader.tab().open(this.site.url("/home"));
		reader.awaitLive();
		reader.tab().await().count("article", 3);
		restrict(other, authors.get(0), "mute");
		reader.tab().await().count("article", 2);
		restrict(other, authors.get(1), "block");
		reader.tab().await().count("article", 1);
		assertThat(reader.tab().text("article .post-body")).isEqualTo("by " + authors.get(2).name());
	}

	/** The profile of a muted user and the page of a post go on as before. */
	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aMuteOrABlockInAnotherTabTakesAwayFromAPageWithoutALiveListWhatAReloadWouldTake(Browser browser) {
		SiteUser reader = SiteUser.register(browser.newTab(), this.site.url("/"));
		Visitor other = signedIn(reader);
		List<Visitor> authors = Stream.generate(() -> Visitor.registered(this.site)).limit(2).toList();
		String word = "word" + authors.get(0).id();
		List<String> posts = authors.stream().map((author) -> author.post("@" + reader.name() + " " + word)).toList();
		posts.forEach((id) -> other.submit("/posts/" + id + "/bookmark"));
		for (int i = 0; i < 20; i++) {
			authors.get(0).post("newer");
		}
		FanOutWait.settle(this.site);
		String older = authors.get(0).get("/@" + authors.get(0).name()).older();
		Tab tab = reader.tab();
		for (String how : List.of("mute", "block")) {
			for (String page : List.of("/bookmarks", "/mentions", "/search?q=" + word, older,
					"/posts/" + posts.get(0) + "/likes")) {
				tab.open(this.site.url(page));
				assertThat(articles(tab)).as(page).contains(posts.get(0));
				String unread = tab.text("[data-unread]");
				restrict(other, authors.get(0), how);
				List<String> left = other.get(page).postIds();
				// The number may fall by one, because it leaves out those who are muted.
				for (int i = 0; i < 2; i++) {
					Visitor fan = Visitor.registered(this.site);
					fan.get("/@" + reader.name());
					fan.submit("/@" + reader.name() + "/follow");
				}
				tab.await().that("what a reload leaves", (now) -> articles(now).equals(left));
				tab.await().that("another number", (now) -> !now.text("[data-unread]").equals(unread));
				assertThat(articles(tab)).as("%s after a %s", page, how).isEqualTo(left);
				restrict(other, authors.get(0), "un" + how);
			}
		}
	}

	private static List<String> articles(Tab tab) {
		return ((List<?>) Objects.requireNonNull(
				tab.evaluate("[...document.querySelectorAll('article')].map((article) => article.dataset.postId)")))
			.stream()
			.map(String::valueOf)
			.toList();
	}

	/** As after a reload. */
	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void thePageOfAPostAndTheProfileOfItsAuthorKeepItWhenTheAuthorIsMutedInAnotherTab(Browser browser) {
		SiteUser reader = SiteUser.register(browser.newTab(), this.site.url("/"));
		Visitor other = signedIn(reader);
		Visitor author = Visitor.registered(this.site);
		String post = author.post("to be muted");
		for (String page : List.of("/posts/" + post, "/@" + author.name())) {
			String deleted = author
				.postJson("body", "comes later and goes", "once", UUID.randomUUID().toString(), "reply_to", post)
				.json()
				.at("/posts/0/id")
				.asString();
			reader.tab().open(this.site.url(page));
			reader.awaitLive();
			reader.tab().await().count(SiteUser.article(deleted), 1);
			restrict(other, author, "mute");
			author.submit("/posts/" + deleted + "/delete");
			reader.tab().await().count(SiteUser.article(deleted), 0);
			assertThat(reader.tab().count(SiteUser.article(post))).isOne();
			restrict(other, author, "unmute");
		}
	}

	private Visitor signedIn(SiteUser user) {
		Visitor elsewhere = Visitor.of(this.site);
		elsewhere.get("/login");
		elsewhere.signIn(user.name(), Visitor.PASSWORD);
		return elsewhere;
	}

	private static void restrict(Visitor visitor, Visitor other, String how) {
		visitor.get("/@" + other.name());
		assertThat(visitor.submit("/@" + other.name() + "/" + how).status()).isEqualTo(303);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void newPostsWaitWhileTheReaderHasScrolledDown(Browser browser) {
		Visitor alice = Visitor.registered(this.site);
		String oldest = alice.post("the oldest");
		for (int i = 2; i <= 15; i++) {
			alice.post("post " + i);
		}
		Tab tab = browser.newTab();
		tab.open(this.site.url("/@" + alice.name()));
		tab.await().count("[data-live-state='open']", 1);
		tab.evaluate("document.getElementById('post-" + oldest + "').scrollIntoView({ behavior: 'instant' })");
		long before = number(tab, "scrollY");
		assertThat(before).isGreaterThan(200);
		String first = alice.post("news 1");
		tab.await().text(".live-new", "1 new post");
		String second = alice.post("news 2");
		tab.await().text(".live-new", "2 new posts");
		assertThat(number(tab, "scrollY")).isEqualTo(before);
		assertThat(tab.count("article")).isEqualTo(15);
		tab.click(".live-new");
		tab.await().count("article", 17);
		assertThat(tab.attribute("article", "id")).isEqualTo("post-" + second);
		assertThat(tab.count(SiteUser.article(first))).isOne();
		tab.await().that("the top of the page", (page) -> number(page, "scrollY") == 0);
		assertThat(tab.text(".live-new")).as("hidden again").isEmpty();
	}

	@BrowserTest
	@Tag("slow")
	void theFocusGoesFromTheButtonOfANewPostToTheTitleWhenThePostIsDeleted(Browser browser) {
		Visitor alice = Visitor.registered(this.site);
		alice.post("on the page");
		Tab tab = browser.newTab();
		tab.open(this.site.url("/@" + alice.name()));
		tab.await().count("[data-live-state='open']", 1);
		tab.evaluate("document.querySelector('.feed').style.minHeight = '5000px'");
		tab.evaluate("scrollTo({ top: 1000, behavior: 'instant' })");
		String waiting = alice.post("soon gone");
		tab.await().text(".live-new", "1 new post");
		tab.evaluate("document.querySelector('.live-new').focus()");
		alice.get("/home");
		alice.submit("/posts/" + waiting + "/delete");
		tab.await().count(".live-new[hidden]", 1);
		assertThat(tab.evaluate("document.activeElement.id")).isEqualTo("feed-title");
	}

	@BrowserTest
	@Tag("slow")
	void aStreamWhoseSocketIsCutContinuesWhereItWas(Browser browser) {
		Visitor alice = Visitor.registered(this.site);
		alice.post("on the page");
		try (FaultProxy proxy = FaultProxy.ofBytes("127.0.0.1", this.site.port())) {
			Tab tab = browser.newTab();
			tab.open("http://127.0.0.1:" + proxy.port() + "/@" + alice.name());
			tab.await().count("[data-live-state='open']", 1);
			String live = alice.post("live");
			tab.await().count(SiteUser.article(live), 1);
			FaultHandle cut = proxy.cut();
			tab.await().count("[data-live-state='open']", 0);
			String missed = alice.post("missed");
			String gone = alice.post("deleted meanwhile");
			alice.submit("/posts/" + gone + "/delete");
			alice.submit("/posts/" + live + "/delete");
			cut.close();
			tab.await(COMES_BACK).count(SiteUser.article(missed), 1);
			tab.await().count(SiteUser.article(live), 0);
			String later = alice.post("later");
			tab.await().count(SiteUser.article(later), 1);
			assertThat(tab.count("article")).isEqualTo(3);
			assertThat(tab.count(SiteUser.article(gone))).isZero();
			assertThat(tab.text(".live-mark")).isEqualTo("Live");
		}
	}

	@BrowserTest
	@Tag("slow")
	void theNumberOfRepliesIsUpdatedLive(Browser browser) {
		Visitor alice = Visitor.registered(this.site);
		String id = alice.post("what do you think?");
		Tab tab = browser.newTab();
		tab.open(this.site.url("/@" + alice.name()));
		tab.await().count("[data-live-state='open']", 1);
		String reply = SiteUser.article(id) + " a.reply";
		assertThat(tab.count(reply + "[data-count]")).isZero();
		Visitor.registered(this.site).postJson("body", "I think so", "once", "reply", "reply_to", id);
		tab.await().count(reply + "[data-count='1']", 1);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void anOpenPageSaysThatTheUserLoggedOutElsewhere(Browser browser) {
		SiteUser alice = SiteUser.register(browser.newTab(), this.site.url("/"));
		alice.awaitLive();
		Tab elsewhere = browser.newTab();
		SiteUser.login(elsewhere, this.site.url("/"), alice.name());
		elsewhere.clickAndLoad("button[formaction='/logout']");
		alice.tab().await(COMES_BACK).text(".live-notice", "You have been logged out.");
		assertThat(alice.tab().attribute(".live-notice a", "href")).startsWith("/login?next=");
	}

	@BrowserTest
	@Tag("slow")
	void aReaderCanPauseAndResumeTheStream(Browser browser) {
		Visitor alice = Visitor.registered(this.site);
		Tab tab = browser.newTab();
		tab.open(this.site.url("/@" + alice.name()));
		tab.await().count("[data-live-state='open']", 1);
		tab.click(".live-controls button");
		tab.await().text(".live-mark", "Paused");
		String missed = alice.post("while paused");
		tab.click(".live-controls button");
		tab.await().count(SiteUser.article(missed), 1);
		assertThat(tab.text(".live-mark")).isEqualTo("Live");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aDoubleClickOrAHeldKeyDeletesNoPost(Browser browser) {
		SiteUser alice = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = alice.tab();
		alice.awaitLive();
		alice.post("stays");
		tab.await().count("article button.danger", 1);
		tab.evaluate(
				"""
						window.sent = 0;
						document.addEventListener("submit", (event) => {
							event.preventDefault();
							sent++;
						});
						window.deletes = document.querySelector("article button.danger");
						window.press = (detail) => deletes.dispatchEvent(new MouseEvent("click", { detail, bubbles: true, cancelable: true }));
						press(1);
						press(2);
						press(0);
						void 0""");
		assertThat(tab.evaluate("sent")).as("at once").isEqualTo(0L);
		assertThat(tab.text("article button.danger")).isEqualTo("Delete?");
		tab.await().count("article button.danger[data-armed]", 1);
		assertThat(tab.evaluate("press(2), sent")).as("a slow double click").isEqualTo(0L);
		assertThat(tab.evaluate("""
				deletes.dispatchEvent(new KeyboardEvent("keydown",
					{ key: "Enter", repeat: true, bubbles: true, cancelable: true }))""")).as("a held key")
			.isEqualTo(false);
		assertThat(tab.evaluate("press(1), sent")).as("a second click").isEqualTo(1L);
	}

	private static long number(Tab tab, String expression) {
		return ((Number) Objects.requireNonNull(tab.evaluate(expression))).longValue();
	}

}
