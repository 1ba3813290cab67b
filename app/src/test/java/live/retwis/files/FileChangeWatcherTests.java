package live.retwis.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * In the profile {@code dev} a change of a file shows on the pages.
 */
@ExtendWith(OutputCaptureExtension.class)
class FileChangeWatcherTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	@SuppressWarnings("NullAway.Init")
	private static Path folder;

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	private final Visitor ann = Visitor.registered(site);

	@BeforeAll
	static void start(@TempDir Path copies) throws IOException {
		folder = copies;
		for (String name : new String[] { "templates", "static" }) {
			FileSystemUtils.copyRecursively(Path.of("..").resolve(name), folder.resolve(name));
		}
		site = Site.another("--spring.profiles.active=dev", "--retwis.files.folder=" + folder);
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	private static void change(String file, String from, String to) throws IOException {
		Path path = folder.resolve(file);
		String text = Files.readString(path);
		assertThat(text).contains(from);
		Files.writeString(path, text.replace(from, to));
	}

	private void awaitOn(String page, String text) {
		Awaitility.await(text).atMost(SOON).until(() -> this.ann.get(page).body().contains(text));
	}

	@Test
	void aChangedTextShowsOnEveryPageThatHasIt() throws IOException {
		this.ann.get("/home");
		change("templates/words/messages.properties", "home.feed=Your timeline", "home.feed=Your own news");
		awaitOn("/home", "Your own news");
	}

	@Test
	void aChangedTemplateShowsOnThePagesThatIncludeIt() throws IOException {
		this.ann.post("hello");
		this.ann.get("/timeline");
		change("templates/partials/feed.mustache", "class=\"feed\"", "class=\"feed changed\"");
		awaitOn("/home", "class=\"feed changed\"");
		awaitOn("/timeline", "class=\"feed changed\"");
		change("templates/partials/post.mustache", "<p class=\"post-body\">", "<p class=\"post-body other\">");
		awaitOn("/home", "<p class=\"post-body other\">");
		awaitOn("/timeline", "<p class=\"post-body other\">");
	}

	@Test
	void aChangedStylesheetHasAnotherAddress() throws IOException {
		String before = stylesheet();
		change("static/site.css", ".post-body {", ".changed { color: red } .post-body {");
		// The last change of another test may give it another address first.
		Awaitility.await("the change")
			.atMost(SOON)
			.until(() -> this.ann.get(stylesheet()).body().contains(".changed { color: red }"));
		assertThat(stylesheet()).isNotEqualTo(before);
	}

	private String stylesheet() {
		return this.ann.get("/home").find("\"(/assets/[^\"]*/site.css)\"");
	}

	@Test
	void aMistakeIsLoggedAndTheOldVersionStaysInUse(CapturedOutput log) throws IOException {
		change("templates/settings.mustache", "{{/deletion}}", "{{/nonsense}}");
		awaitIn(log, "templates/settings.mustache: ");
		assertThat(this.ann.get("/settings").body()).contains("name=\"password\"");
		change("templates/settings.mustache", "{{/nonsense}}", "<i>mended</i>{{/deletion}}");
		awaitOn("/settings", "<i>mended</i>");
		change("templates/words/messages_zh.properties", "home.title=", "home.heading=");
		awaitIn(log, "missing: home.title; unknown: home.heading");
		assertThat(this.ann.get("/home?lang=zh").body()).contains("主页");
		change("templates/words/messages_zh.properties", "home.heading=", "home.title=");
		this.ann.get("/home?lang=en");
	}

	@Test
	void theMissingAndTheUnknownKeysOfALanguageAreLogged(CapturedOutput log) throws IOException {
		String file = "templates/words/messages_zh.properties";
		change(file, "settings.title=", "# settings.title=");
		awaitIn(log, file + ": missing: settings.title" + System.lineSeparator());
		change(file, "# settings.title=", "settings.heading=x\nsettings.title=");
		awaitIn(log, file + ": unknown: settings.heading" + System.lineSeparator());
		change(file, "settings.heading=x\n", "");
	}

	private static void awaitIn(CapturedOutput log, String text) {
		Awaitility.await(text).atMost(SOON).until(() -> log.getOut().contains(text));
	}

}
