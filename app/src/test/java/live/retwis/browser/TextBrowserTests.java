package live.retwis.browser;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;

import javax.imageio.ImageIO;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** Texts and names that would break a page leave what is around them in its place. */
@ExtendWith(RedisExtension.class)
class TextBrowserTests {

	private static final TabOptions NARROW = new TabOptions(360, 740, false, true);

	private static final String WIDE = "W".repeat(30);

	/** Every number of the open page becomes a large one. */
	private static final String LARGE_COUNTS = """
			(document.querySelectorAll("article :is(.reply, .like, .repost)").forEach((button) =>
				button.dataset.count = "100000"),
			document.querySelectorAll(".counts b, .count").forEach((count) => count.textContent = "100000"))""";

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	@SuppressWarnings("NullAway.Init")
	private static Visitor wide;

	@SuppressWarnings("NullAway.Init")
	private static Visitor other;

	@SuppressWarnings("NullAway.Init")
	private static String post;

	@BeforeAll
	static void start(@OwnRedis TestRedis redis) {
		site = Site.start(redis);
		wide = Visitor.registered(site, WIDE);
		other = Visitor.registered(site, "w".repeat(29) + "2");
		Visitor third = Visitor.registered(site, "W".repeat(29) + "3");
		wide.get("/settings");
		wide.submit("/settings/profile", "name", "W".repeat(50), "bio", "W".repeat(160));
		other.follow(wide);
		wide.follow(other);
		wide.follow(third);
		third.follow(other);
		wide.post("W".repeat(280));
		wide.post("😀".repeat(280));
		post = wide.post("#" + "w".repeat(60) + " by @" + WIDE);
		other.get("/posts/" + post);
		other.postJson("body", "To @" + WIDE + " " + "👩‍👩‍👧".repeat(40), "once", UUID.randomUUID().toString(),
				"reply_to", post);
		other.get("/posts/" + post);
		other.submit("/posts/" + post + "/like");
		third.get("/posts/" + post);
		third.submit("/posts/" + post + "/like");
		String reposted = other.post("W".repeat(30));
		wide.get("/posts/" + reposted);
		wide.submit("/posts/" + reposted + "/repost");
		wide.submit("/posts/" + post + "/bookmark");
		Visitor muted = Visitor.registered(site, "W".repeat(29) + "4");
		wide.get("/@" + muted.name());
		wide.submit("/@" + muted.name() + "/mute");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void wideNamesAndTextsStayInTheirBoxes(Browser browser, BrowserKind kind) {
		List<String> wrong = new ArrayList<>();
		for (int width : List.of(360, 768, 1280)) {
			Tab tab = browser.newTab(new TabOptions(width, 740, false, true));
			SiteUser.login(tab, site.url("/"), WIDE);
			for (String language : List.of("en", "zh")) {
				for (String path : List.of("/home", "/@" + WIDE, "/@" + WIDE + "/followers", "/@" + WIDE + "/following",
						"/@" + other.name(), "/@" + other.name() + "/common", "/timeline", "/posts/" + post,
						"/posts/" + post + "/likes", "/tags/" + "w".repeat(60), "/mentions", "/notifications",
						"/search?q=" + WIDE, "/bookmarks", "/settings", "/settings/sessions", "/settings/muted")) {
					tab.open(site.url(path + (path.contains("?") ? "&" : "?") + "lang=" + language));
					tab.evaluate(LARGE_COUNTS);
					String what = width + path.replaceAll("\\W+", "-").replaceAll("(?i)w{20,}\\d?", "w") + "-"
							+ language;
					wrong.addAll(misplaced(tab, what));
					tab.screenshot(picture(kind, "wide-" + what));
				}
				tab.open(site.url("/home?lang=" + language));
				tab.await().count("[data-live-state='open']", 1);
				tab.click("article a.reply");
				tab.await().count("form[data-reply-in-place]", 1);
				wrong.addAll(misplaced(tab, width + "-reply-" + language));
				tab.screenshot(picture(kind, "wide-" + width + "-reply-" + language));
			}
			tab.close();
		}
		assertThat(wrong).isEmpty();
	}

	private static List<String> misplaced(Tab tab, String page) {
		return Placement.misplaced(tab).stream().map((one) -> page + ": " + one).toList();
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void theBarFitsIntoAWindowOfAnyWidth(Browser browser) {
		for (int width : List.of(320, 360, 480, 570, 640, 650, 768, 850, 870, 1024)) {
			Tab tab = browser.newTab(new TabOptions(width, 780, false, true));
			SiteUser.login(tab, site.url("/"), WIDE);
			for (String language : List.of("en", "zh")) {
				tab.open(site.url("/settings?lang=" + language));
				assertThat(tab.evaluate("document.documentElement.scrollWidth")).as("%s, %s", width, language)
					.isEqualTo(tab.evaluate("innerWidth"));
			}
			tab.close();
		}
	}

	@BrowserTest
	void theShortestAgeIsLargeEnoughToTouch(Browser browser) {
		Tab tab = browser.newTab(NARROW);
		tab.open(site.url("/@" + WIDE)); // the age stands below so wide a name, and
											// closer to it than beside it
		tab.evaluate(
				"""
						(document.querySelectorAll(".when time").forEach((time) =>
							time.dateTime = new Date(Date.now() - 61_000).toISOString()), dispatchEvent(new Event("pageshow")))""");
		assertThat(tab.text(".when")).isEqualTo("1m");
		double width = number(tab, "document.querySelector('.when').getBoundingClientRect().width");
		double height = number(tab, "document.querySelector('.when').getBoundingClientRect().height");
		assertThat(Math.min(width, height)).as("CSS pixels").isGreaterThanOrEqualTo(24);
	}

	@BrowserTest
	void whatATextPaintsOutsideOfItsLinesStaysInItsArticle(Browser browser, BrowserKind kind) throws IOException {
		Visitor author = Visitor.registered(site);
		author.post("below");
		String tower = author.post("Z" + "\u030d\u0316".repeat(100));
		author.post("above");
		Tab tab = browser.newTab(NARROW.withoutJavaScript());
		tab.open(site.url("/@" + author.name()));
		// Not every font piles up accents, so two shadows stand for the pile.
		tab.evaluate("void (document.querySelector('#post-%s .post-body').style.textShadow = '0 -90px, 0 90px')"
			.formatted(tower));
		BufferedImage shown = ImageIO.read(tab.screenshot(picture(kind, "tower")).toFile());
		tab.evaluate(
				"void (document.querySelector('#post-%s .post-body').style.visibility = 'hidden')".formatted(tower));
		BufferedImage hidden = ImageIO.read(tab.screenshot(picture(kind, "no-tower")).toFile());
		List<Integer> painted = IntStream.range(0, shown.getHeight())
			.filter((y) -> IntStream.range(0, shown.getWidth())
				.anyMatch((x) -> shown.getRGB(x, y) != hidden.getRGB(x, y)))
			.boxed()
			.toList();
		String box = "document.querySelector('#post-%s').getBoundingClientRect()".formatted(tower);
		double top = number(tab, "scrollY + " + box + ".top");
		double bottom = number(tab, "scrollY + " + box + ".bottom");
		assertThat(painted).isNotEmpty().allMatch((y) -> y >= Math.floor(top) && y < Math.ceil(bottom));
	}

	@BrowserTest
	void aNameKeepsItsOrderInATextOfTheOtherDirection(Browser browser) {
		String mixed = wide.post("مرحبا @" + WIDE + " و #سلام");
		Tab tab = browser.newTab();
		tab.open(site.url("/posts/" + mixed));
		assertThat(leftOf(tab, ".post-body a", 0)).as("@ is left of the name")
			.isLessThan(leftOf(tab, ".post-body a", 1));
		assertThat(leftOf(tab, ".post-body a + a", 0)).as("# is right of the tag")
			.isGreaterThan(leftOf(tab, ".post-body a + a", 1));
	}

	@BrowserTest
	void aTextThatTurnsItsDirectionTurnsNothingAroundIt(Browser browser) {
		Visitor author = Visitor.registered(site);
		String turned = author.post("\u202e\u2067 turned by @" + author.name());
		Tab tab = browser.newTab();
		tab.open(site.url("/posts/" + turned));
		assertThat(number(tab, "document.querySelector('.post-body').firstChild.data.charCodeAt(0)")).isEqualTo(0x202e);
		for (String name : List.of(".post .author", ".post-body a")) {
			assertThat(leftOf(tab, name, 0)).as("@ in " + name).isLessThan(leftOf(tab, name, 1));
		}
		assertThat(leftOf(tab, ".post .author", 1)).isLessThan(leftOf(tab, ".post time", 0));
		assertThat(leftOf(tab, ".post .reply", 0)).isLessThan(leftOf(tab, ".post .repost", 0));
	}

	/** Where a character of the last text in an element begins. */
	private static double leftOf(Tab tab, String selector, int character) {
		return number(tab, """
				((text, at) => {
					const range = document.createRange();
					range.setStart(text, at);
					range.setEnd(text, at + 1);
					return range.getBoundingClientRect().left;
				})(document.querySelector("%s").lastChild, %d)""".formatted(selector, character));
	}

	@BrowserTest
	void aLinkIsCopiedWholeAndALineBreakStays(Browser browser) {
		String address = "https://example.org/" + "a-long-path/".repeat(8) + "end";
		String links = wide.post("first line\n" + address);
		Tab tab = browser.newTab();
		tab.open(site.url("/posts/" + links));
		assertThat(tab.text(".post-body")).startsWith("first line\n");
		assertThat(tab.evaluate("""
				(() => {
					getSelection().selectAllChildren(document.querySelector(".post-body a"));
					return getSelection().toString();
				})()""")).isEqualTo(address);
		assertThat(number(tab, "document.querySelector('.url-rest').getBoundingClientRect().width"))
			.as("it is shown shortened")
			.isZero();
	}

	@BrowserTest
	@Tag("slow")
	void timesAreThoseOfTheReadersClockWithTheExactOneOnHover(Browser browser) {
		String old = wide.post("some time ago");
		Tab tab = browser.newTab();
		tab.open(site.url("/timeline"));
		tab.await().count("[data-live-state='open']", 1);
		String time = "#post-" + old + " time";
		for (String[] ago : new String[][] { { "5", "5m" }, { "180", "3h" } }) {
			tab.evaluate("""
					(() => {
						const time = document.querySelector("%s");
						time.dateTime = new Date(Date.now() - %s * 60_000 - 1_000).toISOString();
						time.title = "";
						dispatchEvent(new Event("pageshow"));
					})()""".formatted(time, ago[0]));
			assertThat(tab.text(time)).isEqualTo(ago[1]);
		}
		assertThat(tab.evaluate("new Date().getTimezoneOffset()")).as("minutes to UTC").isEqualTo(-345L);
		assertThat(tab.evaluate("""
				(() => {
					const { title, dateTime } = document.querySelector("%s");
					const date = new Date(dateTime);
					const two = (number) => String(number).padStart(2, "0");
					return title.includes(`${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`)
						&& title.includes(date.getFullYear());
				})()""".formatted(time))).isEqualTo(true);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void datesAreThoseOfTheReadersClockInTheLanguageOfThePage(Browser browser) {
		String time = "time:not([data-relative])";
		Tab tab = browser.newTab();
		SiteUser user = SiteUser.register(tab, site.url("/"));
		tab.beforeScripts("""
				() => new MutationObserver(() => {
					document.querySelector("%s")?.setAttribute("datetime", "2026-07-20T23:55:30.000Z");
				}).observe(document, { childList: true, subtree: true })""".formatted(time));
		for (String[] local : new String[][] { { "en", "21 Jul 2026", "21 Jul 2026, 05:40" },
				{ "zh", "2026年7月21日", "2026年7月21日 05:40" } }) {
			for (String path : List.of("", "/followers")) {
				tab.open(site.url("/@" + user.name() + path + "?lang=" + local[0]));
				assertThat(tab.text(time)).isEqualTo(local[1]);
			}
			tab.open(site.url("/settings/sessions"));
			assertThat(tab.text(time)).isEqualTo(local[2]);
			assertThat(tab.attribute(time, "title")).contains("2026", "40:30");
		}
	}

	private static double number(Tab tab, String expression) {
		return ((Number) Objects.requireNonNull(tab.evaluate(expression))).doubleValue();
	}

	private static Path picture(BrowserKind kind, String name) {
		return Path.of("target", "screenshots", kind.toString().toLowerCase(Locale.ROOT), name + ".png");
	}

}
