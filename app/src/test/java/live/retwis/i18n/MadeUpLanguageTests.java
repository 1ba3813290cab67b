package live.retwis.i18n;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Adding a language takes one file. The test adds a made-up language whose texts are the
 * English ones between brackets. If a page shows a text without brackets, that text is
 * missing from the catalogue.
 */
class MadeUpLanguageTests {

	/** The first of the language codes for private use. */
	private static final String TAG = "qaa";

	private static final Pattern MARKED = Pattern.compile("⟦[^⟦⟧]*⟧");

	/**
	 * Texts that stay English: the lab's own texts, and the names of scenarios and of
	 * languages.
	 */
	private static final Pattern IN_ENGLISH = Pattern
		.compile("(?s)<(\\w+)[^<>]* (?:lang=\"en\"|href=\"/lab/scenarios/\\w+\")[^<>]*>.*?</\\1>");

	private static final Pattern ATTRIBUTE = Pattern
		.compile(" (?:aria-label|title|alt|placeholder|data-confirm)=\"([^\"]*)\"");

	/** Names, units and the names of the lab's engines. */
	private static final Pattern VERBATIM = Pattern.compile(
			"&[#\\w]+;|Retwis|Live|@\\w+|UTC|JSON|[a-z0-9.-]+:\\d+|redisson|parallel|raw|rlock|rfenced|#hello|O\\([^()]+\\)+");

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	@BeforeAll
	static void start(@TempDir Path folder) throws IOException {
		Path words = Files.createDirectories(folder.resolve("templates/words"));
		Files.writeString(words.resolve("messages_" + TAG + ".properties"),
				Files.readAllLines(Path.of("../templates/words/messages.properties"))
					.stream()
					.map(MadeUpLanguageTests::marked)
					.collect(Collectors.joining("\n")));
		Thread thread = Thread.currentThread();
		ClassLoader own = thread.getContextClassLoader();
		thread.setContextClassLoader(new URLClassLoader(new URL[] { folder.toUri().toURL() }, own));
		try {
			site = Site.another("--retwis.lab.enabled=true", "--retwis.learn.enabled=true",
					"--retwis.xray.enabled=true", "--retwis.xray.users=*",
					"--retwis.cluster.control=http://127.0.0.1:9");
		}
		finally {
			thread.setContextClassLoader(own);
		}
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	private static String marked(String line) {
		if (line.isBlank() || line.startsWith("#")) {
			return line;
		}
		String[] parts = line.split("=", 2);
		return parts[0] + (parts[0].startsWith("time.") ? "='⟦'" + parts[1] + "'⟧'" : "=⟦" + parts[1] + "⟧");
	}

	private static Visitor reader(Visitor visitor) {
		assertThat(visitor.get("/timeline?lang=" + TAG).body()).contains("<html lang=\"" + TAG + "\">");
		return visitor;
	}

	@Test
	void everyTextOnThePagesOfASignedInReaderIsInTheCatalogue() {
		Visitor ann = reader(Visitor.registered(site));
		Visitor bob = Visitor.registered(site);
		assertAllMarked(ann.get("/home"), ann.get(profile(ann)), ann.get(profile(bob) + "/followers"));
		String post = ann.post("hello");
		ann.follow(bob);
		bob.follow(ann);
		assertAllMarked(ann.get("/home"), ann.get("/timeline"), ann.get("/posts/" + post), ann.get(profile(ann)),
				ann.get(profile(bob)), ann.get(profile(ann) + "/followers"), ann.get(profile(ann) + "/following"),
				ann.get("/settings"), ann.submit("/settings/delete", "password", ""),
				ann.get("/settings?profile-changed"), ann.submit("/settings/profile", "name", "a\0"),
				ann.submit("/settings/profile", "name", "x".repeat(51)), ann.get("/settings?password-changed"),
				ann.submit("/settings/password", "password2", "x"), ann.get("/settings/sessions"), ann.get("/how-live"),
				ann.submit("/posts", "body", ""), ann.submit("/posts", "body", "⟦" + "x".repeat(300) + "⟧"),
				ann.submit("/posts", "body", "", "reply_to", post), ann.submit(profile(ann) + "/follow"));
	}

	@Test
	void everyTextOnThePagesOfASignedOutReaderIsInTheCatalogue() {
		Visitor ann = Visitor.registered(site);
		String post = ann.post("hello");
		Visitor stranger = reader(Visitor.of(site));
		assertAllMarked(stranger.get("/"), stranger.get("/?deleted"), stranger.get("/timeline"),
				stranger.get("/posts/" + post), stranger.get(profile(ann)), stranger.get(profile(ann) + "/following"),
				stranger.get("/how-live"), stranger.get("/login"), stranger.submit("/login", "username", ""),
				stranger.submit("/login", "username", "nobody", "password", "x"), stranger.get("/register"),
				stranger.submit("/register", "username", "a b", "password", "x", "password2", "y"),
				stranger.submit("/register", "username", ann.name(), "password", Visitor.PASSWORD, "password2",
						Visitor.PASSWORD),
				stranger.submit("/posts", "body", "1, 2, 3"));
	}

	/** Commands, keys and scripts are the same in each language. */
	@Test
	void everyTextOnEachPageOfTheRouteTableIsInTheCatalogue() throws IOException {
		Visitor ann = reader(Visitor.registered(site));
		Visitor bob = Visitor.registered(site);
		ann.follow(bob);
		bob.follow(ann);
		String post = bob.post("#hello @" + ann.name());
		for (String reaction : List.of("like", "repost", "bookmark")) {
			ann.submit("/posts/" + post + "/" + reaction);
		}
		bob.submit("/posts", "body", "again", "reply_to", post);
		ann.submit(profile(Visitor.registered(site)) + "/mute");
		ann.submit(profile(Visitor.registered(site)) + "/block");
		Answer[] pages = Files.readAllLines(Path.of("src/docs/routes.md"))
			.stream()
			.filter((row) -> row.startsWith("| GET | `") && !row.contains("`/live/"))
			.map((row) -> row.split("`")[1])
			.map((path) -> path.replace("{username}", bob.name())
				.replace("{id}", post)
				.replace("{tag}", "hello")
				.replace("{lesson}", "reply?answer=b")
				.replace("{chapter}", "strings")
				.replace("{number}", "8a"))
			.filter((path) -> !path.contains("{"))
			.map(ann::get)
			.filter((page) -> page.header("Content-Type").startsWith("text/html"))
			.toArray(Answer[]::new);
		assertThat(pages).hasSizeGreaterThan(25);
		assertAllMarked(pages);
		assertAllMarked(ann.get("/search?q=hello"), ann.get("/search?q=" + bob.name()));
	}

	/** Of a page, a form, a post's way and a stream. Scripts are comments in English. */
	@Test
	void everyTextOfThePanelsOfXrayIsInTheCatalogue() {
		Visitor ann = reader(Visitor.registered(site));
		Visitor sender = ann.sentTo(site.url("")).sending("Referer", site.url("/timeline?xray=1"));
		sender.get("/timeline");
		Answer sent = sender.submit("/posts", "body", "hello", "once", UUID.randomUUID().toString());
		String post = ann.get("/home").postIds().get(0);
		String ended = "/home?xray=" + "a".repeat(22);
		assertAllMarked(ann.get(sent.location().replaceAll("#.*", "")), ann.get("/posts/" + post + "?xray=1"),
				ann.get("/home?xray=1"), ann.get(profile(ann) + "?xray=1"), ann.get("/nowhere?xray=1"), ann.get(ended),
				ann.get("/xray/keys?key=post:" + post), ann.get("/xray/keys?key=%7Blive%7D:log"));
	}

	@Test
	void everyTextOnTheErrorPagesIsInTheCatalogue() {
		Visitor ann = reader(Visitor.registered(site));
		String post = Visitor.registered(site).post("hello");
		assertAllMarked(ann.get("/nowhere"), ann.get("/@" + Visitor.freshName()), ann.get("/posts/0"),
				ann.get("/posts/0000000000000"), ann.get("/timeline?before=x"), ann.get("/assets/x/none.css"),
				ann.get("/posts"), ann.submit("/posts/" + post + "/delete"), ann.submit("/home"),
				ann.submit("/logout", "_csrf", "AAAA"),
				from(site.url(""), ann).submit("/posts", "_csrf", "AAAA", "body", "⟦x⟧"),
				from("https://evil.example", ann).submit("/posts"));
	}

	@Test
	void everyTextOnThePagesOfTheLabIsInTheCatalogue() {
		Visitor ann = reader(Visitor.registered(site));
		assertAllMarked(ann.get("/lab"), ann.submit("/lab/runs", "scenario", "none", "nodes", "5"),
				ann.submit("/lab/actions", "kind", "none", "node", "1"), ann.get("/lab/scenarios/8a"),
				ann.get("/lab/scenarios/none"), ann.get("/lab/runs/none"));
	}

	@Test
	void everyTextOfTheChaptersIsInTheCatalogue() {
		Visitor ann = reader(Visitor.registered(site));
		Answer list = ann.get("/learn");
		List<String> chapters = Pattern.compile("href=\"(/learn/[a-z]+)\"")
			.matcher(list.body())
			.results()
			.map((found) -> found.group(1))
			.toList();
		assertThat(chapters).hasSize(10);
		assertAllMarked(list, ann.get("/learn/none"));
		assertAllMarked(chapters.stream().map(ann::get).toArray(Answer[]::new));
		assertAllMarked(ann.get(ann.submit("/learn/strings/run").location()));
	}

	@Test
	void scriptsAndStylesheetShowTextsInTheLanguageOfThePage() {
		Visitor stranger = reader(Visitor.of(site));
		String assets = stranger.get("/timeline").find("\"(/assets/[0-9a-f]+.qaa/)site.css\"");
		assertThat(stranger.get(assets + "site.js").body()).contains("\"time.now\":\"⟦now⟧\"")
			.contains("\"live.pause\":\"⟦Pause⟧\"")
			.as("texts of other scripts")
			.doesNotContain("lab.replay.play");
		assertThat(stranger.get(assets + "lab.js").body()).contains("\"lab.replay.play\":\"⟦Play⟧\"");
		assertThat(stranger.get(assets + "site.css").body()).contains("--text-reply: \"⟦Reply⟧\"");
	}

	private static Visitor from(String origin, Visitor visitor) {
		return visitor.sentTo(site.url("")).sending("Origin", origin);
	}

	private static String profile(Visitor visitor) {
		return "/@" + visitor.name();
	}

	private static void assertAllMarked(Answer... pages) {
		for (Answer page : pages) {
			String path = page.response().uri().getPath();
			assertThat(page.header("Content-Type")).as(path).startsWith("text/html");
			assertThat(page.body()).as(path).contains("<html lang=\"" + TAG + "\">", "⟦");
			String shown = page.body()
				.replace(page.header("X-Instance"), " ")
				.replaceAll("(?s)<p class=\"post-body\">.*?</p>|<(bdi|code|pre)\\b.*?</\\1>", " ");
			if (path.startsWith("/lab/course/")) { // a lesson has its name from the lab's
													// texts
				shown = shown.replaceFirst("<title>.*?</title>", " ");
			}
			shown = IN_ENGLISH.matcher(shown).replaceAll(" ");
			shown = ATTRIBUTE.matcher(shown).replaceAll(">$1<").replaceAll("(?s)<[^<>]*>", " ");
			for (int depth = 0; depth < 2; depth++) { // a text may stand in another one
				shown = MARKED.matcher(shown).replaceAll(" ");
			}
			assertThat(List.of(VERBATIM.matcher(shown).replaceAll(" ").split("\\s+"))).as(path + " " + page.status())
				.noneMatch((word) -> word.matches(".*[A-Za-z]{2}.*"));
		}
	}

}
