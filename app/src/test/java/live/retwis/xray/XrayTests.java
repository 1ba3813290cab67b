package live.retwis.xray;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.lettuce.core.resource.ClientResources;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLog;
import live.retwis.log.HeardPosition;
import live.retwis.log.Position;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import live.retwis.xray.KnownScripts.KnownScript;
import live.retwis.xray.Monitor.Done;
import live.retwis.xray.Monitor.Seen;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.web.util.HtmlUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The commands behind each page, as the page shows them.
 */
@Timeout(120)
@ExtendWith(RedisExtension.class)
class XrayTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final String PASSWORD = "planted password 4711";

	private static final Pattern COMMAND = Pattern.compile("(?s)<li><code>(<a class=\"xray-command\".*?)</code>");

	/** Keys that only background work uses alone. */
	private static final Set<String> BACKGROUND = Set.of("{live}:log", "{live}:unfinished", "{live}:dead",
			"{live}:fanout", "{live}:intents", "{moderation}:registration");

	/** Sent after the page, or beside it by the work of the background. */
	private static final Set<String> BESIDE = Set.of("look-at-key", "way-of-post", "note-way", "note-visit", "time",
			"fanout-state");

	private static final Redaction REDACTION = new Redaction(new KnownScripts(), List.of());

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	@BeforeAll
	static void start() {
		site = Site.another("--retwis.xray.enabled=true", "--retwis.xray.users=*");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	private static String panel(Answer page) {
		int begin = page.body().indexOf("<section class=\"xray\"");
		assertThat(begin).as(page.body()).isPositive();
		assertThat(page.body().indexOf("</main>")).isGreaterThan(begin);
		return page.body().substring(begin, page.body().indexOf("</main>"));
	}

	/** The commands of the panel, as lines. */
	private static List<String> commands(Answer page) {
		return COMMAND.matcher(panel(page))
			.results()
			.map((found) -> HtmlUtils.htmlUnescape(found.group(1).replaceAll("<[^>]*>", "")).strip())
			.toList();
	}

	/** A command that MONITOR saw, as the panel writes it. */
	private static String line(Seen seen) {
		Redaction.Shown shown = REDACTION.of(seen.words().get(0).toUpperCase(Locale.ROOT),
				seen.words().subList(1, seen.words().size()));
		KnownScript script = shown.script();
		return ((script != null) ? script.name() + ".lua" : shown.name()) + shown.arguments()
			.stream()
			.map((word) -> " " + CommandView.WordView.of(word, List.of(), Set.of()).text())
			.collect(Collectors.joining());
	}

	private static boolean isOfPage(Seen seen) {
		String command = line(seen);
		boolean named = BESIDE.stream().anyMatch((script) -> command.startsWith(script + ".lua "));
		boolean background = seen.words().stream().anyMatch(BACKGROUND::contains)
				&& !command.startsWith("public-page.lua ");
		return !named && !background && !Set.of("PING", "INFO", "ECHO").contains(command.split(" ")[0]);
	}

	@Test
	void aPageShowsExactlyTheCommandsThatTheServerSaw(@OwnRedis TestRedis redis) throws IOException {
		try (Site first = Site.start(redis);
				Site cold = Site.start(redis, "--retwis.xray.enabled=true", "--retwis.xray.users=*");
				Monitor monitor = Monitor.of(redis)) {
			Visitor author = Visitor.registered(first);
			Visitor reader = Visitor.registered(first);
			reader.follow(author);
			String post = author.post("seen by #xray");
			author.post("another one");
			assertThat(reader.get("/home").posts()).hasSize(2);
			FanOutWait.settle(first);
			Awaitility.await().atMost(BOUND).until(() -> first.redis().zcard(Keys.INTENTS) == 0);
			awaitHeard(cold);
			Visitor there = reader.sentTo(cold.url(""));
			for (String path : List.of("/home", "/timeline", "/@" + author.name(), "/posts/" + post,
					"/search?q=" + author.name(), "/notifications", "/settings/sessions")) {
				String asked = path + (path.contains("?") ? "&" : "?") + "xray=1";
				// Cold, and then with what the first page has left in memory.
				for (int round = 0; round < 2; round++) {
					Done<Answer> page = monitor.during(() -> there.get(asked));
					assertThat(page.answer().status()).as(asked).isEqualTo(200);
					List<String> shown = commands(page.answer());
					compare(asked, shown, ofPage(page.seen(), shown));
				}
			}
		}
	}

	/** An instance reads the posts that it hears of. */
	private static void awaitHeard(Site site) {
		Position newest = site.bean(CommitLog.class).head().blockOptional(BOUND).orElseThrow();
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> site.bean(HeardPosition.class).position().blockOptional(BOUND).orElseThrow().equals(newest));
	}

	/**
	 * Leaves out what was sent beside the page. After the page X-ray asks who the viewer
	 * is, and then about the keys. The instances announce unread notifications with the
	 * same script with which a page counts them.
	 */
	private static List<Seen> ofPage(List<Seen> seen, List<String> shown) {
		int panel = seen.size() - 1;
		while (!line(seen.get(panel)).startsWith("GET auth:")) {
			panel--;
		}
		List<Seen> ofPage = new ArrayList<>(seen.subList(0, panel).stream().filter(XrayTests::isOfPage).toList());
		List<String> counts = new ArrayList<>(shown);
		ofPage.removeIf((command) -> isAlsoBeside(line(command)) && !counts.remove(line(command)));
		return ofPage;
	}

	/** Scripts that both pages and the background run, with the same arguments. */
	private static boolean isAlsoBeside(String line) {
		return line.startsWith("read-notifications.lua ") || line.startsWith("keep-session.lua ");
	}

	/**
	 * The same commands, and those of each connection in the same order. Two connections
	 * have no common order.
	 */
	private static void compare(String page, List<String> shown, List<Seen> seen) {
		assertThat(shown).as(page)
			.isNotEmpty()
			.containsExactlyInAnyOrderElementsOf(seen.stream().map(XrayTests::line).toList());
		seen.stream()
			.collect(Collectors.groupingBy(Seen::connection, Collectors.mapping(XrayTests::line, Collectors.toList())))
			.forEach((connection, own) -> assertThat(shown).as(page + ", " + connection)
				.containsSubsequence(own.stream()
					.filter((line) -> !line.startsWith("read-notifications.lua "))
					.distinct()
					.toList()));
	}

	@Test
	void aFormShowsWhatItDidToItsUserOnly() {
		Visitor author = Visitor.registered(site);
		Visitor other = Visitor.registered(site);
		Visitor sender = author.sentTo(site.url("")).sending("Referer", site.url("/home?xray=1"));
		sender.get("/home");
		Answer posted = sender.submit("/posts", "body", "from an X-rayed page", "once",
				UUID.randomUUID().toString().replace("-", ""));
		assertThat(posted.status()).isEqualTo(303);
		assertThat(posted.location()).contains("xray=");
		String path = posted.location().replaceAll("#.*", "");
		Answer page = author.get(path);
		assertThat(panel(page)).contains("What the form did", "publish.lua", "create-post.lua", "from an X-rayed page",
				"What this page asked", "redis.call(&#39;XADD&#39;, &#39;{live}:log&#39;");
		assertThat(panel(other.get(path))).doesNotContain("What the form did", "from an X-rayed page");
		String post = author.get("/home").postIds().get(0);
		for (String form : List.of("/posts/" + post + "/like", "/@" + other.name() + "/follow")) {
			Answer done = sender.submit(form);
			assertThat(done.status()).as(form).isEqualTo(303);
			assertThat(panel(author.get(done.location().replaceAll("#.*", "")))).as(form)
				.contains("What the form did", "declare-intent.lua");
		}
	}

	@Test
	void noPanelHasASecret() throws NoSuchAlgorithmException {
		String name = Visitor.freshName();
		Visitor visitor = Visitor.of(site).sending("Referer", site.url("/register?xray=1"));
		visitor.get("/register");
		Answer registered = visitor.submit("/register", "username", name, "password", PASSWORD, "password2", PASSWORD);
		assertThat(registered.status()).isEqualTo(303);
		Visitor other = Visitor.registered(site);
		String post = other.post("by another");
		List<String> panels = new ArrayList<>(List.of(panel(visitor.get(registered.location()))));
		assertThat(panels.get(0)).contains("What the form did", "commit-username.lua");
		List<String> secrets = new ArrayList<>(List.of(PASSWORD, "$2a$", "{bcrypt"));
		for (Visitor some : List.of(visitor, other)) {
			String token = some.cookie("auth").substring(14);
			secrets.addAll(List.of(token, sha256(token), sha256(sha256(token)).substring(0, 16)));
			secrets.add(some.cookie("device").isEmpty() ? token : some.cookie("device"));
		}
		for (String path : List.of("/home", "/timeline", "/@" + other.name(), "/posts/" + post, "/search?q=x",
				"/notifications", "/settings", "/settings/sessions", "/bookmarks", "/mentions")) {
			panels.add(panel(visitor.get(path + (path.contains("?") ? "&" : "?") + "xray=1")));
		}
		Answer changed = visitor.submit("/settings/password", "old", PASSWORD, "password", PASSWORD + "!", "password2",
				PASSWORD + "!");
		assertThat(changed.status()).isEqualTo(303);
		panels.add(panel(visitor.get(changed.location().replaceAll("#.*", ""))));
		assertThat(panels.get(panels.size() - 1)).contains("rotate-auth.lua");
		String token = visitor.cookie("auth").substring(14);
		secrets.addAll(List.of(token, sha256(token)));
		Answer wrong = visitor.submit("/settings/password", "old", PASSWORD + "?", "password", "x", "password2", "y");
		assertThat(wrong.status()).isEqualTo(422);
		panels.add(panel(wrong));
		assertThat(panels).hasSize(13)
			.allSatisfy((panel) -> secrets.forEach((secret) -> assertThat(panel).doesNotContain(secret)));
	}

	private static String sha256(String text) throws NoSuchAlgorithmException {
		return HexFormat.of()
			.formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII)));
	}

	@Test
	void aPostShowsItsWayToEachFollower() {
		Visitor author = Visitor.registered(site);
		List<Visitor> followers = List.of(Visitor.registered(site), Visitor.registered(site));
		followers.forEach((follower) -> {
			follower.follow(author);
			follower.get("/home");
		});
		String post = author.post("on its way");
		Awaitility.await()
			.atMost(BOUND)
			.untilAsserted(() -> assertThat(panel(author.get("/posts/" + post + "?xray=1"))).contains(
					"PUBLISH {live}:bus", "type post post " + post, "in 2 timelines of 2 followers",
					"The workers have done it.", "It is pushed"));
	}

	@Test
	@Tag("slow")
	void aPostShowsWhichInstancesHeardOfItAndWorkedOnIt(@OwnRedis TestRedis redis) {
		String[] settings = { "--retwis.xray.enabled=true", "--retwis.xray.users=*", "--retwis.follow.shard=1" };
		try (Site first = Site.start(redis, settings); Site second = Site.start(redis, settings)) {
			Visitor author = Visitor.registered(first);
			for (int i = 0; i < 3; i++) {
				Visitor follower = Visitor.registered(second);
				follower.follow(author);
				follower.get("/home");
			}
			String post = author.post("far and wide");
			List<String> instances = Stream.of(first, second)
				.map((one) -> Visitor.of(one).get("/timeline").header("X-Instance"))
				.toList();
			Awaitility.await().atMost(BOUND).untilAsserted(() -> {
				String panel = panel(author.get("/posts/" + post + "?xray=1"));
				assertThat(instances).allSatisfy((instance) -> assertThat(panel)
					.containsPattern("Instance " + instance + " heard of it \\d+ ms"));
				assertThat(panel).containsPattern("Instance (" + String.join("|", instances) + ") worked on its entry");
				String did = "Instance (" + String.join("|", instances) + ") did the task of ";
				assertThat(panel).containsPattern(did + "followers:" + author.id() + ", \\d+ ms")
					.containsPattern(did + "\\{followers:" + author.id() + "}:1, \\d+ ms")
					.contains("in 1 timelines of 1 followers");
			});
			assertThat(first.redis().ttl(Keys.way(post))).isBetween(1L, 600L);
		}
	}

	@Test
	void aPageWithAStreamShowsTheNewestPostThatItBrings() {
		Visitor author = Visitor.registered(site);
		Visitor other = Visitor.registered(site);
		assertThat(panel(other.get("/home?xray=1"))).contains("The live stream of this page",
				"None of the latest 200 log entries is a new post for this stream.");
		String post = author.post("brought by a stream #flow");
		other.post("for nobody else");
		for (String path : List.of("/home", "/@" + author.name(), "/tags/flow")) {
			Answer page = author.get(path + "?xray=1");
			String entry = page.find("XRANGE \\{live\\}:log (\\d+-\\d+) ");
			assertThat(panel(page)).as(path)
				.contains("GET /live", "XRANGE {live}:log " + entry + " " + entry, "PUBLISH {live}:bus ",
						" " + entry + " ", "type post post " + post, "The browser opens the stream again");
		}
		author.submit("/posts/" + post + "/delete");
		assertThat(panel(author.get("/home?xray=1"))).doesNotContain("type post post " + post);
		assertThat(panel(author.get("/settings?xray=1"))).doesNotContain("The live stream of this page");
	}

	@Test
	void aRefusedRequestShowsWhatItAsked() {
		Visitor author = Visitor.registered(site);
		Visitor other = Visitor.registered(site).sending("Referer", site.url("/timeline?xray=1"));
		String post = author.post("somebody else's");
		Answer missing = other.get("/posts/0123456789ABC?xray=1");
		assertThat(missing.status()).isEqualTo(404);
		assertThat(panel(missing)).contains("post:0123456789ABC", "What this page asked")
			.doesNotContain("bytes", "elements", "id=\"xray-keys\"");
		assertThat(panel(other.get("/@nobody_of_that_name?xray=1"))).contains("username:nobody_of_that_name");
		Answer refused = other.submit("/posts/" + post + "/delete");
		assertThat(refused.status()).isEqualTo(403);
		assertThat(panel(refused)).contains("post:" + post);
		assertThat(Visitor.of(site).get("/posts/0123456789ABC").body()).doesNotContain("class=\"xray\"");
	}

	@Test
	void anAnswerInJsonSaysHowManyCommandsThereWere() {
		Visitor reader = Visitor.registered(site);
		assertThat(reader.getJson("/home?xray=1").header("Server-Timing"))
			.matches("redis;desc=\"commands: [1-9]\\d*, round trips: [1-9]\"");
		assertThat(reader.getJson("/posts/0123456789ABC?xray=1").header("Server-Timing")).startsWith("redis;");
		assertThat(reader.getJson("/home").header("Server-Timing")).isEmpty();
	}

	@Test
	void linksToTheSamePageKeepItsQuery() {
		Visitor reader = Visitor.registered(site);
		String page = HtmlUtils.htmlUnescape(reader.get("/search?q=a&xray=1&lang=en").body());
		assertThat(page).contains("<a href=\"?q=a&lang=en&xray=1\"", "<a href=\"?q=a&xray=1&lang=zh\"");
		assertThat(HtmlUtils.htmlUnescape(reader.get("/home?xray=1").body())).contains("<a href=\"?xray=1&lang=zh\"");
	}

	@Test
	void onlyKeysThatTheViewerMaySeeCanBeLookedInto() {
		Visitor owner = Visitor.registered(site);
		Visitor other = Visitor.registered(site);
		owner.follow(other);
		owner.submit("/@" + other.name() + "/mute");
		String post = owner.post("to look into");
		String user = owner.get("/xray/keys?key=user:" + owner.id()).body();
		assertThat(user).contains("<dt>username</dt><dd>" + owner.name() + "</dd>", "<dt>password</dt><dd>…</dd>");
		assertThat(owner.get("/xray/keys?key=muted:" + owner.id()).body()).contains(other.id());
		assertThat(other.get("/xray/keys?key=following:" + owner.id()).body()).contains(other.id());
		assertThat(other.get("/xray/keys?key=post:" + post).body()).contains("to look into");
		assertThat(other.get("/xray/keys?key=%7Blive%7D:log").body()).contains("fanout", post)
			.doesNotContain("type mute");
		for (String key : List.of("muted:" + owner.id(), "sessions:" + owner.id(), "nothing:here", "user:0000000000000",
				"%7Bmoderation%7D:reports", "locks:set")) {
			assertThat(other.get("/xray/keys?key=" + key).status()).as(key).isEqualTo(404);
		}
		assertThat(owner.get("/xray/keys").body()).contains("key&#x3D;following%3A" + owner.id());
	}

	@Test
	void whereItIsOffNothingIsTraced() {
		Site off = Site.shared();
		assertThat(off.bean(ClientResources.class).tracing().isEnabled()).isFalse();
		Answer page = Visitor.of(off).get("/timeline?xray=1");
		assertThat(page.status()).isEqualTo(200);
		assertThat(page.body()).doesNotContain("class=\"xray\"", "data-xray", ">X-ray<");
		assertThat(Visitor.of(off).get("/xray/commands").status()).isEqualTo(404);
		assertThat(Visitor.of(site).get("/timeline").body()).contains("href=\"?xray=1\"");
	}

	@Test
	void whereUsersAreNamedNobodyElseMayAskAndNobodyTooOften() {
		String name = Visitor.freshName();
		try (Site named = Site.another("--retwis.xray.enabled=true", "--retwis.xray.users=" + name,
				"--retwis.limits.enabled=true", "--retwis.limits.xray=3/1h")) {
			Visitor allowed = Visitor.registered(named, name);
			Visitor other = Visitor.registered(named);
			assertThat(panel(allowed.get("/timeline?xray=1"))).contains("Round trip 1");
			assertThat(other.get("/timeline?xray=1").body()).doesNotContain("class=\"xray\"");
			assertThat(other.get("/xray/keys").status()).isEqualTo(404);
			assertThat(allowed.get("/xray/keys").status()).isEqualTo(200);
			assertThat(allowed.get("/xray/commands").status()).isEqualTo(200);
			assertThat(allowed.get("/xray/keys").status()).as("more than three").isEqualTo(429);
			Answer page = allowed.get("/timeline?xray=1");
			assertThat(page.status()).as("the page without its panel").isEqualTo(200);
			assertThat(page.body()).doesNotContain("class=\"xray\"");
		}
	}

}
