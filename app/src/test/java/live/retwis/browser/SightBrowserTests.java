package live.retwis.browser;

import java.util.List;

import live.retwis.testing.FanOutWait;
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

	/** Whether what an address leads to is not behind the bar. */
	private static final String BAR_LEAVES_ROOM = """
			(({ position, height }) => position === "static" ||
				parseFloat(height) <= parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop))(
				getComputedStyle(document.querySelector(".bar")))""";

	private final Site site = Site.shared();

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
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
	@Tag("slow")
	@Tag("long")
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

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void whatAStreamDoesIsReadToItsEndOnANarrowPhone(Browser browser) {
		for (int width : new int[] { 320, 360 }) {
			Tab tab = browser.newTab(new TabOptions(width, 640, false, true));
			tab.open(this.site.url("/timeline"));
			tab.await().count("[data-live-state='open']", 1);
			tab.evaluate("void (window.EventSource = class extends EventTarget { close() {} })");
			tab.evaluate("void dispatchEvent(new Event('offline'))");
			tab.await().text(".live-mark", "Reconnecting…");
			assertThat(tab.evaluate(
					"""
							(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector(".live-mark"))"""))
				.as("what is cut at %d px", width)
				.isEqualTo(0L);
		}
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void lettersOfTwiceTheSizeMakeTheTextLargerAndNoPageWider(Browser browser) {
		Visitor author = Visitor.registered(this.site);
		String post = author.post("to be read");
		for (int width : new int[] { 320, 640, 700, 768, 1280 }) {
			Tab tab = browser.newTab(new TabOptions(width, 640, false, true));
			tab.largeLetters();
			SiteUser.register(tab, this.site.url("/"));
			for (String path : List.of("/home", "/timeline", "/@" + author.name(), "/posts/" + post, "/settings")) {
				tab.open(this.site.url(path));
				assertThat(tab.evaluate("document.documentElement.scrollWidth")).as(path).isEqualTo((long) width);
				assertThat(tab.evaluate("getComputedStyle(document.body).fontSize")).isEqualTo("32px");
				assertThat(tab.evaluate(BAR_LEAVES_ROOM)).as("the bar of %s at %d px", path, width).isEqualTo(true);
			}
		}
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	void whatOnlyABackgroundShowsIsSeenInForcedColours(Browser browser) {
		Tab tab = browser.newTab();
		tab.forceColours();
		tab.open(this.site.url("/how-live"));
		tab.evaluate("""
				document.querySelector("main").innerHTML = `<span class="live-mark"><span>Live</span></span>
					<span class="lab-left"></span><span class="break-key"></span>
					<ol class="learn-steps"><li class="learn-now"></li></ol>`;
				void 0""");
		for (String part : List.of("'.live-mark span', '::before'", "'.lab-left', '::before'", "'.break-key', ''")) {
			assertThat(tab
				.evaluate("((css, part) => getComputedStyle(document.querySelector(css), part).forcedColorAdjust)("
						+ part + ")"))
				.as(part)
				.isEqualTo("none");
		}
		assertThat(tab.evaluate("getComputedStyle(document.querySelector('.learn-now')).outlineStyle"))
			.isEqualTo("solid");
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void aPrintedPageHasItsCountsAndAllThatStandsBesideIt(Browser browser) {
		Visitor author = Visitor.registered(this.site);
		String post = author.post("to be printed");
		author.submit("/posts/" + post + "/like");
		Tab tab = browser.newTab();
		tab.open(this.site.url("/timeline"));
		tab.print();
		assertThat(tab.count(SiteUser.article(post) + " button.like[data-count='1']")).isOne();
		assertThat(tab.evaluate("""
				document.querySelector("%s button.like").checkVisibility()""".formatted(SiteUser.article(post))))
			.isEqualTo(true);
		assertThat(tab.evaluate("""
				(({ position, overflow, maxHeight }) => [position, overflow, maxHeight].join())(
					getComputedStyle(document.querySelector(".side")))""")).isEqualTo("static,visible,none");
	}

	private static Tab withLargeLetters(Browser browser, int width) {
		Tab tab = browser.newTab(new TabOptions(width, 640, false, true));
		tab.largeLetters();
		return tab;
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void theButtonsOfAReplyAreSeenWholeWithLargeLetters(Browser browser) {
		String post = Visitor.registered(this.site).post("answer me");
		for (int width : new int[] { 320, 360 }) {
			Tab tab = withLargeLetters(browser, width);
			SiteUser.register(tab, this.site.url("/"));
			tab.open(this.site.url("/timeline"));
			tab.click(SiteUser.article(post) + " a.reply");
			tab.await().count(".post .compose-foot", 1);
			for (String label : List.of("Reply", "Log in and reply")) {
				tab.evaluate(
						"void (document.querySelector('.post .compose-foot .primary').textContent = '" + label + "')");
				assertThat(tab.evaluate("""
						((foot) => Math.max(...[...foot.children].map((part) => part.getBoundingClientRect().right)) -
							foot.getBoundingClientRect().right)(document.querySelector(".post .compose-foot"))"""))
					.as("what is cut from %s at %d px", label, width)
					.asString()
					.matches("-?0(\\..*)?");
			}
			tab.close();
		}
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void theLinkToNewMentionsLeavesTheTitleToBeRead(Browser browser) {
		Tab phone = browser.newTab(new TabOptions(320, 640, false, true));
		assertLinkLeavesTitle(phone);
		assertLinkLeavesTitle(browser.newTab(new TabOptions(384, 640, false, true)));
		assertLinkLeavesTitle(browser.newTab(TabOptions.desktop()));
		assertLinkLeavesTitle(withLargeLetters(browser, 360));
		assertLinkLeavesTitle(withLargeLetters(browser, 1280));
	}

	private void assertLinkLeavesTitle(Tab tab) {
		SiteUser user = SiteUser.register(tab, this.site.url("/"));
		Visitor.registered(this.site).post("to @" + user.name());
		FanOutWait.settle(this.site);
		tab.open(this.site.url("/mentions"));
		tab.await().count("article.post", 1);
		for (String text : List.of("12 new posts", "Many new posts")) {
			tab.evaluate("""
					(() => {
						document.querySelector("a.live-new")?.remove();
						const link = document.createElement("a");
						Object.assign(link, { className: "button live-new", href: "/mentions", textContent: "%s" });
						document.querySelector("[data-live-head]").after(link);
					})()""".formatted(text));
			assertThat(tab.evaluate("""
					(() => {
						const [link, ...others] = ["a.live-new", ".feed-head h2", "article .author", "article .avatar"]
							.map((css) => document.querySelector(css).getBoundingClientRect());
						const meets = (one) => link.left < one.right && one.left < link.right &&
							link.top + 1 < one.bottom && one.top + 1 < link.bottom;
						return `${others.map(meets)} ${document.documentElement.scrollWidth <= innerWidth}`;
					})()""")).as(text + " in " + tab.property("html", "clientWidth"))
				.isEqualTo("false,false,false true");
		}
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void theBarHasRoomForItsSearchWithLargeLetters(Browser browser) {
		for (int width : new int[] { 1728, 2000 }) {
			Tab tab = withLargeLetters(browser, width);
			SiteUser.register(tab, this.site.url("/"));
			assertThat((Long) tab.evaluate("Math.round(document.querySelector('.bar .search').offsetWidth)"))
				.as("search at %d px", width)
				.isGreaterThanOrEqualTo(256);
			assertThat(tab.evaluate("document.documentElement.scrollWidth")).isEqualTo((long) width);
			tab.close();
		}
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	void theButtonForNewPostsIsAsHighAsItsWordsWithLargeLetters(Browser browser) {
		for (int width : new int[] { 320, 360 }) {
			Tab tab = withLargeLetters(browser, width);
			tab.open(this.site.url("/timeline"));
			tab.await().count("button.live-new", 1);
			assertThat(tab.evaluate("""
					((button) => {
						button.hidden = false;
						button.textContent = "Many new posts: reload";
						const words = document.createRange();
						words.selectNodeContents(button);
						return words.getBoundingClientRect().height <= button.getBoundingClientRect().height;
					})(document.querySelector("button.live-new"))""")).as("at %d px", width).isEqualTo(true);
			tab.close();
		}
	}

}
