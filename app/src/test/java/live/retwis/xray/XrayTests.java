package live.retwis.xray;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import io.lettuce.core.resource.ClientResources;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.moderation.Moderation;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
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

	/** The link at the foot of a page. */
	private static final String LINK = "href=\"?xray=1\"";

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

	@Test
	void aFormShowsWhatItDidToItsUserOnly() {
		Visitor author = Visitor.registered(site);
		Visitor other = Visitor.registered(site);
		Visitor sender = author.sentTo(site.url("")).sending("Referer", site.url("/home?xray=1"));
		sender.get("/home");
		Answer posted = sender.submit("/posts", "body", "from an X-rayed page", "once", UUID.randomUUID().toString());
		assertThat(posted.status()).isEqualTo(303);
		assertThat(posted.location()).contains("xray=");
		String path = posted.location().replaceAll("#.*", "");
		Answer page = author.get(path);
		assertThat(XrayPanels.panel(page)).contains("What the form did", "publish.lua", "create-hash.lua",
				"from an X-rayed page", "What this page asked", "redis.call(&#39;XADD&#39;, &#39;{live}:log&#39;");
		assertThat(XrayPanels.panel(other.get(path))).doesNotContain("publish.lua", "from an X-rayed page");
		String post = author.get("/home").postIds().get(0);
		for (String form : List.of("/posts/" + post + "/like", "/@" + other.name() + "/follow")) {
			Answer done = sender.submit(form);
			assertThat(done.status()).as(form).isEqualTo(303);
			assertThat(XrayPanels.panel(author.get(done.location().replaceAll("#.*", "")))).as(form)
				.contains("What the form did", "declare-intent.lua");
		}
	}

	/** As behind a load balancer. */
	@Test
	void aPageOfAnotherInstanceShowsWhatTheFormDid() {
		Visitor author = Visitor.registered(site);
		Visitor other = Visitor.registered(site);
		Visitor sender = author.sentTo(site.url("")).sending("Referer", site.url("/home?xray=1"));
		sender.get("/home");
		Answer posted = sender.submit("/posts", "body", "sent elsewhere", "once", UUID.randomUUID().toString());
		String path = posted.location().replaceAll("#.*", "");
		String unknown = "What the form did is not shown";
		try (Site elsewhere = Site.another("--retwis.xray.enabled=true", "--retwis.xray.users=*")) {
			String shown = XrayPanels.panel(author.sentTo(elsewhere.url("")).get(path));
			assertThat(shown).contains("What the form did", "create-hash.lua", "sent elsewhere", "What this page asked")
				.doesNotContain(unknown);
			assertThat(XrayPanels.commandsOfForm(author.sentTo(elsewhere.url("")).get(path))).isNotEmpty()
				.isEqualTo(XrayPanels.commandsOfForm(author.get(path)));
			assertThat(XrayPanels.panel(other.sentTo(elsewhere.url("")).get(path))).contains(unknown)
				.doesNotContain("sent elsewhere");
			String ended = path.replaceAll("xray=.{22}", "xray=" + "a".repeat(22));
			assertThat(ended).isNotEqualTo(path);
			assertThat(XrayPanels.panel(author.get(ended))).contains(unknown, "What this page asked");
			assertThat(XrayPanels.panel(author.get("/home?xray=1"))).doesNotContain(unknown);
		}
	}

	@Test
	void whatIsStoredOfAFormHasNoSecretAndEndsAfterTenMinutes() {
		String name = Visitor.freshName();
		Visitor visitor = Visitor.of(site).sending("Referer", site.url("/register?xray=1"));
		visitor.get("/register");
		Answer registered = visitor.submit("/register", "username", name, "password", PASSWORD, "password2", PASSWORD);
		String key = Keys.xrayForm(registered.location().replaceAll(".*xray=(.{22}).*", "$1"));
		List<String> secrets = new ArrayList<>(XrayPanels.secretsOf(visitor));
		secrets.add(PASSWORD);
		assertThat(site.redis().get(key)).contains("commit-username").doesNotContain(secrets);
		assertThat(site.redis().ttl(key)).isBetween(1L, 600L);
	}

	@Test
	void aTextThatLooksLikeAPlaceOfAScriptIsShownAsItIs() {
		Visitor author = Visitor.registered(site);
		Visitor sender = author.sentTo(site.url("")).sending("Referer", site.url("/home?xray=1"));
		Answer posted = sender.submit("/posts", "body", "it's ARGV[8]", "once", UUID.randomUUID().toString());
		assertThat(XrayPanels.panel(author.get(posted.location().replaceAll("#.*", ""))))
			.contains("&#39;it\\&#39;s ARGV[8]&#39;");
	}

	@Test
	void noPanelOfAFormHasASecret() {
		String name = Visitor.freshName();
		Visitor visitor = Visitor.of(site).sending("Referer", site.url("/register?xray=1"));
		visitor.get("/register");
		Answer registered = visitor.submit("/register", "username", name, "password", PASSWORD, "password2", PASSWORD);
		assertThat(registered.status()).isEqualTo(303);
		List<String> panels = new ArrayList<>(List.of(XrayPanels.panel(visitor.get(registered.location()))));
		assertThat(panels.get(0)).contains("What the form did", "commit-username.lua")
			.containsPattern("A lock on username:" + name + ": [23] of 3 lock nodes said yes within \\d")
			.contains("said yes</span>", "a script that takes the key lock:username:" + name + " if nobody has it");
		List<String> secrets = new ArrayList<>(XrayPanels.secretsOf(visitor));
		secrets.add(PASSWORD);
		Answer changed = visitor.submit("/settings/password", "old", PASSWORD, "password", PASSWORD + "!", "password2",
				PASSWORD + "!");
		assertThat(changed.status()).isEqualTo(303);
		panels.add(XrayPanels.panel(visitor.get(changed.location().replaceAll("#.*", ""))));
		assertThat(panels.get(1)).contains("rotate-auth.lua");
		secrets.addAll(XrayPanels.secretsOf(visitor));
		Answer wrong = visitor.submit("/settings/password", "old", PASSWORD + "?", "password", "x", "password2", "y");
		assertThat(wrong.status()).isEqualTo(422);
		panels.add(XrayPanels.panel(wrong));
		assertThat(panels).allSatisfy((panel) -> assertThat(panel).doesNotContain(secrets));
	}

	@Test
	void aPostShowsItsWayToEachFollower() {
		Visitor author = Visitor.registered(site);
		List<Visitor> followers = List.of(Visitor.registered(site), Visitor.registered(site));
		followers.forEach((follower) -> {
			follower.follow(author);
			follower.get("/home");
		});
		Visitor away = Visitor.registered(site);
		away.follow(author);
		FanOutWait.settle(site);
		site.redis().del(Keys.homeTimeline(away.id()), Keys.homeCompleteFrom(away.id()));
		String post = author.post("on its way");
		Awaitility.await()
			.atMost(BOUND)
			.untilAsserted(() -> assertThat(XrayPanels.panel(author.get("/posts/" + post + "?xray=1"))).contains(
					"PUBLISH {live}:bus", "type post post " + post, "in 2 of 2 timelines; one follower has none now",
					"The workers have done it.", "It is pushed"));
	}

	/** The request has committed it, and died. */
	@Test
	void aPostThatIsNotInItsAuthorsListYetIsNotTakenForArchived() {
		Visitor author = Visitor.registered(site);
		String post = author.post("half made");
		FanOutWait.settle(site);
		site.redis().zrem(Keys.postsOf(author.id()), post);
		assertThat(XrayPanels.panel(author.get("/posts/" + post + "?xray=1")))
			.contains("not yet in its author’s own list", "data-unfinished")
			.doesNotContain("It is in the archive");
	}

	@Test
	@Tag("slow")
	@Tag("long")
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
				String panel = XrayPanels.panel(author.get("/posts/" + post + "?xray=1"));
				assertThat(instances).allSatisfy((instance) -> assertThat(panel)
					.containsPattern("Instance " + instance + " heard of it \\d+ ms"));
				assertThat(panel).containsPattern("Instance (" + String.join("|", instances) + ") worked on its entry");
				String did = "Instance (" + String.join("|", instances) + ") did the task of ";
				assertThat(panel.split("in 1 of 1 timelines", -1)).as("each follower is in a shard of its own")
					.hasSize(4);
				assertThat(panel).containsPattern(did + "followers:" + author.id() + ", \\d+ ms")
					.containsPattern(did + "\\{followers:" + author.id() + "}:1, \\d+ ms");
			});
			assertThat(first.redis().ttl(Keys.way(post))).isBetween(1L, 600L);
		}
	}

	@Test
	void aPageWithAStreamShowsTheNewestPostThatItBrings() {
		Visitor author = Visitor.registered(site);
		Visitor other = Visitor.registered(site);
		assertThat(XrayPanels.panel(other.get("/home?xray=1"))).contains("The live stream of this page",
				"None of the latest 200 log entries is a new post for this stream.");
		String post = author.post("brought by a stream #flow");
		other.post("for nobody else");
		for (String path : List.of("/home", "/@" + author.name(), "/tags/flow")) {
			Answer page = author.get(path + "?xray=1");
			String entry = page.find("XRANGE \\{live\\}:log (\\d+-\\d+) ");
			assertThat(XrayPanels.panel(page)).as(path)
				.contains("GET /live", "XRANGE {live}:log " + entry + " " + entry, "PUBLISH {live}:bus ",
						" " + entry + " ", "type post post " + post, "The message begins with the entry before it.",
						"The browser opens the stream again");
		}
		author.submit("/posts/" + post + "/delete");
		assertThat(XrayPanels.panel(author.get("/home?xray=1"))).doesNotContain("type post post " + post);
		assertThat(XrayPanels.panel(author.get("/settings?xray=1"))).doesNotContain("The live stream of this page");
	}

	@Test
	void aRefusedRequestShowsWhatItAsked() {
		Visitor author = Visitor.registered(site);
		Visitor other = Visitor.registered(site).sending("Referer", site.url("/timeline?xray=1"));
		String post = author.post("somebody else's");
		Answer missing = other.get("/posts/0123456789ABC?xray=1");
		assertThat(missing.status()).isEqualTo(404);
		assertThat(XrayPanels.panel(missing)).contains("post:0123456789ABC", "What this page asked")
			.doesNotContain("bytes", "elements", "id=\"xray-keys\"");
		assertThat(XrayPanels.panel(other.get("/@nobody_of_that_name?xray=1")))
			.contains("username:nobody_of_that_name");
		Answer refused = other.submit("/posts/" + post + "/delete");
		assertThat(refused.status()).isEqualTo(403);
		assertThat(XrayPanels.panel(refused)).contains("post:" + post);
		assertThat(Visitor.of(site).get("/posts/0123456789ABC").body()).doesNotContain("class=\"xray\"");
	}

	@Test
	void anAnswerInJsonSaysHowManyCommandsThereWere() {
		Visitor reader = Visitor.registered(site);
		assertThat(reader.getJson("/home?xray=1").header("Server-Timing"))
			.matches("redis;desc=\"commands: [1-9]\\d*, round trips: [1-9]\\d?\"");
		assertThat(reader.getJson("/posts/0123456789ABC?xray=1").header("Server-Timing")).startsWith("redis;");
		assertThat(reader.getJson("/home").header("Server-Timing")).isEmpty();
	}

	@Test
	void aKeyHasItsTypeEncodingSizeAndSlotAndTheNodeThatWasAsked() {
		Visitor reader = Visitor.registered(site);
		String post = reader.post("asked for");
		assertThat(reader.get("/posts/" + post + "?xray=1").body()).containsPattern("user:" + reader.id()
				+ "</a></code></th><td><code>hash</code></td><td><code>(listpack|ziplist|hashtable)</code></td><td>\\d+</td><td>\\d+</td>"
				+ "<td>\\d+</td><td>127\\.0\\.0\\.1:\\d+</td></tr>")
			.containsPattern("replies:" + post + "[^\n]*<td>\\d+</td><td>127\\.0\\.0\\.1:\\d+</td></tr>");
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
		assertThat(user).contains("<dt><code>username</code></dt><dd><code>" + owner.name() + "</code></dd>",
				"<dt><code>password</code></dt><dd><code>…</code></dd>");
		assertThat(owner.get("/xray/keys?key=muted:" + owner.id()).body()).contains(other.id(), "Whom you have muted.");
		assertThat(other.get("/xray/keys?key=following:" + owner.id()).body()).contains(other.id());
		assertThat(other.get("/xray/keys?key=post:" + post).body()).contains("to look into");
		assertThat(owner.get("/xray/keys?key=posts:" + owner.id()).body())
			.containsPattern(post + "</code></th><td><code>\\d{13}<");
		assertThat(other.get("/xray/keys?key=%7Blive%7D:log").body()).contains("fanout", post)
			.doesNotContain("type mute");
		for (String key : List.of("muted:" + owner.id(), "sessions:" + owner.id(), "nothing:here", "user:0000000000000",
				"%7Bmoderation%7D:reports", "locks:set")) {
			assertThat(other.get("/xray/keys?key=" + key).status()).as(key).isEqualTo(404);
		}
		String deleted = owner.post("#secretplan with @" + other.name());
		owner.get("/posts/" + deleted);
		owner.submit("/posts/" + deleted + "/delete");
		assertThat(other.get("/xray/keys?key=post:" + deleted).body()).contains("deleted")
			.doesNotContain("secretplan", "@" + other.name() + "<");
		assertThat(other.get("/xray/keys?key=%7Blive%7D:log").body()).contains(deleted).doesNotContain("secretplan");
		assertThat(owner.get("/xray/keys").body()).contains("key&#x3D;following%3A" + owner.id(), "The newest users.");
	}

	@Test
	void whatIsAboutThePostOfASuspendedUserCannotBeLookedInto() {
		Visitor author = Visitor.registered(site);
		Visitor reader = Visitor.registered(site);
		String post = author.post("soon hidden");
		reader.get("/posts/" + post);
		assertThat(reader.submit("/posts/" + post + "/like").status()).isEqualTo(303);
		Awaitility.await().until(() -> reader.get("/xray/keys?key=likes:" + post).status() == 200);
		site.bean(Moderation.class).suspend("an operator", author.name()).block();
		Awaitility.await().until(() -> reader.get("/posts/" + post).status() == 404);
		assertThat(reader.get("/xray/keys?key=likes:" + post).status()).isEqualTo(404);
	}

	@Test
	void whereItIsOffNothingIsTraced() {
		Site off = Site.shared();
		assertThat(off.bean(ClientResources.class).tracing().isEnabled()).isFalse();
		Answer page = Visitor.of(off).get("/timeline?xray=1");
		assertThat(page.status()).isEqualTo(200);
		assertThat(page.body()).doesNotContain("class=\"xray\"", "data-xray", ">X-ray<");
		assertThat(Visitor.of(off).get("/xray/commands").status()).isEqualTo(404);
		assertThat(Visitor.of(site).get("/timeline").body()).contains(LINK);
	}

	@Test
	void whereUsersAreNamedNobodyElseMayAskAndNobodyTooOften() {
		String name = Visitor.freshName();
		try (Site named = Site.another("--retwis.xray.enabled=true", "--retwis.xray.users=" + name,
				"--retwis.limits.enabled=true", "--retwis.limits.xray=3/1h")) {
			Visitor allowed = Visitor.registered(named, name);
			Visitor other = Visitor.registered(named);
			assertThat(XrayPanels.panel(allowed.get("/timeline?xray=1"))).contains("Round trip 1");
			assertThat(other.get("/timeline?xray=1").body()).doesNotContain("class=\"xray\"");
			for (String path : List.of("/timeline", "/home")) {
				assertThat(allowed.get(path).body()).as(path).contains(LINK);
				assertThat(other.get(path).body()).as(path).doesNotContain(LINK);
			}
			assertThat(Visitor.of(named).get("/timeline").body()).doesNotContain(LINK);
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
