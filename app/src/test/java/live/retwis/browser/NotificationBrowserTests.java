package live.retwis.browser;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** The number of unread notifications on open pages. */
@ExtendWith(RedisExtension.class)
class NotificationBrowserTests {

	private static final String BADGE = "[data-unread]";

	/**
	 * Keeps the streams that the page opens, and lets thirty seconds pass in half a
	 * second.
	 */
	private static final String WATCHED = """
			() => {
				const later = window.setTimeout;
				window.setTimeout = (task, ms, ...rest) => later(task, ms === 30_000 ? 500 : ms, ...rest);
				const Real = window.EventSource;
				window.opened = [];
				window.EventSource = class extends Real {
					constructor(...how) {
						super(...how);
						window.opened.push(this);
						this.addEventListener("position", () => (this.begun = true), { once: true });
					}
				};
			}""";

	/** Counts how often the page asks for the number. */
	private static final String ASKED = """
			() => {
				window.asked = 0;
				window.fetch = ((send) => (address, ...how) => {
					if (address === "/notifications/unread") window.asked++;
					return send(address, ...how);
				})(window.fetch);
			}""";

	private static final String OPEN_STREAMS = "window.opened.filter(({ readyState }) => readyState !== 2).length";

	/** Streams that have got the first event. */
	private static final String OPENED = "window.opened.filter(({ begun }) => begun).length";

	private final Site site = Site.shared();

	private final Visitor friend = Visitor.registered(this.site);

	private Tab open(Tab tab, String path) {
		tab.beforeScripts(WATCHED);
		tab.open(this.site.url(path));
		return tab;
	}

	private void follow(SiteUser user) {
		this.friend.get("/@" + user.name());
		this.friend.submit("/@" + user.name() + "/follow");
	}

