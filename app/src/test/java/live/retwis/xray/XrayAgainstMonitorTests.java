package live.retwis.xray;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLog;
import live.retwis.log.InstanceLogPosition;
import live.retwis.log.LogPosition;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import live.retwis.xray.KnownScripts.KnownScript;
import live.retwis.xray.Monitor.Done;
import live.retwis.xray.Monitor.Seen;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The commands that X-ray shows are those that the server saw, and hold no secret: of
 * every page of the site, whose addresses {@code routes.md} has, and of its forms. What a
 * form leaves to the background is not shown.
 */
@Timeout(120)
@ExtendWith(RedisExtension.class)
class XrayAgainstMonitorTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final String NEW = "another planted password";

	private static final Pattern ROUTE = Pattern.compile("(?m)^\\| GET \\| `([^`]+)`");

	/** Keys that only background work uses alone. */
	private static final Set<String> BACKGROUND = Set.of("{live}:log", "{live}:unfinished", "{live}:dead",
			"{live}:fanout", "{live}:postponed", "{live}:postponed-by-commit", "{live}:intents",
			"{moderation}:registration");

	/** Sent after the page, or beside it by the work of the background. */
	private static final Set<String> BESIDE = Set.of("look-at-key", "way-of-post", "note-way", "note-visit", "time",
			"fanout-state");

	/** Scripts that only forms run, before their answer. */
	private static final Set<String> OF_FORMS = Set.of("declare-intent", "create-hash", "publish", "add-if-room",
			"add-within-limit", "add-follower", "remove-follower", "remove-following", "keep-report", "set-profile",
			"rotate-auth", "keep-device");

	private static final Redaction REDACTION = new Redaction(new KnownScripts(), List.of());

	@Test
	@Tag("slow")
	@Tag("long")
	void everyPageShowsExactlyTheCommandsThatTheServerSawAndNoSecret(@OwnRedis TestRedis redis) throws IOException {
		try (Site first = Site.start(redis);
				Site cold = Site.start(redis, "--retwis.xray.enabled=true", "--retwis.xray.users=*",
						"--retwis.lab.enabled=true", "--retwis.cluster.control=http://127.0.0.1:9");
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
			Map<String, String> values = Map.of("{username}", author.name(), "/posts/{id}", "/posts/" + post, "{tag}",
					"xray", "{number}", "1", "{lesson}", "contention", "{chapter}", "atomicity");
			Set<String> explained = XrayPanels.explained(Visitor.of(cold).get("/xray/commands"));
			List<String> seen = new ArrayList<>();
			for (Visitor visitor : List.of(reader.sentTo(cold.url("")), Visitor.of(cold))) {
				List<String> secrets = XrayPanels.secretsOf(visitor, reader, author);
				for (String path : paths(values)) {
					// Cold, and then with what the first page has left in memory.
					for (int round = 0; round < 2; round++) {
						Done<Answer> page = monitor.during(() -> visitor.get(path));
						if (isPage(page.answer())) {
							List<String> shown = XrayPanels.commands(page.answer());
							compare(path, shown, ofPage(page.seen(), shown));
							assertThat(XrayPanels.panel(page.answer())).as(path).doesNotContain(secrets);
							assertThat(explained).as(path).containsAll(XrayPanels.explanations(page.answer()));
							seen.add(path);
						}
					}
				}
			}
			assertThat(seen).as("pages, twice each").hasSizeGreaterThan(2 * 60);
		}
	}

	@Test
	@Tag("slow")
	void everyFormShowsTheCommandsThatTheServerSawUntilItsAnswerAndNoSecret(@OwnRedis TestRedis redis)
			throws IOException {
		try (Site site = Site.start(redis, "--retwis.xray.enabled=true", "--retwis.xray.users=*");
				Monitor monitor = Monitor.of(redis)) {
			Visitor author = Visitor.registered(site);
			Visitor user = Visitor.registered(site).sending("Referer", site.url("/timeline?xray=1"));
			String path = "/posts/" + author.post("seen by #xray");
			String own = user.post("soon deleted");
			String profile = "/@" + author.name();
			Visitor.signedIn(site, user.name());
			String end = user.get("/settings/sessions").find("formaction=\"(/settings/sessions/[0-9a-f]+/end)\"");
			for (Form form : List.of(
					new Form("/posts", "create-hash", "body", "hello @" + author.name() + " #xray", "once",
							UUID.randomUUID().toString()),
					new Form("/posts", "create-hash", "body", "a reply", "reply_to", path.substring(7), "once",
							UUID.randomUUID().toString()),
					new Form(path + "/like", "add-if-room"), new Form(path + "/unlike", "remove-member"),
					new Form(path + "/repost", "create-hash"), new Form(path + "/unrepost", "delete-post"),
					new Form(path + "/bookmark", "add-if-room"), new Form(path + "/unbookmark", "remove-member"),
					new Form(path + "/report", "keep-report", "reason", "spam"),
					new Form("/posts/" + own + "/delete", "delete-post"), new Form(profile + "/follow", "add-follower"),
					new Form(profile + "/unfollow", "remove-follower"), new Form(profile + "/mute", "add-within-limit"),
					new Form(profile + "/unmute", "remove-member"), new Form(profile + "/block", "remove-following"),
					new Form(profile + "/unblock", "remove-member"), new Form(end, "declare-intent"),
					new Form("/settings/profile", "set-profile", "name", "Ann", "bio", "writes tests"),
					new Form("/settings/password", "rotate-auth", "old", Visitor.PASSWORD, "password", NEW, "password2",
							NEW))) {
				send(site, monitor, user, form, author);
			}
		}
	}

	@Test
	@Tag("slow")
	void theFormsOfAnAccountShowTheirCommandsAndNoSecret(@OwnRedis TestRedis redis) throws IOException {
		try (Site site = Site.start(redis, "--retwis.xray.enabled=true", "--retwis.xray.users=*");
				Monitor monitor = Monitor.of(redis)) {
			Visitor user = Visitor.of(site).sending("Referer", site.url("/timeline?xray=1"));
			user.get("/register");
			String name = Visitor.freshName();
			Form login = new Form("/login", "keep-session", "username", name, "password", Visitor.PASSWORD);
			for (Form form : List.of(
					new Form("/register", "commit-username", "username", name, "password", Visitor.PASSWORD,
							"password2", Visitor.PASSWORD),
					new Form("/logout", "rotate-auth"), login, new Form("/settings/sessions/others/end", "rotate-auth"),
					new Form("/settings/delete", "close-account", "password", Visitor.PASSWORD))) {
				send(site, monitor, user, form);
			}
		}
	}

	/**
	 * Sends a form, and compares what the page that it leads to shows of it. The workers
	 * have finished with the earlier forms, because they may run the same scripts.
	 * @param others whose secrets must not be shown either
	 */
	private static void send(Site site, Monitor monitor, Visitor user, Form form, Visitor... others)
			throws IOException {
		FanOutWait.settle(site);
		user.token();
		List<String> secrets = new ArrayList<>(XrayPanels.secretsOf(user));
		secrets.addAll(XrayPanels.secretsOf(others));
		Done<Answer> sent = monitor.during(() -> user.submit(form.path(), form.fields()));
		assertThat(sent.answer().status()).as(form.path()).isEqualTo(303);
		secrets.addAll(XrayPanels.secretsOf(user));
		secrets.add(NEW);
		Answer page = user.get(sent.answer().location().replaceAll("#.*", ""));
		List<String> shown = XrayPanels.commandsOfForm(page);
		List<String> unseen = new ArrayList<>(sent.seen().stream().map(XrayAgainstMonitorTests::line).toList());
		assertThat(shown).as(form.path()).allMatch(unseen::remove, "was seen by the server");
		assertThat(unseen).as("seen and not shown: " + form.path()).noneMatch(XrayAgainstMonitorTests::isOfForm);
		assertThat(shown).as(form.path()).anyMatch((line) -> line.startsWith(form.script() + ".lua "));
		assertOrder(form.path(), shown, sent.seen().stream().filter((seen) -> isOfForm(line(seen))).toList());
		assertThat(XrayPanels.panel(page)).as(form.path()).doesNotContain(secrets);
	}

	private static boolean isOfForm(String line) {
		return OF_FORMS.contains(line.split("\\.lua ")[0]);
	}

	/** The addresses of all routes of pages. A stream never ends. */
	private static List<String> paths(Map<String, String> values) throws IOException {
		return ROUTE.matcher(Files.readString(Path.of("src", "docs", "routes.md")))
			.results()
			.map((route) -> route.group(1))
			.filter((path) -> !path.startsWith("/live/"))
			.map((path) -> {
				String address = path;
				for (Map.Entry<String, String> value : values.entrySet()) {
					address = address.replace(value.getKey(), value.getValue());
				}
				return address.replaceAll("\\{\\*?\\w+}", "1") + "?q=xray&xray=1";
			})
			.toList();
	}

	/** Errors of the program, such as a cluster that does not answer, have no panel. */
	private static boolean isPage(Answer answer) {
		return Set.of(2, 4).contains(answer.status() / 100) && answer.header("Content-Type").startsWith("text/html")
				&& answer.header("Content-Disposition").isEmpty();
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

	/** An instance reads the posts that it hears of. */
	private static void awaitHeard(Site site) {
		LogPosition newest = site.bean(CommitLog.class).head().blockOptional(BOUND).orElseThrow();
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> site.bean(InstanceLogPosition.class)
				.position()
				.blockOptional(BOUND)
				.orElseThrow()
				.equals(newest));
	}

	/**
	 * Leaves out what was sent beside the page. After the page X-ray asks who the viewer
	 * is, if somebody is signed in, and then about the keys. The instances announce
	 * unread notifications with the same script with which a page counts them.
	 */
	private static List<Seen> ofPage(List<Seen> seen, List<String> shown) {
		int panel = seen.size() - 1;
		while (panel >= 0 && !line(seen.get(panel)).startsWith("GET auth:")) {
			panel--;
		}
		if (panel < 0) {
			panel = (int) seen.stream().takeWhile((command) -> !line(command).startsWith("look-at-key.lua ")).count();
		}
		List<Seen> ofPage = new ArrayList<>(
				seen.subList(0, panel).stream().filter(XrayAgainstMonitorTests::isOfPage).toList());
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
			.containsExactlyInAnyOrderElementsOf(seen.stream().map(XrayAgainstMonitorTests::line).toList());
		assertOrder(page, shown, seen);
	}

	private static void assertOrder(String page, List<String> shown, List<Seen> seen) {
		seen.stream()
			.collect(Collectors.groupingBy(Seen::connection,
					Collectors.mapping(XrayAgainstMonitorTests::line, Collectors.toList())))
			.forEach((connection, own) -> assertThat(shown).as(page + ", " + connection)
				.containsSubsequence(own.stream()
					.filter((line) -> !line.startsWith("read-notifications.lua "))
					.distinct()
					.toList()));
	}

	/**
	 * A form that succeeds.
	 *
	 * @param path where it is sent to
	 * @param script a script that it runs
	 * @param fields names and values by turns
	 */
	private record Form(String path, String script, String... fields) {
	}

}
