package live.retwis.browser;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/** The form on the page of a post, and the focus there. */
class ConversationFormBrowserTests {

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
	@Tag("long")
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
	@Tag("slow")
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

}
