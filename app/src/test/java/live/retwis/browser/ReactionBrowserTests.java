package live.retwis.browser;

import java.util.List;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/** Likes without leaving the page, and the counts that open pages show. */
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

	@BrowserTest
	@Tag("slow")
	@Tag("long")
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
	@Tag("long")
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
	@Tag("slow")
	@Tag("long")
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
	@Tag("long")
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
	@Tag("long")
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
	@Tag("slow")
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
	@Tag("slow")
	@Tag("long")
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
	@Tag("slow")
	@Tag("long")
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
	@Tag("long")
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
