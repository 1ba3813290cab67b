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
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The commands that every page of the site shows are those that the server saw, and hold
 * no secret. The addresses are those of {@code routes.md}, which has all routes.
 */
@Timeout(120)
@ExtendWith(RedisExtension.class)
class XrayOnEveryPageTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final Pattern ROUTE = Pattern.compile("(?m)^\\| GET \\| `([^`]+)`");

	/** Keys that only background work uses alone. */
	private static final Set<String> BACKGROUND = Set.of("{live}:log", "{live}:unfinished", "{live}:dead",
			"{live}:fanout", "{live}:intents", "{moderation}:registration");

	/** Sent after the page, or beside it by the work of the background. */
	private static final Set<String> BESIDE = Set.of("look-at-key", "way-of-post", "note-way", "note-visit", "time",
			"fanout-state");

	private static final Redaction REDACTION = new Redaction(new KnownScripts(), List.of());

	@Test
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
							seen.add(path);
						}
					}
				}
			}
			assertThat(seen).as("pages, twice each").hasSizeGreaterThan(2 * 60);
		}
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
		Position newest = site.bean(CommitLog.class).head().blockOptional(BOUND).orElseThrow();
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> site.bean(HeardPosition.class).position().blockOptional(BOUND).orElseThrow().equals(newest));
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
				seen.subList(0, panel).stream().filter(XrayOnEveryPageTests::isOfPage).toList());
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
			.containsExactlyInAnyOrderElementsOf(seen.stream().map(XrayOnEveryPageTests::line).toList());
		seen.stream()
			.collect(Collectors.groupingBy(Seen::connection,
					Collectors.mapping(XrayOnEveryPageTests::line, Collectors.toList())))
			.forEach((connection, own) -> assertThat(shown).as(page + ", " + connection)
				.containsSubsequence(own.stream()
					.filter((line) -> !line.startsWith("read-notifications.lua "))
					.distinct()
					.toList()));
	}

}
