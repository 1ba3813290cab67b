package live.retwis.browser;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;

import live.retwis.testing.Pictures;
import live.retwis.testing.Site;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Users upload pictures, and others see them.
 */
class PictureBrowserTests {

	private final Site site = Site.shared();

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReaderWithoutScriptsUploadsAndRemovesAPicture(Browser browser, @TempDir Path folder) throws IOException {
		Tab tab = browser.newTab(TabOptions.phone().withoutJavaScript());
		SiteUser alice = SiteUser.register(tab, this.site.url("/"));
		tab.open(this.site.url("/settings"));
		assertThat(tab.count("[name='remove-picture']")).isZero();
		tab.fill("#profile-name", "Alice");
		tab.choose("#profile-picture", Files.writeString(folder.resolve("page.png"), "<html>"));
		tab.clickAndLoad("form[action='/settings/profile'] button");
		assertThat(tab.text("#profile-picture-help")).startsWith("This file is not a");
		assertThat(tab.attribute("#profile-picture", "aria-invalid")).isEqualTo("true");
		assertThat(tab.value("#profile-name")).isEqualTo("Alice");
		tab.choose("#profile-picture",
				Files.write(folder.resolve("photo.jpg"), Pictures.plain("jpeg", 200, 300, Color.BLUE)));
		tab.clickAndLoad("form[action='/settings/profile'] button");
		assertThat(tab.text(".notice")).isEqualTo("Your profile has been saved.");
		assertThat(loaded(tab, ".picture-choice img")).isEqualTo(128);
		tab.open(this.site.url("/@" + alice.name()));
		assertThat(loaded(tab, ".profile img")).isEqualTo(128);
		tab.open(this.site.url("/settings"));
		tab.click("[name='remove-picture']");
		tab.clickAndLoad("form[action='/settings/profile'] button");
		assertThat(tab.count(".picture-choice img")).isZero();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aPictureChangesOnOpenPagesAndNothingMoves(Browser browser, @TempDir Path folder) throws IOException {
		SiteUser alice = SiteUser.register(browser.newTab(), this.site.url("/"));
		alice.post("Who am I?");
		Tab reader = browser.newTab();
		reader.open(this.site.url("/@" + alice.name()));
		reader.await().count("[data-live-state='open']", 1);
		String before = place(reader);
		String avatar = "article .avatar";
		assertThat(reader.count(avatar + " img")).isZero();
		alice.tab().open(this.site.url("/settings"));
		alice.tab()
			.choose("#profile-picture",
					Files.write(folder.resolve("a.png"), Pictures.plain("png", 90, 90, Color.GREEN)));
		alice.tab().clickAndLoad("form[action='/settings/profile'] button");
		reader.await().count(avatar + " img", 1);
		reader.await().count(".profile .avatar img", 1);
		reader.await().that("the picture", (page) -> loaded(page, avatar + " img") == 128);
		assertThat(place(reader)).isEqualTo(before);
		String first = Objects.requireNonNull(reader.attribute(avatar + " img", "src"));
		alice.tab()
			.choose("#profile-picture", Files.write(folder.resolve("b.png"), Pictures.plain("png", 90, 90, Color.RED)));
		alice.tab().clickAndLoad("form[action='/settings/profile'] button");
		reader.await().that("another picture", (page) -> !first.equals(page.attribute(avatar + " img", "src")));
		alice.tab().click("[name='remove-picture']");
		alice.tab().clickAndLoad("form[action='/settings/profile'] button");
		reader.await().count(avatar + " img", 0);
		assertThat(reader.text(avatar)).isEqualTo(alice.name().substring(0, 1).toUpperCase(Locale.ROOT));
	}

	/** Width of the loaded picture in its own pixels; 0 until it is loaded. */
	private static int loaded(Tab tab, String css) {
		return Integer.parseInt(tab.property(css, "naturalWidth"));
	}

	/** Where the text of the first post is. */
	private static String place(Tab tab) {
		return String.valueOf(tab.evaluate(
				"(({ x, y, width }) => [x, y, width].join())(document.querySelector('.post-body').getBoundingClientRect())"));
	}

}
