package live.retwis.browser;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Takes screenshots of each page, on a desktop and on a phone, in light and in dark
 * colours. It checks that no page is wider than its window. The rest is for people to
 * look at.
 */
@ExtendWith(RedisExtension.class)
class ScreenshotBrowserTests {

	private static final Path PICTURES = Path.of("target", "screenshots");

	/**
	 * The looks that the other browser is tested with. Together they have each width and
	 * each colour once.
	 */
	private static final Set<String> FEWER_LOOKS = Set.of("desktop-light", "phone-dark");

	private static final Map<String, TabOptions> LOOKS = Map.of("desktop-light", TabOptions.desktop(), "desktop-dark",
			TabOptions.desktop().inTheDark(), "phone-light", TabOptions.phone(), "phone-dark",
			TabOptions.phone().inTheDark());

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	@SuppressWarnings("NullAway.Init")
	private static String conversation;

	@BeforeAll
	static void aSmallTown(@OwnRedis TestRedis redis) {
		site = Site.start(redis);
		Visitor ada = Visitor.registered(site, "ada");
		Visitor grace = Visitor.registered(site, "Grace_Hopper");
		Visitor long30 = Visitor.registered(site, "a_name_of_thirty_characters_30");
		ada.follow(grace);
		grace.follow(ada);
		ada.follow(long30);
		ada.post("The engine weaves algebraic patterns, just as the loom weaves flowers and leaves.");
		grace.post("One accurate measurement is worth\na thousand expert opinions.\n\n— and a blank line above this");
		long30.post("w".repeat(280));
		conversation = ada.post(
				"漢字 かな 한글 👩‍👩‍👧 <b>not bold</b> & https://example.org/a/very/long/address/that/does/not/want/to/break");
		grace.get("/posts/" + conversation);
		grace.postJson("body", "A reply to that, @ada, about the #engine.", "once", UUID.randomUUID().toString(),
				"reply_to", conversation);
		long30.post("مرحبا بالعالم، هذه رسالة من اليمين إلى اليسار");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	@BrowserTest
	void noPageIsWiderThanItsWindow(Browser browser, BrowserKind kind) {
		Path folder = PICTURES.resolve(kind.toString().toLowerCase(Locale.ROOT));
		LOOKS.forEach((look, options) -> {
			if (kind == BrowserKind.FIREFOX && !FEWER_LOOKS.contains(look)) {
				return;
			}
			Tab tab = browser.newTab(options);
			tab.open(site.url("/"));
			picture(tab, folder, "welcome", look);
			SiteUser.login(tab, site.url("/"), "ada").awaitLive();
			picture(tab, folder, "home", look);
			open(tab, "/@Grace_Hopper", folder, "profile", look);
			open(tab, "/@ada", folder, "own-profile", look);
			open(tab, "/@ada/following", folder, "people", look);
			open(tab, "/settings", folder, "settings", look);
			open(tab, "/settings/sessions", folder, "sessions", look);
			open(tab, "/timeline", folder, "timeline", look);
			open(tab, "/tags/engine", folder, "tag", look);
			open(tab, "/mentions", folder, "mentions", look);
			open(tab, "/notifications", folder, "notifications", look);
			open(tab, "/posts/" + conversation, folder, "post", look);
			open(tab, "/nothing/here", folder, "error", look);
			tab.open(site.url("/home"));
			tab.fill("#compose-body", "Written while the session ended");
			logOutElsewhere();
			tab.clickAndLoad("form.compose button.primary");
			picture(tab, folder, "signed-out", look);
			tab.close();
		});
	}

	private static void open(Tab tab, String path, Path folder, String page, String look) {
		tab.open(site.url(path));
		if (tab.count("[data-live]") > 0) {
			tab.await().count("[data-live-state='open']", 1);
		}
		picture(tab, folder, page, look);
	}

	private static void logOutElsewhere() {
		Visitor elsewhere = Visitor.signedIn(site, "ada");
		elsewhere.get("/home");
		elsewhere.submit("/logout");
	}

	private static void picture(Tab tab, Path folder, String page, String look) {
		assertThat(tab.screenshot(folder.resolve(page + "-" + look + ".png"))).isNotEmptyFile();
		assertThat(tab.evaluate("document.documentElement.scrollWidth <= innerWidth")).as("%s, %s", page, look)
			.isEqualTo(true);
	}

}
