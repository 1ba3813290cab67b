package live.retwis.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import live.retwis.testing.Site;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a page counts of its stream, when the stream begins anew and the page fetches
 * itself.
 */
class LedgerBrowserTests {

	/** Makes a ledger, and tells it what happens. */
	private static final String STORY = """
			(() => {
				%s
				const article = (id) => {
					const made = document.createElement("article");
					made.dataset.postId = id;
					return made;
				};
				const ledger = new Ledger("/live/public?after=1000-0.a", undefined);
				const post = (id, position) => ledger.event("post", article(id), "", position);
				const log = (expected) => ({ expected, possible: [], cut: false, whole: true });
				const compare = (expected) => ledger.compare(ledger.ask().come, log(expected));
				ledger.state("open");
				%s
				return JSON.stringify(told);
			})()""";

	private final Site site = Site.shared();

	private String told(Browser browser, String story) {
		Tab tab = browser.newTab();
		tab.open(this.site.url("/timeline"));
		return String.valueOf(tab.evaluate(STORY.formatted(module("positions.js") + module("ledger.js"), story)));
	}

	/** The text of a module, as a part of a script. Pages have it in a bundle. */
	private static String module(String name) {
		try {
			return Files.readString(Path.of("..", "static", name)).replaceAll("(?m)^import .*$|^export ", "");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	void aPostThatCameWhileThePageFetchedItselfIsNotShownTwice(Browser browser) {
		assertThat(told(browser,
				"""
						post("a", "1001-0.a");
						ledger.event("reset", null, "", "1003-0.a");
						post("c", "1004-0.a");
						ledger.mended(["a", "b"], "1003-0.a");
						const between = compare(["a", "b"]);
						post("c", "1004-0.a");
						const told = [between, compare(["a", "b", "c"])].map(({ shown, lost, twice, gone }) => [shown, lost, twice, gone]);
						"""))
			.isEqualTo("[[2,0,0,0],[3,0,0,0]]");
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	void aPostThatAFailOverHasLostIsCountedAsGone(Browser browser) {
		assertThat(told(browser, """
				post("a", "1001-0.a");
				post("lost", "1002-0.a");
				ledger.event("reset", null, "", "1001-0.a");
				ledger.mended(["a"], "1001-0.a");
				const told = compare(["a"]).gone;
				""")).isEqualTo("1");
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	void untilThePageHasFetchedItselfNobodyKnowsWhetherAnythingIsLost(Browser browser) {
		assertThat(told(browser, """
				post("a", "1001-0.a");
				ledger.event("reset", null, "", "1003-0.a");
				const before = compare(["a", "b"]);
				ledger.mended(["a", "b"], "1003-0.a");
				const told = [before, compare(["a", "b"])].map(({ lost, cut, fetching }) => [lost, cut, fetching]);
				""")).isEqualTo("[[0,true,true],[0,false,false]]");
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	void afterASecondResetWhatTheFirstOneFetchedIsStillKnown(Browser browser) {
		assertThat(told(browser, """
				ledger.event("reset", null, "", "1003-0.a");
				ledger.mended(["a", "b"], "1003-0.a");
				ledger.event("reset", null, "", "1005-0.a");
				ledger.mended(["c"], "1005-0.a");
				const told = compare(["c"]).gone;
				""")).isEqualTo("0");
	}

}
