package live.retwis.browser;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

import live.retwis.testing.Site;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The lab in front of somebody: a violation is seen as it happens, and nodes can be
 * broken by hand.
 */
class LabBrowserTests {

	/** A run starts six servers for each engine, on a machine that has other work. */
	private static final Duration RUN = Duration.ofSeconds(60);

	private static final Map<String, TabOptions> LOOKS = Map.of("desktop-light", TabOptions.desktop(), "desktop-dark",
			TabOptions.desktop().inTheDark(), "phone-light", TabOptions.phone(), "phone-dark",
			TabOptions.phone().inTheDark());

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	@BeforeAll
	static void start() {
		site = Site.another("--retwis.lab.enabled=true");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	@BrowserTest
	void theViolationOfRedissonsOwnIsSeenBesideOursThatHolds(Browser browser, BrowserKind kind) {
		Tab tab = browser.newTab();
		SiteUser.register(tab, site.url("/"));
		tab.open(site.url("/lab"));
		tab.clickAndLoad(".lab-form .primary");
		assertThat(tab.url()).endsWith("/lab");
		tab.await(RUN).count("[data-lab-engine='raw'] .lab-node", 5);
		Tab watcher = browser.newTab(TabOptions.phone().inTheDark());
		watcher.open(site.url("/lab"));
		tab.await(RUN).count("[data-lab-engine='raw'] [data-violation]", 1);
		tab.screenshot(folder(kind).resolve("lab-running-desktop-light.png"));
		watcher.await(RUN).count("[data-lab-engine='redisson'] .lab-lanes svg", 1);
		watcher.screenshot(folder(kind).resolve("lab-running-phone-dark.png"));
		tab.await(RUN).count("[data-lab-state='over']", 1);
		assertThat(tab.text("[data-lab-engine='raw'] .lab-violation")).contains("A and B both had the lock");
		assertThat(tab.text("[data-lab-engine='redisson'] .lab-result")).contains("as described: lease SAFE");
		assertThat(tab.count("[data-lab-engine='redisson'] .lab-violation")).isZero();
		picture(tab, kind, "lab-finished");
		tab.clickAndLoad("[data-lab-run] a");
		tab.await().count("[data-lab-lanes] svg", 2);
		picture(tab, kind, "lab-run");
	}

	private static void picture(Tab tab, BrowserKind kind, String page) {
		String address = tab.url();
		LOOKS.forEach((look, options) -> {
			if (kind == BrowserKind.CHROMIUM) {
				tab.screenshot(folder(kind).resolve(page + "-" + look + ".png"));
			}
		});
		assertThat(tab.url()).isEqualTo(address);
		assertThat(tab.evaluate("document.documentElement.scrollWidth <= innerWidth")).isEqualTo(true);
	}

	private static Path folder(BrowserKind kind) {
		return Path.of("target", "screenshots", kind.toString().toLowerCase(Locale.ROOT));
	}

}
