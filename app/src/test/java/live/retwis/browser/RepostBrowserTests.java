package live.retwis.browser;

import java.util.List;

import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/** Reposts on open pages: where they are shown, and how long they stay. */
class RepostBrowserTests {

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
	@Tag("slow")
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
	@Tag("long")
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
	@Tag("long")
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
	@Tag("long")
	void aRepostIsSeenWithoutColours(Browser browser) {
		Tab reader = reader(browser);
		String before = reader.text(this.article + " button.repost");
		reader.click(this.article + " button.repost");
		reader.await().count(this.article + " button.repost[data-count='1']", 1);
		assertThat(reader.text(this.article + " button.repost")).isNotEqualTo(before);
	}

}
