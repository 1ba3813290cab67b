package live.retwis.browser;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import javax.imageio.ImageIO;

import live.retwis.browser.Input.Key;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What browser tests rely on, tried on a tiny site.
 */
class BrowserHarnessTests {

	private static final Duration SHORT = Duration.ofMillis(200);

	private TinySite site;

	@BeforeEach
	void startSite() throws IOException {
		this.site = new TinySite();
	}

	@AfterEach
	void stopSite() {
		this.site.close();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void keepsTheCookiesOfTwoTabsApart(Browser browser) {
		Tab alice = home(browser, TabOptions.desktop());
		Tab bob = home(browser, TabOptions.phone());
		alice.fill("#new-name", "alice");
		alice.press(Key.ENTER);
		alice.await().text("#name", "alice");
		assertThat(alice.title()).isEqualTo("Tiny");
		bob.reload();
		assertThat(bob.text("#name")).isEqualTo("nobody");
		bob.fill("#new-name", "bob");
		bob.press(Key.ENTER);
		bob.await().text("#name", "bob");
		bob.close();
		bob.close();
		assertThat(browser.tabs()).containsExactly(alice);
		alice.reload();
		assertThat(alice.text("#name")).isEqualTo("alice");
	}

	@BrowserTest
	@Tag("slow")
	void showsOneUserWhatTheOtherPostsAndDeletesWithoutReload(Browser browser) {
		Tab alice = home(browser, TabOptions.desktop());
		Tab bob = home(browser, TabOptions.desktop());
		bob.await().text("#scripts", "scripts run");
		alice.fill("#text", "hello");
		alice.clickAndLoad("#post");
		bob.await(Duration.ofSeconds(1)).text("#posts > li", "hello");
		assertThat(bob.attribute("#posts > li", "title")).isEqualTo("hello");
		assertThat(bob.attribute("#posts > li", "lang")).isNull();
		alice.clickAndLoad(".delete");
		bob.await(Duration.ofSeconds(1)).noText("#posts > li", "hello");
		bob.await().count("#posts > li", 0);
	}

	/** Firefox brings the caret into view with the first frame after the last key. */
	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void clicksWhatIsFarBelowTheFieldThatItHasJustFilled(Browser browser) {
		Tab tab = home(browser, TabOptions.desktop());
		tab.evaluate("""
				(() => {
					const below = document.body.appendChild(document.createElement("button"));
					below.id = "below";
					below.textContent = 0;
					Object.assign(below.style, { position: "absolute", top: "2000px" });
					below.addEventListener("click", () => below.textContent++);
				})()""");
		for (int i = 1; i <= 50; i++) {
			tab.fill("#text", "x".repeat(200));
			tab.click("#below");
			tab.await(Duration.ofSeconds(5)).text("#below", String.valueOf(i));
		}
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void runsNoScriptsWhereTheyAreOff(Browser browser) {
		Tab tab = home(browser, TabOptions.desktop().withoutJavaScript());
		for (int i = 1; i <= 2; i++) {
			tab.fill("#text", "post " + i);
			tab.clickAndLoad("#post");
			assertThat(tab.texts("#posts > li")).hasSize(i).first().asString().contains("post " + i);
			assertThat(tab.text("#scripts")).isEqualTo("scripts are off");
			assertThat(tab.text("#noscript")).isEqualTo("no scripts");
			tab.clickAndLoad("#traps");
			tab.go(-1);
			assertThat(tab.text("#scripts")).isEqualTo("scripts are off");
		}
		tab.reload();
		assertThat(tab.text("#scripts")).isEqualTo("scripts are off");
		assertThat(home(browser, TabOptions.desktop()).text("#name")).isEqualTo("nobody");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void everyPageHasTheSizeAndColoursOfTheOptions(Browser browser, @TempDir Path folder) throws IOException {
		looksAsAskedFor(browser, TabOptions.desktop(), 0xFFFFFF, folder);
		looksAsAskedFor(browser, TabOptions.phone().inTheDark().withoutJavaScript(), 0x000000, folder);
	}

	private void looksAsAskedFor(Browser browser, TabOptions options, int background, Path folder) throws IOException {
		Tab tab = home(browser, options);
		tab.clickAndLoad("#post");
		tab.clickAndLoad(".delete");
		BufferedImage page = ImageIO.read(tab.screenshot(folder.resolve("new/page.png")).toFile());
		assertThat(page.getWidth()).isEqualTo(options.width());
		assertThat(page.getHeight()).isGreaterThan(3000);
		assertThat(page.getRGB(options.width() - 1, 2000) & 0xFFFFFF).isEqualTo(background);
		BufferedImage view = ImageIO.read(tab.screenshotOfViewport(folder.resolve("view.png")).toFile());
		assertThat(List.of(view.getWidth(), view.getHeight())).containsExactly(options.width(), options.height());
		assertThat(tab.evaluate("document.documentElement.clientWidth")).isEqualTo((long) options.width());
	}

	@BrowserTest
	@Tag("slow")
	void keepsEveryTabVisible(Browser browser) {
		List<Tab> tabs = List.of(home(browser, TabOptions.desktop()), home(browser, TabOptions.phone()),
				home(browser, TabOptions.desktop()));
		assertThat(tabs).allSatisfy((tab) -> {
			assertThat(tab.evaluate("document.visibilityState")).isEqualTo("visible");
			assertThat(tab.evaluate("new Promise((done) => requestAnimationFrame(() => done('drawn')))"))
				.isEqualTo("drawn");
		});
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void replacesTheTextOfAFieldWithEveryCharacter(Browser browser) {
		Tab tab = home(browser, TabOptions.desktop());
		for (String text : List.of("Grüße <b>\"&'", "two\nlines", "漢字 👍🏽 👩‍👩‍👧 🇩🇪 e\u0301", "",
				"x".repeat(280))) {
			tab.fill("#text", text);
			assertThat(tab.value("#text")).isEqualTo(text);
		}
	}

	@BrowserTest
	@Tag("slow")
	void clicksOnlyWhatAUserCanClick(Browser browser) {
		Tab tab = browser.newTab();
		tab.open(this.site.url("/traps"));
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> tab.click(".none", SHORT))
			.withMessageContaining("is not visible");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> tab.click("#covered", SHORT))
			.withMessageContaining("is under <div id=\"cover\">");
		tab.click("#uncover");
		tab.click("#covered");
		assertThat(tab.text("#covered")).isEqualTo("clicked");
		tab.click("#later");
		assertThat(tab.text("#later")).isEqualTo("clicked");
		tab.clickAndLoad("#wrapped");
		assertThat(tab.url()).endsWith("/?wrapped");
		tab.go(-1);
		assertThat(tab.url()).endsWith("/traps");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void anExpiredWaitSaysWhatThePageShows(Browser browser) {
		Tab tab = browser.newTab();
		tab.open(this.site.url("/traps"));
		tab.await().text("#late", "here");
		assertThat(tab.text(".none")).as("hidden text").isEmpty();
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> tab.await(SHORT).text("#late", "there"))
			.withMessageContainingAll("Not within 200 ms", "\"there\" in #late", "/traps", "here")
			.withMessageNotContaining("secret");
		assertThatExceptionOfType(ScriptException.class).isThrownBy(() -> tab.count("p[")).withMessageContaining("p[");
		assertThatExceptionOfType(BidiException.class).isThrownBy(() -> tab.open("http://127.0.0.1:1/"));
	}

	@BrowserTest
	@Tag("slow")
	void anErrorSaysWhatThePageCouldNotLoad(Browser browser) throws IOException {
		Tab other = home(browser, TabOptions.desktop());
		Tab tab = browser.newTab();
		String lost;
		try (TinySite gone = new TinySite()) {
			tab.open(gone.url("/"));
			lost = gone.url("/script.js");
		}
		tab.evaluate("fetch('/script.js').catch(() => 'refused')");
		tab.await().that("the reason", (page) -> page.toString().contains(lost + ": "));
		assertThat(tab.toString()).contains("Could not load\n");
		assertThat(other.toString()).doesNotContain("Could not load");
	}

	@BrowserTest
	void errorsOfScriptsAreNoticedInEveryTabOfTheTest(Browser browser) {
		Tab beside = home(browser, TabOptions.desktop()).beside();
		beside.open(this.site.url("/"));
		assertThat(browser.scriptErrors()).isEmpty();
		beside.evaluate("void setTimeout(() => missing())");
		beside.await()
			.that("the error",
					(page) -> browser.scriptErrors().stream().anyMatch((error) -> error.contains("missing")));
		assertThat(home(browser, TabOptions.desktop()).scriptErrors()).isEmpty();
		browser.allowScriptErrors();
	}

	@BrowserTest
	void evaluatesInTheRealmOfThePagesScripts(Browser browser) {
		Tab tab = home(browser, TabOptions.desktop());
		assertThat(tab.evaluate("window.answer")).isEqualTo(42L);
		assertThat(tab.evaluate("Promise.resolve({ a: [1.5, 'b', true, null], c: NaN })"))
			.isEqualTo(Map.of("a", Arrays.asList(1.5, "b", true, null), "c", Double.NaN));
		assertThat(tab.evaluate("undefined")).isNull();
		assertThatExceptionOfType(ScriptException.class).isThrownBy(() -> tab.evaluate("nothing.there"))
			.withMessageContaining("nothing");
	}

	private Tab home(Browser browser, TabOptions options) {
		Tab tab = browser.newTab(options);
		tab.open(this.site.url("/"));
		return tab;
	}

}
