package live.retwis.browser;

import java.nio.file.Path;
import java.util.Map;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.LockServers;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What users see while too few lock nodes answer.
 */
@ExtendWith(RedisExtension.class)
class PauseBrowserTests {

	private static final Map<String, TabOptions> LOOKS = Map.of("1280-light-en", TabOptions.desktop(), "390-dark-en",
			TabOptions.phone().inTheDark());

	@SuppressWarnings("NullAway.Init")
	private static LockServers locks;

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	@SuppressWarnings("NullAway.Init")
	private static Visitor ada;

	@BeforeAll
	static void loseTheQuorum(@OwnRedis TestRedis redis) {
		locks = new LockServers(3);
		site = Site.start(redis, locks.setting());
		ada = Visitor.registered(site);
		locks.killMajority();
	}

	@AfterAll
	static void stop() {
		site.close();
		locks.close();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void registeringSaysThatItPausesAndALogOutThatOtherDevicesStaySignedIn(Browser browser, BrowserKind kind) {
		Path folder = Look.folder(kind);
		LOOKS.forEach((look, options) -> {
			Tab tab = browser.newTab(options);
			tab.open(site.url("/register"));
			tab.fill("#register-username", "newcomer");
			tab.fill("#register-password", Visitor.PASSWORD);
			tab.fill("#register-password2", Visitor.PASSWORD);
			tab.clickAndLoad("form[action='/register'] button");
			assertThat(tab.text("[role='alert']"))
				.startsWith("Registration is unavailable at the moment; everything else works.");
			assertThat(tab.evaluate("document.querySelector('#register-username').value")).isEqualTo("newcomer");
			tab.screenshot(folder.resolve("paused-" + look + ".png"));
			SiteUser.login(tab, site.url("/"), ada.name());
			tab.clickAndLoad("button[formaction='/logout']");
			assertThat(tab.text("main [role='status']")).startsWith("You are logged out on this device.");
			tab.screenshot(folder.resolve("ended-here-" + look + ".png"));
			tab.close();
		});
	}

}