	private static long openStreams(Tab... tabs) {
		return Stream.of(tabs).mapToLong((tab) -> (Long) Objects.requireNonNull(tab.evaluate(OPEN_STREAMS))).sum();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theBadgeAndTheTitleCountLiveAndFallWhenAnotherTabReads(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab home = user.tab();
		user.awaitLive();
		assertThat(home.title()).isEqualTo("Home · Retwis Live");
		assertThat(home.evaluate("getComputedStyle(document.querySelector('[data-unread]')).display"))
			.isEqualTo("none");
		follow(user);
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
	@Tag("slow")
	@Tag("long")
	void pagesWithAndWithoutAStreamCountLiveAndFallWhenAnotherWindowReads(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		SiteUser other = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab settings = open(user.tab(), "/settings");
		Tab timeline = open(settings.window(), "/timeline");
		Tab profile = open(settings.window(), "/@" + this.friend.name());
		Tab otherSettings = open(other.tab(), "/settings");
		List<Tab> pages = List.of(settings, timeline, profile);
		profile.await().count("[data-live-state='open']", 1);
		follow(user);
		pages.forEach((page) -> page.await().text(BADGE, "1"));
		assertThat(pages).allMatch((page) -> page.title().startsWith("(1) "));
		String mention = this.friend.post("hello @" + user.name());
		timeline.await().count(SiteUser.article(mention), 1);
		pages.forEach((page) -> page.await().text(BADGE, "2"));
		Tab reading = open(settings.window(), "/notifications");
		assertThat(reading.texts(".notifications .unread-mark")).hasSize(2);
		pages.forEach((page) -> page.await().that("no number", (tab) -> tab.text(BADGE).isEmpty()));
		assertThat(pages).noneMatch((page) -> page.title().startsWith("("));
		assertThat(otherSettings.text(BADGE)).isEmpty();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void pagesWithoutAStreamShareOneAndWhenItsPageIsLeftAnotherPageOpensOne(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab settings = open(user.tab(), "/settings");
		Tab search = open(settings.window(), "/search");
		Tab bookmarks = open(settings.window(), "/bookmarks");
		bookmarks.await().that("one stream", (tab) -> openStreams(settings, search, bookmarks) == 1);
		follow(user);
		List.of(settings, search, bookmarks).forEach((page) -> page.await().text(BADGE, "1"));
		bookmarks.open("about:blank");
		search.await().that("a stream in its place", (tab) -> openStreams(search) == 1);
		this.friend.post("hello @" + user.name());
		List.of(settings, search).forEach((page) -> page.await().text(BADGE, "2"));
		assertThat(openStreams(settings)).isZero();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theListOfNotificationsIsLiveAndKeepsTheFocusAndWhatWasNew(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab list = open(user.tab(), "/notifications");
		list.await().count(".empty", 1);
		list.await().that("a stream that has begun", (tab) -> Long.valueOf(1).equals(tab.evaluate(OPENED)));
		follow(user);
		list.await().text(".notifications li:first-child", "@" + this.friend.name());
		list.await().count(".empty", 0);
		list.evaluate("document.querySelector('.notifications a.author').focus()");
		String mention = this.friend.post("hello @" + user.name());
		list.await().count(".notifications li:first-child [href='/posts/" + mention + "']", 1);
		assertThat(list.count(".notifications > li")).isEqualTo(2);
		assertThat(list.count(".notifications .unread-mark")).as("both came while the page was open").isEqualTo(2);
		assertThat(list.evaluate("document.activeElement.closest('li:last-child') !== null")).isEqualTo(true);
		list.await().that("no number", (tab) -> tab.text(BADGE).isEmpty());
		list.reload();
		assertThat(list.count(".notifications .unread-mark")).isZero();
		assertThat(list.count(".notifications > li")).isEqualTo(2);
	}

	@BrowserTest
	@Tag("slow")
	void aPageWithoutALiveListShowsItsCountsLiveToPeopleWhoAreSignedOut(Browser browser) {
		String post = this.friend.post("#liked" + this.friend.name());
		this.friend.submit("/posts/" + post + "/like");
		Tab likes = open(browser.newTab(), "/posts/" + post + "/likes");
		likes.await().that("a stream that has begun", (tab) -> Long.valueOf(1).equals(tab.evaluate(OPENED)));
		Visitor fan = Visitor.registered(this.site);
		fan.get("/posts/" + post);
		fan.submit("/posts/" + post + "/like");
		likes.await().count(SiteUser.article(post) + " button.like[data-count='2']", 1);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aHiddenPageGoesOnCountingInItsTitle(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab home = open(user.tab(), "/home");
		user.awaitLive();
		home.beside();
		home.await().count("[data-live-state='resting']", 1);
		follow(user);
		home.await().that("the number", (tab) -> tab.title().startsWith("(1) "));
		assertThat(openStreams(home)).isOne();
		assertThat(home.evaluate("opened.length > 1 && opened.every(({ url }) => /after=\\d+-/.test(url))"))
			.as("each begins where the page, or the one before it, ended")
			.isEqualTo(true);
		home.activate();
		user.awaitLive();
		assertThat(openStreams(home)).isOne();
		assertThat(home.text(BADGE)).isEqualTo("1");
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void aPageThatCameWithoutTheNumberAsksForItOnceItIsLive(Browser browser, @OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site site = Site.startAt("127.0.0.1", way.port(), "--retwis.live.heartbeat=1s")) {
			Visitor reader = Visitor.registered(site);
			SiteUser user = SiteUser.login(browser.newTab(), site.url("/"), reader.name());
			Tab tab = user.tab();
			user.awaitLive();
			Visitor.registered(site).follow(reader);
			tab.await().text(BADGE, "1");
			tab.beforeScripts(ASKED);
			for (String path : List.of("/home", "/timeline")) {
				try (Interception unread = way.at(SentCommand.with(Keys.notifications(reader.id())))
					.rewriteReply((reply) -> "-CLUSTERDOWN The cluster is down\r\n")) {
					tab.open(site.url(path));
					assertThat(tab.text(BADGE)).isEmpty();
					assertThat(unread.met()).isPositive();
				}
				tab.await().text(BADGE, "1");
			}
			tab.open(site.url("/home"));
			user.awaitLive();
			assertThat(tab.text(BADGE)).isEqualTo("1");
			assertThat(tab.evaluate("window.asked")).as("the number came with the page").isEqualTo(0L);
		}
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aPageDoesNotReadTheNotificationsOfTheNextUserOfTheBrowser(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab list = open(user.tab(), "/notifications");
		Tab elsewhere = list.window();
		elsewhere.open(this.site.url("/home"));
		elsewhere.clickAndLoad("button[formaction='/logout']");
		SiteUser next = SiteUser.register(elsewhere, this.site.url("/"));
		follow(next);
		elsewhere.await().text(BADGE, "1");
		list.evaluate("""
				window.asked = 0;
				window.fetch = ((send) => (...how) => send(...how).finally(() => asked++))(fetch);
				void document.dispatchEvent(new CustomEvent("unread:shown", { detail: "1" }))""");
		String items = ".notifications > li";
		list.await()
			.that("a list, or another try",
					(tab) -> tab.count(items) > 0 || Boolean.TRUE.equals(tab.evaluate("asked > 1")));
		assertThat(list.count(items)).isZero();
		elsewhere.open(this.site.url("/home"));
		assertThat(elsewhere.text(BADGE)).as("nobody has read it").isEqualTo("1");
	}

}
