package live.retwis.browser;

import live.retwis.browser.Input.Key;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/** The search field, and the users who are suggested beside the posts. */
class DiscoveryBrowserTests {

	private static final String PRESS_SLASH = """
			void document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }))""";

	private final Site site = Site.shared();

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theSlashKeyLeadsToTheSearch(Browser browser) {
		Visitor author = Visitor.registered(this.site);
		Tab wide = browser.newTab();
		wide.open(this.site.url("/timeline"));
		wide.evaluate(PRESS_SLASH);
		assertThat(wide.evaluate("document.activeElement.name")).isEqualTo("q");
		wide.fill(".bar .search input", author.name());
		wide.press(Key.ENTER);
		wide.await().text(".people .author", "@" + author.name());
		assertThat(wide.value(".bar .search input")).isEqualTo(author.name());
		Tab narrow = browser.newTab(TabOptions.phone());
		narrow.open(this.site.url("/timeline"));
		narrow.evaluate(PRESS_SLASH);
		narrow.await().url("/search");
		narrow.fill(".search-here input", author.name());
		narrow.press(Key.ENTER);
		narrow.await().text(".people .author", "@" + author.name());
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aFullHomePageIsJoinedByUsersToFollow(Browser browser) {
		Visitor friend = Visitor.registered(this.site);
		Visitor stranger = Visitor.registered(this.site);
		friend.follow(stranger);
		friend.post("from a friend");
		Tab tab = browser.newTab();
		SiteUser reader = SiteUser.register(tab, this.site.url("/"));
		tab.open(this.site.url("/@" + friend.name()));
		tab.clickAndLoad(".relation button");
		tab.open(this.site.url("/home"));
		reader.awaitLive();
		tab.await().text("article.post .post-body", "from a friend");
		String button = "[data-suggestions] button[formaction='/@" + stranger.name() + "/follow']";
		tab.await().count(button, 1);
		tab.clickAndLoad(button);
		tab.await().url("/home");
		assertThat(tab.count(button)).isZero();
	}

}
