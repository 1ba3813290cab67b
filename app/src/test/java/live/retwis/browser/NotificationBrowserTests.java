package live.retwis.browser;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;

import static org.assertj.core.api.Assertions.assertThat;

/** The number of unread notifications on open pages. */
class NotificationBrowserTests {

	private static final String BADGE = "[data-unread]";

	private final Site site = Site.shared();

	private final Visitor friend = Visitor.registered(this.site);

	@BrowserTest
	void theBadgeAndTheTitleCountLiveAndFallWhenAnotherTabReads(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab home = user.tab();
		user.awaitLive();
		assertThat(home.title()).isEqualTo("Home · Retwis Live");
		assertThat(home.evaluate("getComputedStyle(document.querySelector('[data-unread]')).display"))
			.isEqualTo("none");
		this.friend.get("/@" + user.name());
		this.friend.submit("/@" + user.name() + "/follow");
		home.await().text(BADGE, "1");
		assertThat(home.title()).isEqualTo("(1) Home · Retwis Live");
		this.friend.post("hello @" + user.name());
		home.await().text(BADGE, "2");
		Tab second = home.beside();
		second.open(this.site.url("/notifications"));
		assertThat(second.texts(".notifications .unread-mark")).hasSize(2);
		assertThat(second.title()).isEqualTo("Notifications · Retwis Live");
		home.await().that("no number", (tab) -> tab.text(BADGE).isEmpty());
		assertThat(home.title()).isEqualTo("Home · Retwis Live");
	}

	@BrowserTest
	void aPageWithoutAStreamAsksWhenItsReaderComesBack(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab settings = user.tab();
		settings.open(this.site.url("/settings"));
		this.friend.get("/@" + user.name());
		this.friend.submit("/@" + user.name() + "/follow");
		settings.await().that("the number", (tab) -> {
			tab.evaluate("void dispatchEvent(new Event('focus'))");
			return tab.text(BADGE).equals("1");
		});
		assertThat(settings.title()).startsWith("(1) ");
	}

}
