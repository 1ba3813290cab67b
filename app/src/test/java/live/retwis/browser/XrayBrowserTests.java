package live.retwis.browser;

import java.util.ArrayList;
import java.util.List;

import live.retwis.redis.Keys;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/** The commands behind a page, in a browser. */
class XrayBrowserTests {

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	@BeforeAll
	static void start() {
		site = Site.another("--retwis.xray.enabled=true", "--retwis.xray.users=*");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReaderLooksBehindAPageAndIntoAKey(Browser browser) {
		Tab tab = browser.newTab();
		SiteUser reader = SiteUser.register(tab, site.url("/"));
		look(tab, reader);
		assertThat(Accessibility.violations(tab)).isEmpty();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReaderWithoutScriptsDoesTheSame(Browser browser) {
		Tab tab = browser.newTab(TabOptions.phone().withoutJavaScript());
		SiteUser reader = SiteUser.register(tab, site.url("/"));
		look(tab, reader);
	}

	@BrowserTest
	@Tag("long")
	@Tag("slow")
	void thePanelOfEachPageCanBeReadByEverybodyOnAPhone(Browser browser) {
		Visitor author = Visitor.registered(site);
		String post = author.post("seen on every page #xray");
		Tab tab = browser.newTab(TabOptions.phone());
		SiteUser.register(tab, site.url("/"));
		for (String path : List.of("/home?", "/timeline?", "/@" + author.name() + "?",
				"/@" + author.name() + "/followers?", "/@" + author.name() + "/common?",
				"/@" + author.name() + "/on-this-day?", "/posts/" + post + "?", "/posts/" + post + "/likes?",
				"/tags/xray?", "/search?q=xray&", "/notifications?", "/mentions?", "/bookmarks?", "/settings?",
				"/settings/sessions?", "/settings/muted?", "/settings/blocked?")) {
			tab.open(site.url(path + "xray=1"));
			assertThat(tab.text("#xray")).as(path).contains("Round trip 1");
			assertThat(Accessibility.violations(tab)).as(path).isEmpty();
			assertThat(tab.evaluate("document.documentElement.scrollWidth <= innerWidth")).as(path).isEqualTo(true);
		}
	}

	@BrowserTest
	@Tag("long")
	@Tag("slow")
	void whatAFormDidAndAKeyAreFitForEveryReaderAndWindow(Browser browser, BrowserKind kind) {
		List<String> wrong = new ArrayList<>();
		for (Look look : Look.FEW) {
			Tab tab = look.open(browser, site.url("/timeline"));
			SiteUser.register(tab, site.url("/"));
			tab.open(site.url("/home?xray=1"));
			tab.fill("[data-compose] textarea", "posted below an X-ray");
			tab.clickAndLoad("[data-compose] .primary");
			wrong.addAll(look.picture(tab, kind, "xray-form"));
			tab.clickAndLoad(".xray-keys a");
			wrong.addAll(look.picture(tab, kind, "xray-key"));
			tab.open(site.url("/xray/commands"));
			wrong.addAll(look.picture(tab, kind, "xray-commands"));
			tab.close();
		}
		assertThat(wrong).isEmpty();
	}

	@BrowserTest
	@Tag("slow")
	void theWayOfAPostGoesOnWhileItsPageIsOpen(Browser browser) {
		Visitor author = Visitor.registered(site);
		String post = author.post("goes far");
		FanOutWait.settle(site);
		String task = "a task that no worker does";
		site.redis().zadd(Keys.UNFINISHED, site.redis().zscore(Keys.postsOf(author.id()), post), task);
		try {
			Tab tab = browser.newTab();
			tab.open(site.url("/posts/" + post + "?xray=1"));
			tab.await().text("#xray-way[data-unfinished]", "Of the tasks from its millisecond, one is not finished.");
			site.redis().zrem(Keys.UNFINISHED, task);
			tab.await().text("#xray-way:not([data-unfinished])", "The workers have done it.");
		}
		finally {
			site.redis().zrem(Keys.UNFINISHED, task);
		}
	}

	/** From the home page to what a form did, and on to a key. */
	private static void look(Tab tab, SiteUser reader) {
		tab.open(site.url("/home"));
		tab.clickAndLoad(".languages a[href='?xray=1']");
		assertThat(tab.url()).endsWith("/home?xray=1");
		assertThat(tab.text("#xray")).contains("Round trip 1");
		tab.fill("[data-compose] textarea", "posted below an X-ray");
		tab.clickAndLoad("[data-compose] .primary");
		assertThat(tab.url()).containsPattern("/home\\?xray=[\\w-]{20,}");
		assertThat(tab.text("#xray")).contains("What the form did", "publish.lua");
		tab.click("#xray details summary");
		assertThat(tab.text("#xray details[open] pre")).contains("redis.call");
		tab.clickAndLoad(".xray-keys a");
		assertThat(tab.url()).contains("/xray/keys?key=");
		assertThat(tab.text("main")).contains("Encoding");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyOnSuchAPageIsATextForANewPostWhenThePostIsDeleted(Browser browser) {
		Visitor author = Visitor.registered(site);
		String post = author.post("soon gone");
		Tab reader = SiteUser.register(browser.newTab(), site.url("/")).tab();
		reader.open(site.url("/posts/" + post + "?xray=1"));
		reader.await().count("[data-xray]", 1);
		reader.fill("#reply textarea", "an answer");
		author.get("/home");
		assertThat(author.submit("/posts/" + post + "/delete").status()).isEqualTo(303);
		reader.open(site.url("/home?xray=1"));
		reader.await().that("the text", (page) -> page.value("#new-post textarea").equals("an answer"));
		assertThat(reader.text("main .notice")).contains("Your reply is in the form for new posts");
	}

}
