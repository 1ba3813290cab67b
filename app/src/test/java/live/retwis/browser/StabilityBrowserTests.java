package live.retwis.browser;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import live.retwis.browser.Input.Key;
import live.retwis.moderation.Moderation;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nothing on a page moves while a user reads it, and no script fails.
 */
class StabilityBrowserTests {

	/** Notes what fails on a page, and which elements move without the user's doing. */
	private static final String WATCH = """
			() => {
				globalThis.troubles = [];
				globalThis.moved = [];
				const note = (text) => troubles.push(String(text));
				addEventListener("error", ({ message, target }) => note(message ?? target.outerHTML), true);
				addEventListener("unhandledrejection", ({ reason }) => note(reason));
				addEventListener("securitypolicyviolation", ({ violatedDirective }) => note(violatedDirective));
				for (const level of ["error", "warn"]) console[level] = (...all) => note(all.join(" "));
				const element = (node) => (node instanceof Element ? node : node?.parentElement);
				const name = (node) => (element(node)?.closest("[data-live-list]") ? "in the list: " : "") +
					element(node)?.outerHTML.slice(0, 200);
				new PerformanceObserver((shifts) => shifts.getEntries().filter(({ hadRecentInput }) => !hadRecentInput)
					.forEach(({ sources }) => sources.forEach(({ node, previousRect: before, currentRect: after }) =>
						moved.push(`${name(node)} from ${before.x}, ${before.y} to ${after.x}, ${after.y}`))))
					.observe({ type: "layout-shift", buffered: true });
			}""";

	private static final String TWO_FRAMES = """
			new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))""";

	private static final Duration SOON = Duration.ofSeconds(30);

	private final Site site = Site.shared();

	private final Visitor ada = Visitor.registered(this.site);

	private final Visitor bob = Visitor.registered(this.site);

	@BeforeEach
	void someoneWithPosts() {
		for (int i = 0; i < 12; i++) {
			this.ada.post("post " + i + ", #engine");
		}
	}

	private Tab open(Browser browser, TabOptions options, String path) {
		Tab tab = browser.newTab(options);
		tab.beforeScripts(WATCH);
		tab.setCookie("auth", this.ada.cookie("auth"), "127.0.0.1");
		visit(tab, path);
		return tab;
	}

	private void visit(Tab tab, String path) {
		tab.open(this.site.url(path));
		if (tab.count("[data-live]") > 0) {
			tab.await().count("[data-live-state='open']", 1);
		}
		tab.evaluate(TWO_FRAMES);
	}

	private static List<?> list(Tab tab, String name) {
		tab.evaluate(TWO_FRAMES);
		return (List<?>) Objects.requireNonNull(tab.evaluate(name));
	}

	/** What failed and what moved on the pages. */
	private List<String> troubles(Tab tab, List<String> paths) {
		List<String> wrong = new ArrayList<>();
		for (String path : paths) {
			visit(tab, path);
			list(tab, "troubles").forEach((trouble) -> wrong.add(path + ": " + trouble));
			list(tab, "moved").forEach((moved) -> wrong.add(path + ": " + moved));
		}
		return wrong;
	}

	/** At this width the rules for narrow windows end, and those for others begin. */
	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	void aLiveListDoesNotMoveAtTheEdgeOfTheNarrowWindows(Browser browser) {
		assertThat(
				troubles(open(browser, new TabOptions(384, 780, false, true), "/home"), List.of("/home", "/timeline")))
			.isEmpty();
	}

