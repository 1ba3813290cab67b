package live.retwis.browser;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import live.retwis.testing.RunningCluster;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The command {@code cluster} with a browser: a reader breaks parts of the site behind
 * the own page, and the ledger of the page agrees with the log.
 */
class BreakBrowserTests {

	private static final Duration HEALED = Duration.ofSeconds(60);

	/** The demo registers its users first. A fail-over takes some seconds. */
	private static final Duration DEMO = Duration.ofMinutes(4);

	private static final String PANEL = "[data-break-panel] ";

	private static final String HEAL = ".break-buttons button:not(.danger):not(.break-check):not(.break-share)";

	@SuppressWarnings("NullAway.Init")
	private static RunningCluster cluster;

	@BeforeAll
	static void start(@TempDir Path directory) {
		cluster = RunningCluster.start(directory, "--size=2", "--data=single");
	}

	@AfterAll
	static void stop() {
		cluster.close();
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void aReaderKillsTheInstanceBehindThePageAndTheLedgerAgreesWithTheLog(Browser browser, BrowserKind kind) {
		Visitor author = Visitor.registered(cluster.origin());
		Look look = Look.FEW.get(1);
		Tab tab = look.open(browser, cluster.origin());
		SiteUser reader = SiteUser.register(tab, cluster.origin());
		tab.open(cluster.origin() + "/timeline");
		reader.awaitLive();
		String before = author.post("before the gap");
		tab.await().count(SiteUser.article(before), 1);
		tab.click(PANEL + "summary");
		tab.await().that("the buttons", (page) -> page.count("[data-break='kill-instance']:not(:disabled)") == 1);
		String killed = instance(tab);
		tab.click("[data-break='kill-instance']");
		tab.await().text(PANEL + ".break-now", killed + ": killed");
		tab.await().that("a broken stream", (page) -> page.count("[data-live-state='open']") == 0);
		String during = author.post("made during the gap");
		tab.await(HEALED).count(SiteUser.article(during), 1);
		String after = author.post("after the gap");
		tab.await().count(SiteUser.article(after), 1);

		assertThat(instance(tab)).as("another instance").isNotEqualTo(killed);
		tab.await().text("[data-ledger='resumed']", instance(tab));
		assertThat(tab.text(SiteUser.article(before) + " .break-mark")).isEqualTo("Last post before the gap");
		assertThat(tab.text(SiteUser.article(during) + " .break-mark"))
			.matches("Arrived \\d+\\.\\d s after it was made");
		assertThat(tab.count(SiteUser.article(after) + " .break-mark")).isZero();
		tab.click(PANEL + ".break-check");
		tab.await().text("[data-ledger='expected']", "3");
		assertAgrees(tab, "the killed instance");
		assertThat(Integer.parseInt(tab.text("[data-ledger='gap']").replace(" ms", ""))).isBetween(100, 60_000);

		aLostPostIsCounted(tab, after);
		String gap = tab.text("[data-ledger='gap']");
		assertThat(look.picture(tab, kind, "break-panel")).isEmpty();
		tab.clickAndLoad(PANEL + ".break-share");
		tab.await().text("h1", "A broken timeline");
		assertThat(look.picture(tab, kind, "break-report")).isEmpty();
		assertThat(tab.text("main")).contains(killed + ": killed", "The page lost its stream from " + killed)
			.contains("2 posts. 1 were lost", gap);
		String report = tab.url();
		Visitor stranger = Visitor.at(cluster.origin());
		assertThat(stranger.get(report.substring(cluster.origin().length())).status()).isEqualTo(200);
		Look other = Look.FEW.get(0);
		Tab phone = other.open(browser, report);
		assertThat(other.picture(phone, kind, "break-report")).isEmpty();
		phone.open(cluster.origin() + "/break");
		assertThat(other.picture(phone, kind, "break")).isEmpty();
	}

	/**
	 * Takes the arrival of a post out of the ledger, as if it had not come. Otherwise
	 * this test could not tell whether the ledger notices a loss.
	 */
	private static void aLostPostIsCounted(Tab tab, String post) {
		tab.evaluate("void (window.fetch = ((own) => async (address, options) => {"
				+ " const answer = await own(address, options);"
				+ " if (!String(address).startsWith('/break/ledger')) return answer;"
				+ " const ledger = await answer.json();" + " ledger.expected = ['0000000000000', '" + post + "'];"
				+ " return { json: () => ledger }; })(window.fetch))");
		tab.click(PANEL + ".break-check");
		tab.await().text("[data-ledger='lost']", "1");
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void whateverIsBrokenTheLedgerAgreesWithTheLog(Browser browser) {
		Visitor author = Visitor.registered(cluster.origin());
		Tab tab = browser.newTab();
		SiteUser reader = SiteUser.register(tab, cluster.origin());
		tab.open(cluster.origin() + "/timeline");
		reader.awaitLive();
		tab.click(PANEL + "summary");
		for (String kind : List.of("cut-instance", "slow-data", "kill-lock-node")) {
			tab.await(HEALED).that("a button", (page) -> page.count("[data-break='" + kind + "']:not(:disabled)") == 1);
			tab.click("[data-break='" + kind + "']");
			// It breaks a second after that, and is mended by itself 15 s later.
			tab.await()
				.that("something broken", (page) -> page.text(PANEL + ".break-now").matches(".*in (\\d|1[0-4]) s\\."));
			for (int i = 0; i < 3; i++) {
				String post = posted(author, kind + " " + i);
				tab.await(HEALED).count(SiteUser.article(post), 1);
			}
			// On a slow machine it may have healed by itself; then the button is
			// disabled.
			tab.evaluate("void document.querySelector(\"%s\").click()".formatted(PANEL + HEAL));
			tab.await(HEALED).that("mended", (page) -> page.count(PANEL + ".break-now.alert") == 0);
		}
		tab.click(PANEL + ".break-check");
		tab.await().that("nine posts", (page) -> Integer.parseInt(page.text("[data-ledger='expected']")) >= 9);
		assertAgrees(tab, "all of them");

		// The same event once more. Otherwise this test could not tell whether the ledger
		// notices a post that comes twice.
		tab.evaluate("""
				(() => {
					const data = document.querySelector("article.post").outerHTML;
					document.querySelector("[data-live]").dispatchEvent(
						new CustomEvent("live:event", { detail: { type: "post", data, position: "" } }));
				})()""");
		tab.click(PANEL + ".break-check");
		tab.await().text("[data-ledger='twice']", "1");
	}

	/** The demo posts all the while, also when the check is made. */
	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void alsoAfterAFailOverTheLedgerAgreesWithTheLogBesideTheDemo(Browser browser, @TempDir Path directory) {
		try (RunningCluster failing = RunningCluster.start(directory, "--size=2", "--data=sentinel", "--demo")) {
			Tab tab = browser.newTab();
			SiteUser reader = SiteUser.register(tab, failing.origin());
			tab.open(failing.origin() + "/timeline");
			reader.awaitLive();
			tab.click(PANEL + "summary");
			for (String kind : List.of("kill-master", "kill-all-but-one", "pause-instance")) {
				int before = checked(tab, 0);
				tab.await(DEMO).that("posts of the demo", (page) -> checked(page, 0) > before + 2);
				tab.await(DEMO)
					.that("a button", (page) -> page.count("[data-break='" + kind + "']:not(:disabled)") == 1);
				tab.click("[data-break='" + kind + "']");
				tab.await().that("something broken", (page) -> page.count(PANEL + ".break-now.alert") == 1);
				tab.await(DEMO).that("mended", (page) -> page.count(PANEL + ".break-now.alert") == 0);
				int mended = checked(tab, before);
				tab.await(DEMO).that("posts after it", (page) -> checked(page, mended) > mended + 2);
				assertAgrees(tab, kind);
			}
		}
	}

	/** The page has shown each post that the log has for it, once. */
	private static void assertAgrees(Tab tab, String broken) {
		assertThat(tab.text("[data-ledger='shown']")).as(broken).isEqualTo(tab.text("[data-ledger='expected']"));
		assertThat(tab.text("[data-ledger='lost']")).as(broken).isEqualTo("0");
		assertThat(tab.text("[data-ledger='twice']")).as(broken).isEqualTo("0");
	}

	/** How many posts the log has for the page, by the page's own check. */
	private static int checked(Tab tab, int atLeast) {
		tab.click(PANEL + ".break-check");
		tab.await(HEALED)
			.that("a check", (page) -> page.text("[data-ledger='expected']").matches("\\d+")
					&& Integer.parseInt(page.text("[data-ledger='expected']")) >= atLeast);
		return Integer.parseInt(tab.text("[data-ledger='expected']"));
	}

	/** Posts, again while the instance that is asked reaches no data node. */
	private static String posted(Visitor author, String body) {
		return Awaitility.await(body)
			.atMost(HEALED)
			.ignoreExceptionsMatching(AssertionError.class::isInstance)
			.until(() -> author.post(body), Objects::nonNull);
	}

	private static String instance(Tab tab) {
		return tab.text(PANEL + ".hint").replaceAll(".*(instance-\\d).*", "$1");
	}

}
