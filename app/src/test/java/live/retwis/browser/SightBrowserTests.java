package live.retwis.browser;

import java.util.List;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What people see who need strong colours or few of them, or whose page has lost its
 * script.
 */
class SightBrowserTests {

	/**
	 * The contrast of the name of a player with the step that is shown, by the formula of
	 * WCAG.
	 */
	private static final String CONTRAST = """
			(() => {
				const list = document.createElement("ol");
				list.className = "learn-steps";
				list.innerHTML = `<li class="learn-now" data-lane="%s"><p class="learn-who"><b>A</b></p></li>`;
				document.querySelector("main").append(list);
				const draw = new OffscreenCanvas(1, 1).getContext("2d");
				const lightness = (colour) => {
					draw.fillStyle = colour;
					draw.fillRect(0, 0, 1, 1);
					const linear = [...draw.getImageData(0, 0, 1, 1).data].map((part) => part / 255)
						.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
					return 0.05 + 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
				};
				const name = lightness(getComputedStyle(list.querySelector("b")).color);
				const step = lightness(getComputedStyle(list.querySelector("li")).backgroundColor);
				return Math.max(name, step) / Math.min(name, step);
			})()""";

	private final Site site = Site.shared();

	@BrowserTest(BrowserKind.CHROMIUM)
	void theBellIsSeenInForcedColours(Browser browser) {
		Tab tab = browser.newTab(TabOptions.phone());
		SiteUser.register(tab, this.site.url("/"));
		tab.forceColours();
		tab.open(this.site.url("/notifications"));
		assertThat(tab.evaluate("matchMedia('(forced-colors: active)').matches")).isEqualTo(true);
		assertThat(tab.evaluate(
				"""
						getComputedStyle(document.querySelector(".bar [href='/notifications']"), "::before").forcedColorAdjust"""))
			.isEqualTo("none");
		assertThat(tab.evaluate("""
				getComputedStyle(document.querySelector(".bar [aria-current]")).borderTopStyle""")).isEqualTo("solid");
	}

	@BrowserTest
	void thePlaceholderOfAFieldHasEnoughContrast(Browser browser) {
		Tab tab = browser.newTab();
		tab.open(this.site.url("/timeline"));
		assertThat(tab.evaluate("""
				getComputedStyle(document.querySelector(".search input"), "::placeholder").color ===
					getComputedStyle(document.querySelector(".hint, .how-live")).color""")).isEqualTo(true);
	}

	@BrowserTest
	@Tag("slow")
	void theNamesOfThePlayersOfAnExperimentHaveEnoughContrast(Browser browser) {
		for (TabOptions options : List.of(TabOptions.desktop(), TabOptions.desktop().inTheDark())) {
			Tab tab = browser.newTab(options);
			tab.open(this.site.url("/learn"));
			for (String lane : List.of("a", "b")) {
				assertThat((Double) tab.evaluate(CONTRAST.formatted(lane))).isGreaterThan(4.5);
			}
		}
	}

	@BrowserTest
	@Tag("slow")
	void aPageWhoseScriptDoesNotLoadShowsWhatTheScriptWouldReplace(Browser browser) {
		Visitor reader = Visitor.registered(this.site);
		String page = "/posts/" + reader.post("liked");
		Tab tab = browser.newTab();
		tab.setCookie("auth", reader.cookie("auth"), "127.0.0.1");
		tab.failLoads(this.site.url(reader.get(page).find("\"(/assets/[0-9a-f]+.en/)site.css\"") + "site.js"));
		tab.beforeScripts("() => { window.setTimeout = (task) => { window.again = task; }; }");
		tab.open(this.site.url(page));
		String like = ".post-actions [formaction$='/like']";
		tab.await().text(like, "Like");
		assertThat(tab.evaluate("getComputedStyle(document.querySelector('article time')).overflow"))
			.isEqualTo("visible");
		tab.evaluate("void again()");
		tab.await().text("article time", "now");
		assertThat(tab.texts(like)).as("when the script has come").containsExactly("");
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	void aPrintedPageHasNoButtons(Browser browser) {
		Visitor author = Visitor.registered(this.site);
		author.post("to be printed");
		Tab tab = browser.newTab();
		tab.open(this.site.url("/@" + author.name()));
		tab.print();
		assertThat(tab.texts(".bar, button")).containsOnly("");
		assertThat(tab.text("article .post-body")).isEqualTo("to be printed");
	}

	@BrowserTest
	void whatStandsBesideALongTimelineIsReachedWithoutItsEnd(Browser browser) {
		Tab tab = browser.newTab();
		tab.open(this.site.url("/timeline"));
		tab.evaluate(
				"""
						document.querySelector(".side").append(Object.assign(document.createElement("p"), { style: "height: 2000px" }));
						document.querySelector(".feed").style.minHeight = "5000px";
						scrollTo({ top: 1000, behavior: "instant" })""");
		assertThat(tab.evaluate("document.querySelector('.side').getBoundingClientRect().bottom <= innerHeight"))
			.isEqualTo(true);
	}

}
