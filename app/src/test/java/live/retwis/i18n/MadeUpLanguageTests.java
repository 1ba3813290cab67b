package live.retwis.i18n;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.cluster.ClusterFaultKind;
import live.retwis.cluster.ClusterFaultRecord;
import live.retwis.cluster.LocalSiteState;
import live.retwis.cluster.DataTopology;
import live.retwis.cluster.PartChange;
import live.retwis.cluster.PartSnapshot;
import live.retwis.cluster.PartState;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
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
			"&[#\\w]+;|Retwis|Live|@\\w+|UTC|JSON|\\bms\\b|[a-z0-9.-]+:\\d+|redisson|parallel|raw|rlock|rfenced|#hello|O\\([^()]+\\)+"
					+ "|(?:instance|data|lock)-\\d");

	/** Routes that show an error page when nothing is configured or asked for. */
	private static final Map<String, Integer> ERRORS = Map.of("/.well-known/security.txt", 404, "/break/ledger", 400,
			"/lab/design.json", 404);

	private static final Duration RUN = Duration.ofSeconds(120);

	@SuppressWarnings("NullAway.Init")
	private static FakeClusterControl cluster;

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
		cluster = new FakeClusterControl();
		cluster.show(state(null));
		Thread thread = Thread.currentThread();
		ClassLoader own = thread.getContextClassLoader();
		thread.setContextClassLoader(new URLClassLoader(new URL[] { folder.toUri().toURL() }, own));
		try {
			site = Site.another("--retwis.lab.enabled=true", "--retwis.learn.enabled=true",
					"--retwis.xray.enabled=true", "--retwis.xray.users=*", "--retwis.cluster.control=" + cluster.url());
		}
		finally {
			thread.setContextClassLoader(own);
		}
	}

	@AfterAll
	static void stop() {
		site.close();
		cluster.close();
	}

	/** A cluster with a part in each state, or a whole one if nothing was ever broken. */
	private static LocalSiteState state(@Nullable ClusterFaultRecord fault) {
		return new LocalSiteState(System.currentTimeMillis(), DataTopology.SINGLE,
				Stream.of(PartState.values())
					.filter((state) -> fault != null || state == PartState.UP)
					.map((state) -> new PartSnapshot("instance-" + state.ordinal(), 8081, state, false))
					.toList(),
				List.of(new PartSnapshot("data-1", 6379, PartState.UP, true)),
				List.of(new PartSnapshot("lock-1", 6380, PartState.UP, false)), fault);
	}

	private static ClusterFaultRecord fault(ClusterFaultKind kind, long began, long healed) {
		return new ClusterFaultRecord(1, kind, "instance-1", "ann", began, began + 15_000, healed,
				Stream.of(PartState.values())
					.flatMap((state) -> Stream.of(false, true)
						.map((master) -> new PartChange(began + 100, "data-1", state, master)))
					.toList());
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
				ann.get("/settings"), ann.get("/settings?profile-changed"), ann.get("/settings?password-changed"),
				ann.get("/settings?password-unsure"), ann.get("/settings/sessions"), ann.get("/how-live"));
		assertAllMarked(422, ann.submit("/settings/delete", "password", ""),
				ann.submit("/settings/profile", "name", "a\0"), ann.submit("/settings/profile", "name", "x".repeat(51)),
				ann.submit("/settings/password", "password2", "x"), ann.submit("/posts", "body", ""),
				ann.submit("/posts", "body", "⟦" + "x".repeat(300) + "⟧"),
				ann.submit("/posts", "body", "", "reply_to", post), ann.submit(profile(ann) + "/follow"));
	}

	@Test
	void everyTextOnThePagesOfASignedOutReaderIsInTheCatalogue() {
		Visitor ann = Visitor.registered(site);
		String post = ann.post("hello");
		Visitor stranger = reader(Visitor.of(site));
		assertAllMarked(stranger.get("/"), stranger.get("/?deleted"), stranger.get("/timeline"),
				stranger.get("/posts/" + post), stranger.get(profile(ann)), stranger.get(profile(ann) + "/following"),
				stranger.get("/how-live"), stranger.get("/login"), stranger.get("/register"));
		assertAllMarked(422, stranger.submit("/login", "username", ""),
				stranger.submit("/register", "username", "a b", "password", "x", "password2", "y"));
		assertAllMarked(401, stranger.submit("/login", "username", "nobody", "password", "x"),
				stranger.submit("/posts", "body", "1, 2, 3"));
		assertAllMarked(409, stranger.submit("/register", "username", ann.name(), "password", Visitor.PASSWORD,
				"password2", Visitor.PASSWORD));
	}

	/**
	 * Commands, keys and scripts are the same in each language. The pages of runs and
	 * reports have tests of their own.
	 */
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
			.filter((row) -> row.startsWith("| GET | `") && !row.matches(".*`/(live|lab/runs|break/reports)/.*"))
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
		for (Answer page : pages) {
			assertAllMarked(ERRORS.getOrDefault(page.response().uri().getPath(), 200), page);
		}
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
				ann.get("/home?xray=1"), ann.get(profile(ann) + "?xray=1"), ann.get(ended),
				ann.get("/xray/keys?key=post:" + post), ann.get("/xray/keys?key=%7Blive%7D:log"));
		assertAllMarked(404, ann.get("/nowhere?xray=1"));
	}

	@Test
	void everyTextOnTheErrorPagesIsInTheCatalogue() {
		Visitor ann = reader(Visitor.registered(site));
		String post = Visitor.registered(site).post("hello");
		assertAllMarked(404, ann.get("/nowhere"), ann.get("/@" + Visitor.freshName()), ann.get("/posts/0"),
				ann.get("/posts/0000000000000"), ann.get("/assets/x/none.css"));
		assertAllMarked(400, ann.get("/timeline?before=x"));
		assertAllMarked(405, ann.get("/posts"), ann.submit("/home"));
		assertAllMarked(403, ann.submit("/posts/" + post + "/delete"), ann.submit("/logout", "_csrf", "AAAA"),
				from(site.url(""), ann).submit("/posts", "_csrf", "AAAA", "body", "⟦x⟧"),
				from("https://evil.example", ann).submit("/posts"));
	}

	@Test
	void everyTextOnThePagesOfTheLabIsInTheCatalogue() {
		Visitor ann = reader(Visitor.registered(site));
		assertAllMarked(ann.get("/lab"), ann.get("/lab/scenarios/8a"));
		assertAllMarked(422, ann.submit("/lab/runs", "scenario", "none", "nodes", "5"),
				ann.submit("/lab/actions", "kind", "none", "node", "1"));
		assertAllMarked(404, ann.get("/lab/scenarios/none"), ann.get("/lab/runs/none"));
	}

	/** Its report is a page of the lab, in one of the lab's languages. */
	@Test
	@Tag("slow")
	void everyTextOnThePageOfARunIsInTheCatalogue() {
		Visitor ann = reader(Visitor.registered(site));
		Set<String> before = runs(ann);
		assertThat(ann
			.submit("/lab/runs", "scenario", "0", "engine", "parallel", "nodes", "5", "lease", "1000", "node_timeout",
					"100", "seed", "1", "rounds", "1")
			.status()).isEqualTo(303);
		assertAllMarked(ann.get("/lab"));
		Set<String> after = Awaitility.await("the run")
			.atMost(RUN)
			.until(() -> runs(ann), (now) -> !before.containsAll(now));
		after.removeAll(before);
		assertAllMarked(ann.get("/lab"), ann.get(after.iterator().next()));
	}

	private static Set<String> runs(Visitor visitor) {
		return Pattern.compile("href=\"(/lab/runs/\\w+)\"")
			.matcher(visitor.get("/lab").body())
			.results()
			.map((found) -> found.group(1))
			.collect(Collectors.toSet());
	}

	@Test
	void everyTextOnThePagesAboutFaultsIsInTheCatalogue() {
		Visitor ann = reader(Visitor.registered(site));
		Visitor stranger = reader(Visitor.of(site));
		long now = System.currentTimeMillis();
		for (ClusterFaultKind kind : ClusterFaultKind.values()) {
			cluster.show(state(fault(kind, now, 0)));
			assertAllMarked(ann.get("/break"), stranger.get("/break"));
		}
		cluster.show(state(fault(ClusterFaultKind.KILL_MASTER, now, now + 1_000)));
		for (String lost : List.of("0", "1")) {
			Answer shared = ann.submit("/break/reports", "ledger", """
					{"stream":"/live/public","now":%1$s,"from":%1$s,"expected":2,"shown":1,"lost":%2$s,"twice":0,
					"gone":1,"gaps":[{"from":%1$s,"to":%1$s,"before":null,"after":"i2"}],
					"posts":[{"made":%1$s,"at":%1$s,"late":true}]}
					""".formatted(now, lost));
			assertAllMarked(ann.get("/break"), ann.get(shared.location()));
		}
		assertAllMarked(422, ann.submit("/break", "kind", "none"), ann.submit("/break/reports", "ledger", "none"));
		assertAllMarked(404, ann.get("/break/reports/NONE"));
		cluster.fail();
		assertAllMarked(503, ann.get("/break"));
		cluster.show(state(null));
		assertAllMarked(ann.get("/break"));
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
		assertAllMarked(list);
		assertAllMarked(404, ann.get("/learn/none"));
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
		assertAllMarked(200, pages);
	}

	private static void assertAllMarked(int status, Answer... pages) {
		for (Answer page : pages) {
			String path = page.response().uri().getPath();
			assertThat(page.status()).as(path).isEqualTo(status);
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
			assertThat(List.of(VERBATIM.matcher(shown).replaceAll(" ").split("\\s+"))).as(path)
				.noneMatch((word) -> word.matches(".*[A-Za-z]{2}.*"));
		}
	}

}