	/** Firefox does not tell what moves. */
	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void pagesLoadWithoutFailureAndNothingMoves(Browser browser) {
		String post = this.ada.post("hello");
		List<String> wrong = new ArrayList<>();
		for (TabOptions options : List.of(TabOptions.desktop(), new TabOptions(360, 780, false, true))) {
			for (String language : List.of("en", "zh")) {
				Tab stranger = browser.newTab(options);
				stranger.beforeScripts(WATCH);
				stranger.open(this.site.url("/?lang=" + language));
				wrong.addAll(troubles(stranger, List.of("/", "/login", "/register", "/timeline", "/posts/" + post)));
				stranger.close();
				Tab tab = open(browser, options, "/home?lang=" + language);
				wrong.addAll(troubles(tab, List.of("/home", "/timeline", "/@" + this.ada.name(), "/posts/" + post,
						"/tags/engine", "/tags/nothing", "/nothing/here", "/search", "/search?q=" + this.ada.name(),
						"/@" + this.ada.name() + "/following", "/learn/lists", "/mentions", "/settings", "/how-live",
						"/bookmarks", "/notifications", "/search?q=engine", "/@" + this.ada.name() + "/followers",
						"/posts/" + post + "/likes", "/settings/sessions", "/settings/muted", "/settings/blocked",
						"/@" + this.bob.name() + "/common", "/@" + this.bob.name() + "/on-this-day",
						"/posts/" + post + "/report", "/lab", "/lab/course", "/lab/design", "/learn")));
				tab.close();
			}
		}
		assertThat(wrong).isEmpty();
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void emptyPagesAndRefusedFormsLoadWithoutFailureAndNothingMoves(Browser browser) {
		this.site.bean(Moderation.class).suspend("operator", this.bob.name()).block(SOON);
		List<String> wrong = new ArrayList<>();
		for (TabOptions options : List.of(TabOptions.desktop(), TabOptions.phone())) {
			Tab tab = browser.newTab(options);
			tab.beforeScripts(WATCH);
			SiteUser user = SiteUser.register(tab, this.site.url("/"));
			wrong.addAll(troubles(tab, List.of("/home", "/@" + user.name(), "/mentions", "/notifications", "/bookmarks",
					"/settings/muted", "/settings/blocked", "/search?q=nothinglikethis", "/@" + this.bob.name())));
			visit(tab, "/settings");
			tab.fill("#profile-name", "x".repeat(200));
			tab.clickAndLoad("form[action='/settings/profile'] button");
			assertThat(tab.count("#profile-name[aria-invalid]")).isOne();
			list(tab, "moved").forEach((moved) -> wrong.add("a wrong name: " + moved));
			visit(tab, "/home");
			tab.click(".live-controls button");
			tab.await().count("[data-live-state='paused']", 1);
			tab.evaluate("void (document.querySelector('#compose-body').value = 'refused \\u0007')");
			tab.clickAndLoad("form.compose button.primary");
			assertThat(tab.count("#compose-error")).isOne();
			list(tab, "moved").forEach((moved) -> wrong.add("a wrong post: " + moved));
			tab.close();
		}
		assertThat(wrong).isEmpty();
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void nothingMovesWhenAQuestionIsOverOrThePageIsNotLiveAnyMore(Browser browser) {
		for (TabOptions options : List.of(TabOptions.desktop(), TabOptions.phone())) {
			Tab tab = open(browser, options, "/home");
			tab.evaluate("void (window.setTimeout = ((real) => (task, ms) => real(task, ms / 4))(setTimeout))");
			tab.click("article button.danger");
			tab.await().count("article button.danger[data-asks]", 1);
			tab.press(Key.ESCAPE);
			tab.await().count("article button.danger[data-asks]", 0);
			assertThat(list(tab, "moved")).as("after the question").isEmpty();
			for (String path : List.of("/home?lang=en", "/timeline?lang=en", "/timeline?lang=zh")) {
				visit(tab, path);
				String live = tab.text(".live-mark");
				tab.evaluate("void (window.EventSource = class extends EventTarget { close() {} })");
				tab.evaluate("void dispatchEvent(new Event('offline'))");
				tab.await().that("another word", (page) -> !page.text(".live-mark").equals(live));
				assertThat(list(tab, "moved")).as("when %s is not live", path).isEmpty();
			}
			tab.close();
		}
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void nothingMovesWhenTheDatesOfSessionsBecomeThoseOfTheReadersClock(Browser browser) {
		Visitor elsewhere = Visitor.of(this.site);
		elsewhere.get("/login");
		elsewhere.signIn(this.ada.name(), Visitor.PASSWORD);
		for (String language : List.of("en", "zh")) {
			for (int width : new int[] { 360, 390, 412, 430, 1280 }) {
				Tab tab = open(browser, new TabOptions(width, 800, false, true), "/settings/sessions?lang=" + language);
				assertThat(tab.text("time:not([data-relative])")).doesNotContain("UTC");
				assertThat(list(tab, "moved")).as("%s, %s px", language, width).isEmpty();
				assertThat(tab.evaluate(
						"""
								[...document.querySelectorAll(".sessions time")].every((time) => time.scrollWidth <= time.clientWidth)"""))
					.as("nothing is cut off")
					.isEqualTo(true);
				tab.close();
			}
		}
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	void theBarDoesNotMoveWhenItArrivesInParts(Browser browser) throws Exception {
		String html = this.ada.get("/@" + this.ada.name()).body();
		int cut = html.indexOf("</a>", html.indexOf("<nav")) + "</a>".length();
		try (HalvedPage page = new HalvedPage(html, cut, (file) -> this.ada.get(file).response());
				Tab tab = browser.newTab(TabOptions.desktop())) {
			tab.beforeScripts(WATCH);
			tab.open(page.url());
			assertThat(list(tab, "moved")).isEmpty();
		}
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	void aPageThatArrivesInPartsHasItsScriptsRunWhenItIsWhole(Browser browser) throws Exception {
		String html = this.ada.get("/home").body();
		try (HalvedPage page = new HalvedPage(html, html.indexOf("<main"), (file) -> this.ada.get(file).response());
				Tab tab = browser.newTab(TabOptions.desktop())) {
			tab.open(page.url());
			tab.await().text("[data-compose-count]", "280 left");
		}
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	void aPostThatArrivesMovesNothingButPosts(Browser browser) {
		Tab tab = open(browser, TabOptions.phone(), "/home");
		String post = this.ada.post("at the top");
		tab.await().count(SiteUser.article(post), 1);
		assertThat(list(tab, "moved")).allMatch((moved) -> String.valueOf(moved).startsWith("in the list: "));
		assertThat(list(tab, "troubles")).isEmpty();
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	void aPostThatArrivesWhileTheReaderIsFurtherDownMovesNothing(Browser browser) {
		Tab tab = open(browser, TabOptions.phone(), "/home");
		tab.evaluate("scrollTo({ top: 600, behavior: 'instant' })");
		this.ada.post("above");
		tab.await().text(".live-new", "1 new post");
		assertThat(list(tab, "moved")).isEmpty();
		assertThat(list(tab, "troubles")).isEmpty();
	}

}
