package live.retwis.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.importing.RetwisImport;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two hundred texts that would run a script if a page did not escape them, in every field
 * that people fill.
 */
@ExtendWith(RedisExtension.class)
class InjectionBrowserTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	/** Leaves a text, an attribute or an element before the injection. */
	private static final List<String> EXITS = List.of("", "\">", "'>", "</textarea></title></script>-->");

	private static final String RUNS = "window.ran=1";

	/** Users of no other import into this site have numbers from here on. */
	private static final long FIRST_USER = 7_000_000;

	/**
	 * Notes what runs, and what the browser keeps from running. It would report that to
	 * the site later, and over TLS alone.
	 */
	private static final String WATCH = """
			() => {
				window.refused = [];
				window.alert = () => { window.ran = 1; };
				addEventListener("securitypolicyviolation", (event) => window.refused.push(event.blockedURI));
			}""";

	/** What a page must not have, and what ran. */
	private static final String FOUND = """
			const found = (page) => [...page.querySelectorAll("*")].filter((element) => {
				const { origin } = location;
				const target = (name) => element.hasAttribute(name)
					? new URL(element.getAttribute(name), location.origin + "/") : location;
				return element.matches("iframe, object, embed, base, math, style, marquee, template, meta[http-equiv]")
					|| ["src", "action", "formaction", "data"].some((name) => target(name).origin !== origin)
					|| !["http:", "https:"].includes(target("href").protocol)
					|| [...element.attributes].some(({ name }) => name.startsWith("on") || name === "srcdoc")
					|| (element.matches("script") && !element.getAttribute("src"));
			}).map((element) => element.outerHTML.slice(0, 200));
			const outcome = (page) => [...found(page), ...window.refused, ...(window.ran ? ["it ran"] : [])];
			""";

	/**
	 * Sends each text in each field, and looks at the pages that come back. Their
	 * elements become part of this page for a moment.
	 */
	private static final String SEND = """
			(async (texts, get, post, tokenPage) => {
				FOUND
				const parse = (html) => new DOMParser().parseFromString(html, "text/html");
				const ask = async (path, options) => (await fetch(path, options)).text();
				const token = parse(await ask(tokenPage)).querySelector("[name=_csrf]").value;
				const look = async (where, html) => {
					const page = parse(html);
					const bad = found(page);
					const box = document.createElement("div");
					box.append(...page.querySelectorAll("main"));
					document.body.append(box);
					await new Promise((shown) => setTimeout(shown));
					box.remove();
					return bad.map((element) => `${where}: ${element}`);
				};
				const all = texts.flatMap((text) => [
					...get.map((path) => async () => look(path + text, await ask(path + encodeURIComponent(text)))),
					...post.map((form) => async () => {
						const fields = new FormData();
						fields.append("_csrf", token);
						for (const [name, value] of Object.entries(form.fields)) {
							fields.append(name, value.replace("TEXT", () => text));
						}
						if (form.file) {
							fields.append(form.file, new File(["x"], text));
						}
						const sent = form.file ? fields : new URLSearchParams(fields);
						return look(form.path + text, await ask(form.path, { method: "POST", body: sent }));
					}),
				]);
				const bad = [];
				await Promise.all([1, 2, 3, 4, 5, 6].map(async () => {
					while (all.length > 0) {
						bad.push(...await all.pop()());
					}
				}));
				return [...bad, ...outcome(document)];
			})(%s, %s, %s, "%s")""".replace("FOUND", FOUND);

	private final Site site = Site.another("--retwis.lab.enabled=true", "--retwis.xray.enabled=true",
			"--retwis.xray.users=*");

	@AfterEach
	void stop() {
		this.site.close();
	}

	/** One injection in so many, after each of the exits. */
	private static List<String> texts(int every) {
		try (Stream<String> lines = lines()) {
			List<String> all = lines.toList();
			List<String> injections = IntStream.range(0, all.size())
				.filter((i) -> i % every == 0)
				.mapToObj(all::get)
				.toList();
			return IntStream.range(0, injections.size() * EXITS.size())
				.mapToObj((i) -> EXITS.get(i % EXITS.size())
						+ injections.get(i / EXITS.size()).replace("RUN", (i % 3 == 0) ? "alert(1)" : RUNS))
				.toList();
		}
	}

	private static Stream<String> lines() {
		try {
			return new String(Objects.requireNonNull(InjectionBrowserTests.class.getResourceAsStream("/injections.txt"))
				.readAllBytes(), StandardCharsets.UTF_8).lines();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The texts that differ in how they begin, as one. */
	private static List<String> together(List<String> texts) {
		return IntStream.range(0, texts.size() / EXITS.size())
			.mapToObj((i) -> String.join("", texts.subList(i * EXITS.size(), (i + 1) * EXITS.size())))
			.toList();
	}

	/** As many of the texts in each as fit into the length. */
	private static List<String> joined(List<String> texts, int length) {
		List<String> all = new ArrayList<>(List.of(""));
		for (String text : texts) {
			String last = all.get(all.size() - 1);
			if (last.length() + text.length() <= length) {
				all.set(all.size() - 1, last + text);
			}
			else {
				all.add(text);
			}
		}
		return all;
	}

	private static Form form(String path, String... fields) {
		return new Form(path, null,
				IntStream.range(0, fields.length / 2)
					.boxed()
					.collect(Collectors.toMap((i) -> fields[2 * i], (i) -> fields[2 * i + 1])));
	}

	private static void send(Tab tab, List<String> texts, List<String> get, List<Form> post, String tokenPage) {
		JsonMapper json = new JsonMapper();
		assertThat(list(tab, String.format(SEND, json.writeValueAsString(texts), json.writeValueAsString(get),
				json.writeValueAsString(post), tokenPage)))
			.isEmpty();
	}

	private static List<?> list(Tab tab, String expression) {
		return (List<?>) Objects.requireNonNull(tab.evaluate(expression));
	}

	private void assertHarmless(Tab tab, String path) {
		tab.open(this.site.url(path));
		assertThat(list(tab, "(() => { " + FOUND + " return outcome(document); })()")).as(path).isEmpty();
	}

	private Tab open(Browser browser) {
		Tab tab = browser.newTab();
		tab.beforeScripts(WATCH);
		return tab;
	}

	/**
	 * Imports a user who wrote these posts, as if no other test had imported any.
	 * @param every tells the users of this class apart, who have the same data node
	 */
	private void importPosts(TestRedis old, List<String> texts, int every) {
		long user = FIRST_USER * every;
		RedisClient client = RedisClient.create(old.uri());
		RedisCommands<String, String> redis = client.connect().sync();
		redis.set("global:nextUserId", "1");
		redis.set("uid:" + user + ":username", "<img src=x onerror=alert(" + every + ")>");
		for (int i = 0; i < texts.size(); i++) {
			redis.set("post:" + (user + i),
					user + "|" + (Instant.parse("2021-01-01T00:00:00Z").getEpochSecond() + i) + "|" + texts.get(i));
		}
		client.shutdown();
		this.site.redis().del(Keys.IMPORT_MARKS);
		assertThat(this.site.bean(RetwisImport.class).run(old.uri()).collectList().block(SOON))
			.contains("Posts: " + texts.size() + " are here now, 0 skipped");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void noTextOfAnyFieldRunsInAPage(Browser browser, @OwnRedis TestRedis old) {
		assertNothingRuns(browser, old, 1);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void ofAFifthOfTheTextsNoneRunsInAPage(Browser browser, @OwnRedis TestRedis old) {
		assertNothingRuns(browser, old, 5);
	}

	private void assertNothingRuns(Browser browser, TestRedis old, int every) {
		List<String> texts = texts(every);
		assertThat(texts).hasSize(200 / every);
		Visitor ann = Visitor.registered(this.site);
		String reported = Visitor.registered(this.site).post("a post");

		Tab stranger = open(browser);
		stranger.open(this.site.url("/login"));
		List<String> together = together(texts);
		send(stranger, together, List.of("/login?next=", "/?lang=", "/tags/", "/@", "/timeline?before="),
				List.of(form("/login", "username", "TEXT", "password", "x", "next", "TEXT"),
						form("/register", "username", "TEXT", "password", "x", "password2", "x")),
				"/login");

		Tab tab = open(browser);
		SiteUser.login(tab, this.site.url("/"), ann.name());
		send(tab, texts, List.of("/search?q="), List.of(), "/settings");
		send(tab, together, List.of("/search?xray=1&q=", "/xray/keys?key=", "/lab/design?quorum=", "/lab/course/"),
				List.of(form("/posts", "body", "TEXT" + "x".repeat(300), "next", "TEXT"),
						form("/settings/profile", "name", "TEXT" + "x".repeat(60), "bio", "TEXT" + "x".repeat(200)),
						form("/posts/" + reported + "/report", "reason", "TEXT" + "x".repeat(250)),
						new Form("/settings/profile", "picture", Map.of("name", "TEXT", "bio", "TEXT")),
						form("/lab/runs", "scenario", "TEXT", "engine", "TEXT", "nodes", "TEXT", "seed", "TEXT"),
						form("/lab/design", "quorum", "TEXT", "order", "TEXT", "vote", "TEXT", "fence", "TEXT"),
						form("/lab/design/play", "quorum", "TEXT", "release", "TEXT", "clock", "TEXT"),
						form("/lab/actions", "kind", "TEXT", "node", "TEXT", "client", "TEXT")),
				"/settings");

		tab.open(this.site.url("/@" + ann.name()));
		tab.await().count("[data-live-state='open']", 1);
		List<String> posts = joined(texts, 280);
		posts.forEach(ann::post);
		tab.await().count("article", posts.size());
		assertThat(list(tab, "(() => { " + FOUND + " return outcome(document); })()")).isEmpty();

		importPosts(old, texts, every);
		String older = "/@_img_src_x_onerror_alert_" + every + "__";
		for (int pages = 0; !older.isEmpty(); pages++) {
			assertHarmless(tab, older);
			older = Visitor.of(this.site).get(older).older();
			assertThat(pages).isLessThan(20);
		}
		for (String path : List.of("/search?q=", "/login?next=", "/tags/")) {
			assertHarmless(tab, path + URLEncoder.encode(joined(texts, 200).get(0), StandardCharsets.UTF_8));
		}
		List<String> names = joined(texts, 50);
		List<String> bios = joined(texts, 160);
		for (int i = 0; i < names.size(); i++) {
			String name = names.get(i).substring(0, Math.min(50, names.get(i).length()));
			assertThat(ann.submit("/settings/profile", "name", name, "bio", bios.get(i % bios.size())).status())
				.isEqualTo(303);
			assertHarmless(tab, "/@" + ann.name());
		}
		for (String path : List.of("/settings", "/timeline", "/home", "/@" + ann.name())) {
			assertHarmless(tab, path);
			assertHarmless(tab, path + "?xray=1");
		}
		assertHarmless(tab, "/xray/keys?key=user:" + ann.id());
		assertThat(list(tab, "refused")).isEmpty();
		tab.evaluate("void document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)>')");
		Awaitility.await().atMost(SOON).until(() -> !list(tab, "refused").isEmpty());
	}

	/**
	 * A form in which each field has a text.
	 *
	 * @param path where it is sent to
	 * @param file name of the field with a file, whose name is the text; null for none
	 * @param fields the values; {@code TEXT} stands for the text
	 */
	private record Form(String path, @Nullable String file, Map<String, String> fields) {
	}

}
