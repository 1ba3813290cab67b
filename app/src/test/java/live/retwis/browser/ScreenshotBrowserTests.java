package live.retwis.browser;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import live.retwis.account.RegistrationMode;
import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.ArchiveMover;
import live.retwis.archive.OldStore;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.moderation.Moderation;
import live.retwis.startup.EmbeddedArchiveUrl;
import live.retwis.testing.Answer;
import live.retwis.testing.Pictures;
import live.retwis.testing.PostgresServer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Takes screenshots of each page and state, in three widths, in both languages, and in
 * light and in dark colours. It checks that no page is wider than its window and that all
 * can be used by everybody. The rest is for people to look at: see {@link Gallery}.
 */
@ExtendWith(RedisExtension.class)
class ScreenshotBrowserTests {

	private static final Duration SOON = Duration.ofSeconds(30);

	/** What becomes of the posts that the open page sends. */
	private static final String ANSWER = """
			void (window.fetch = ((send) => (...asked) => (asked[0] === "/posts" ? %s : send(...asked)))(fetch))""";

	/**
	 * Scrolls a long text up to the bar. The button for new posts covers a part of what
	 * stands there, which must not be a part of a link.
	 */
	private static final String SCROLL_TO_LONG_TEXT = """
			scrollBy({ behavior: "instant", top: [...document.querySelectorAll("article.post .post-body")]
				.find((body) => body.textContent.length > 200).getBoundingClientRect().top
				- document.querySelector("body > header").getBoundingClientRect().bottom })""";

	/** Streams that the open page opens from now on never answer. */
	private static final String NO_STREAMS = "void (window.EventSource = class extends EventTarget { close() {} })";

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	@SuppressWarnings("NullAway.Init")
	private static String conversation;

	@BeforeAll
	static void aSmallTown(@OwnRedis TestRedis redis, @TempDir Path directory) {
		site = Site.start(redis, "--retwis.archive.url=" + EmbeddedArchiveUrl.in(directory));
		Visitor ada = Visitor.registered(site, "ada");
		Visitor grace = Visitor.registered(site, "Grace_Hopper");
		Visitor long30 = Visitor.registered(site, "a_name_of_thirty_characters_30");
		assertThat(ada
			.submitParts("/settings/profile", "name", "小明", "bio", "She weaves patterns: https://example.org/loom",
					"picture", Pictures.plain("png", 64, 64, Color.PINK))
			.status()).isEqualTo(303);
		ada.follow(grace);
		grace.follow(ada);
		ada.follow(long30);
		Visitor newcomer = Visitor.registered(site, "newcomer");
		newcomer.post("Hello, #engine and #a_tag_that_is_rather_long_for_a_narrow_column_of_a_page_beside_the_posts!");
		grace.follow(newcomer);
		ada.post("The engine weaves algebraic patterns, just as the loom weaves flowers and leaves.");
		String measured = grace
			.post("One accurate measurement is worth\na thousand expert opinions.\n\n— and a blank line above this");
		long30.post("w".repeat(280));
		conversation = ada.post(
				"漢字 かな 한글 👩‍👩‍👧 <b>not bold</b> & https://example.org/a/very/long/address/that/does/not/want/to/break");
		grace.get("/posts/" + conversation);
		grace.postJson("body", "A reply to that, @ada, about the #engine.", "once", UUID.randomUUID().toString(),
				"reply_to", conversation);
		grace.submit("/posts/" + conversation + "/like");
		grace.submit("/posts/" + conversation + "/repost");
		ada.get("/posts/" + conversation);
		ada.submit("/posts/" + conversation + "/bookmark");
		ada.submit("/posts/" + measured + "/like");
		ada.submit("/posts/" + measured + "/repost");
		grace.submit("/posts/" + conversation + "/repost");
		Visitor reader = Visitor.registered(site, "reader_of_lists");
		reader.follow(ada);
		reader.get("/@newcomer");
		reader.submit("/@newcomer/mute");
		reader.get("/@a_name_of_thirty_characters_30");
		reader.submit("/@a_name_of_thirty_characters_30/block");
		long30.post("مرحبا بالعالم، هذه رسالة من اليمين إلى اليسار");
		Visitor veteran = Visitor.registered(site, "veteran");
		new OldStore(site).plant(veteran, 25, 100);
		new OldStore(site).plant(veteran, 1, daysSinceLastYear());
		site.bean(ArchiveMover.class).moveAll().block(SOON);
		Visitor.registered(site, "suspended").post("never seen again");
		site.bean(Moderation.class).suspend("operator", "suspended").block(SOON);
		veteran.post("Written today, above posts of months ago that the archive has.");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	@BrowserTest
	@Tag("slow")
	void everyPageFitsItsWindowAndCanBeUsedByEverybody(Browser browser, BrowserKind kind) {
		List<String> wrong = new ArrayList<>();
		for (Look look : Look.of(kind)) {
			Tab tab = look.open(browser, site.url("/"));
			wrong.addAll(look.picture(tab, kind, "welcome"));
			tab.open(site.url("/register"));
			tab.fill("#register-username", "no spaces please");
			tab.fill("#register-password", "short");
			tab.fill("#register-password2", "other");
			tab.clickAndLoad("form[action='/register'] button");
			wrong.addAll(look.picture(tab, kind, "register-wrong"));
			tab.open(site.url("/login"));
			tab.fill("#login-username", "ada");
			tab.fill("#login-password", "wrong");
			tab.clickAndLoad("form[action='/login'] button");
			wrong.addAll(look.picture(tab, kind, "login-wrong"));
			SiteUser.login(tab, site.url("/"), "ada").awaitLive();
			for (String shown : List.of(".reposted", ".name:not(:empty)", ".avatar img", ".like[aria-pressed='true']",
					".repost[aria-pressed='true']")) {
				tab.await().that(shown, (page) -> page.count("article " + shown) > 0);
			}
			wrong.addAll(look.picture(tab, kind, "home"));
			wrong.addAll(open(tab, "/@Grace_Hopper", kind, "profile", look));
			wrong.addAll(open(tab, "/@ada", kind, "own-profile", look));
			wrong.addAll(open(tab, "/@ada/following", kind, "people", look));
			wrong.addAll(open(tab, "/@ada/followers", kind, "followers", look));
			wrong.addAll(open(tab, "/settings", kind, "settings", look));
			wrong.addAll(open(tab, "/settings/sessions", kind, "sessions", look));
			wrong.addAll(open(tab, "/timeline", kind, "timeline", look));
			wrong.addAll(open(tab, "/tags/engine", kind, "tag", look));
			wrong.addAll(open(tab, "/tags/nothing", kind, "tag-empty", look));
			wrong.addAll(open(tab, "/search", kind, "discover", look));
			wrong.addAll(open(tab, "/search?q=a", kind, "search", look));
			wrong.addAll(open(tab, "/search?q=the", kind, "search-posts", look));
			wrong.addAll(open(tab, "/mentions", kind, "mentions", look));
			wrong.addAll(open(tab, "/notifications", kind, "notifications", look));
			wrong.addAll(open(tab, "/bookmarks", kind, "bookmarks", look));
			wrong.addAll(open(tab, "/how-live", kind, "how-live", look));
			wrong.addAll(open(tab, "/posts/" + conversation, kind, "post", look));
			wrong.addAll(open(tab, "/posts/" + conversation + "/likes", kind, "likes", look));
			wrong.addAll(open(tab, "/posts/" + conversation + "/reposts", kind, "reposts", look));
			wrong.addAll(open(tab, "/nothing/here", kind, "error", look));
			tab.open(site.url("/home"));
			tab.fill("#compose-body", "x".repeat(300));
			wrong.addAll(look.picture(tab, kind, "too-long"));
			tab.fill("#compose-body", "");
			tab.evaluate("document.activeElement.blur()");
			tab.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))");
			tab.await().count("dialog[open]", 1);
			wrong.addAll(look.picture(tab, kind, "keys"));
			tab.open(site.url("/home"));
			tab.fill("#compose-body", "Written while the session ended");
			logOutElsewhere();
			tab.clickAndLoad("form.compose button.primary");
			assertThat(tab.value("#compose-body")).isEqualTo("Written while the session ended");
			wrong.addAll(look.picture(tab, kind, "signed-out"));
			tab.close();
		}
		assertThat(wrong).isEmpty();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void soDoTheListsAndFormsThatAreSeldomSeen(Browser browser, BrowserKind kind) {
		List<String> wrong = new ArrayList<>();
		for (Look look : Look.of(kind)) {
			Tab tab = look.open(browser, site.url("/"));
			wrong.addAll(open(tab, "/register", kind, "register", look));
			wrong.addAll(open(tab, "/login", kind, "login", look));
			wrong.addAll(open(tab, "/timeline", kind, "timeline-signed-out", look));
			SiteUser.login(tab, site.url("/"), "reader_of_lists").awaitLive();
			wrong.addAll(open(tab, "/@Grace_Hopper/common", kind, "common", look));
			wrong.addAll(open(tab, "/@ada/on-this-day", kind, "on-this-day-empty", look));
			wrong.addAll(open(tab, "/@veteran/on-this-day", kind, "on-this-day", look));
			wrong.addAll(open(tab, "/@veteran", kind, "profile-archived", look));
			assertThat(tab.count("article")).as("the newest post, and archived ones below it").isEqualTo(20);
			wrong.addAll(open(tab, "/settings/muted", kind, "muted", look));
			wrong.addAll(open(tab, "/settings/blocked", kind, "blocked", look));
			wrong.addAll(open(tab, "/@newcomer", kind, "profile-muted", look));
			wrong.addAll(open(tab, "/@a_name_of_thirty_characters_30", kind, "profile-blocked", look));
			wrong.addAll(open(tab, "/posts/" + conversation + "/report", kind, "report", look));
			tab.clickAndLoad("form[action$='/report'] button.primary");
			wrong.addAll(look.picture(tab, kind, "report-thanks"));
			tab.open(site.url("/settings"));
			tab.fill("#password-old", "a wrong one!!");
			tab.fill("#password-new", "short");
			tab.fill("#password-new2", "other");
			tab.clickAndLoad("form[action='/settings/password'] button");
			wrong.addAll(look.picture(tab, kind, "password-wrong"));
			tab.fill("#delete-password", "a wrong one!!");
			tab.clickAndLoad("form[action='/settings/delete'] button");
			wrong.addAll(look.picture(tab, kind, "deletion-wrong"));
			tab.open(site.url("/@ada"));
			tab.await().count("[data-live-state='open']", 1);
			tab.click("article a.reply");
			tab.await().count("form[data-reply-in-place]", 1);
			wrong.addAll(look.picture(tab, kind, "reply-in-place"));
			tab.close();
		}
		assertThat(wrong).isEmpty();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void soDoTheStatesOfALivePage(Browser browser, BrowserKind kind) {
		List<String> wrong = new ArrayList<>();
		for (Look look : Look.of(kind)) {
			Tab tab = look.open(browser, site.url("/"));
			SiteUser.register(tab, site.url("/")).awaitLive();
			wrong.addAll(look.picture(tab, kind, "home-empty"));
			tab.evaluate(ANSWER.formatted("new Promise(() => {})"));
			send(tab, "on its way");
			wrong.addAll(look.picture(tab, kind, "outbox-sending"));
			open(tab, "/home");
			tab.await().text("article.post .post-body", "on its way");
			tab.await().count(".outgoing", 0);
			tab.evaluate(ANSWER.formatted("Response.json({ detail: 'Not now.' }, { status: 403 })"));
			send(tab, "refused");
			tab.await().count(".outgoing .error", 1);
			wrong.addAll(look.picture(tab, kind, "outbox-refused"));
			tab.evaluate(ANSWER.formatted("Promise.reject(new TypeError())"));
			send(tab, "lost");
			tab.await().count(".outgoing", 2);
			tab.evaluate(NO_STREAMS);
			tab.evaluate("void dispatchEvent(new Event('offline'))");
			tab.await().count("[data-live-state='open']", 0);
			wrong.addAll(look.picture(tab, kind, "offline"));
			Visitor author = Visitor.registered(site);
			author.post("a long text ".repeat(23));
			IntStream.range(0, 5).forEach((i) -> author.post("above it"));
			open(tab, "/timeline");
			tab.evaluate(SCROLL_TO_LONG_TEXT);
			author.post("while somebody reads further down");
			tab.await().count(".live-new:not([hidden])", 1);
			wrong.addAll(look.picture(tab, kind, "new-posts"));
			tab.close();
		}
		assertThat(wrong).isEmpty();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void soDoThePagesOfASiteThatRefusesOrIsAway(Browser browser, BrowserKind kind, @OwnRedis TestRedis redis) {
		List<String> wrong = new ArrayList<>();
		try (Site refusing = Site.start(redis, "--retwis.limits.enabled=true", "--retwis.limits.searches=1/1h")) {
			for (Look look : Look.of(kind)) {
				Tab tab = look.open(browser, refusing.url("/search?q=once"));
				tab.open(refusing.url("/search?q=too+often"));
				assertThat(tab.count("main .alert")).isOne();
				wrong.addAll(look.picture(tab, kind, "limited"));
				tab.close();
			}
			redis.pause();
			for (Look look : Look.of(kind)) {
				Tab tab = look.open(browser, refusing.url("/timeline"));
				assertThat(tab.text(".failure-status")).isEqualTo("503");
				wrong.addAll(look.picture(tab, kind, "away"));
				tab.close();
			}
			redis.resume();
		}
		assertThat(wrong).isEmpty();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void soDoEmptyListsAndQuestionsAndWhatIsRefused(Browser browser, BrowserKind kind, @TempDir Path files)
			throws IOException {
		List<String> wrong = new ArrayList<>();
		Path noPicture = Files.writeString(files.resolve("text.png"), "no picture");
		for (Look look : Look.of(kind)) {
			Tab tab = look.open(browser, site.url("/"));
			SiteUser user = SiteUser.register(tab, site.url("/"));
			wrong.addAll(open(tab, "/@" + user.name(), kind, "profile-empty", look));
			wrong.addAll(open(tab, "/@" + user.name() + "/followers", kind, "followers-empty", look));
			wrong.addAll(open(tab, "/notifications", kind, "notifications-empty", look));
			wrong.addAll(open(tab, "/mentions", kind, "mentions-empty", look));
			wrong.addAll(open(tab, "/bookmarks", kind, "bookmarks-empty", look));
			wrong.addAll(open(tab, "/settings/muted", kind, "muted-empty", look));
			wrong.addAll(open(tab, "/settings/blocked", kind, "blocked-empty", look));
			wrong.addAll(open(tab, "/search?q=nothinglikethis", kind, "search-empty", look));
			wrong.addAll(open(tab, "/search?q=" + "x".repeat(201), kind, "search-too-long", look));
			wrong.addAll(open(tab, "/search?q=!!!", kind, "search-no-words", look));
			wrong.addAll(open(tab, "/@suspended", kind, "profile-suspended", look));
			open(tab, "/@ada");
			tab.click("details.more summary");
			wrong.addAll(look.picture(tab, kind, "menu"));
			tab.evaluate("void (window.fetch = async () => Response.json({ detail: 'Not now.' }, { status: 429 }))");
			tab.click("article button.like");
			tab.await().text("article .problem", "Not now.");
			tab.evaluate("scrollTo({ top: 0, behavior: 'instant' })");
			wrong.addAll(look.picture(tab, kind, "like-refused"));
			open(tab, "/home");
			tab.click(".live-controls button");
			tab.await().count("[data-live-state='paused']", 1);
			wrong.addAll(look.picture(tab, kind, "paused"));
			tab.evaluate("void (document.querySelector('#compose-body').value = 'refused \\u0007')");
			tab.clickAndLoad("form.compose button.primary");
			wrong.addAll(look.picture(tab, kind, "compose-wrong"));
			tab.open(site.url("/settings"));
			tab.fill("#profile-name", "x".repeat(200));
			tab.fill("#profile-bio", "x".repeat(2000));
			tab.clickAndLoad("form[action='/settings/profile'] button");
			wrong.addAll(look.picture(tab, kind, "profile-wrong"));
			tab.fill("#profile-name", "Ada");
			tab.fill("#profile-bio", "");
			tab.choose("#profile-picture", noPicture);
			tab.clickAndLoad("form[action='/settings/profile'] button");
			assertThat(tab.count("#profile-picture[aria-invalid]")).isOne();
			wrong.addAll(look.picture(tab, kind, "picture-wrong"));
			tab.clickAndLoad("form[action='/settings/profile'] button");
			assertThat(tab.count(".notice")).isOne();
			wrong.addAll(look.picture(tab, kind, "profile-saved"));
			tab.evaluate("void (document.querySelector(\"form[action='/settings/profile'] [name=_csrf]\").value = '')");
			tab.clickAndLoad("form[action='/settings/profile'] button");
			wrong.addAll(look.picture(tab, kind, "sent-again"));
			open(tab, "/home");
			user.post("to be deleted");
			tab.evaluate(ANSWER.formatted("new Promise(() => {})"));
			send(tab, "on its way");
			for (String what : List.of("delete", "logout")) {
				tab.click("button[formaction$='/" + what + "']");
				tab.await().count("button[formaction$='/" + what + "'][data-asks]", 1);
				wrong.addAll(look.picture(tab, kind, "question-" + what));
			}
			tab.close();
		}
		assertThat(wrong).isEmpty();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void soDoConversationsWithGapsAndLongListsAndNotificationsOfMany(Browser browser, BrowserKind kind) {
		List<String> wrong = new ArrayList<>();
		Visitor author = Visitor.registered(site);
		Visitor blocked = Visitor.registered(site);
		Visitor reader = Visitor.registered(site);
		List<Visitor> friends = IntStream.range(0, 4).mapToObj((i) -> Visitor.registered(site)).toList();
		friends.forEach((friend) -> {
			reader.follow(friend);
			friend.follow(author);
			friend.follow(reader);
		});
		reader.follow(author);
		author.follow(reader);
		String root = author.post("The beginning");
		String gone = blocked.reply(root, "A reply");
		String below = author.reply(gone, "A reply");
		String end = author.reply(below, "A reply");
		blocked.submit("/posts/" + gone + "/delete");
		String hidden = blocked.post("By somebody who is blocked");
		String answer = author.reply(hidden, "A reply");
		IntStream.range(0, 52).forEach((i) -> author.reply(root, "A reply"));
		reader.get("/@" + blocked.name());
		reader.submit("/@" + blocked.name() + "/block");
		for (Look look : Look.of(kind)) {
			String liked = reader.post("Liked by many");
			friends.forEach((friend) -> {
				friend.get("/posts/" + liked);
				friend.submit("/posts/" + liked + "/like");
			});
			Tab tab = look.open(browser, site.url("/"));
			SiteUser.login(tab, site.url("/"), reader.name()).awaitLive();
			tab.await().count(SiteUser.article(liked) + " .like[data-count='4']", 1);
			wrong.addAll(open(tab, "/notifications", kind, "notifications-of-many", look));
			assertThat(tab.count(".unread-mark")).isPositive();
			wrong.addAll(open(tab, "/posts/" + end, kind, "post-gap", look));
			wrong.addAll(open(tab, "/posts/" + below, kind, "post-parent-deleted", look));
			assertThat(tab.count(".thread > .gone")).isOne();
			wrong.addAll(open(tab, "/posts/" + answer, kind, "post-parent-hidden", look));
			assertThat(tab.count(".thread > .gone")).isOne();
			wrong.addAll(open(tab, "/posts/" + hidden, kind, "post-blocked", look));
			wrong.addAll(open(tab, "/posts/" + hidden + "/likes", kind, "likes-blocked", look));
			assertThat(tab.text(".failure-status")).isEqualTo("403");
			wrong.addAll(open(tab, "/posts/" + root, kind, "post-many-replies", look));
			assertThat(tab.count(".pages [rel='next']")).isOne();
			wrong.addAll(open(tab, "/@" + author.name(), kind, "profile-followed-by", look));
			assertThat(tab.count(".facts li")).isEqualTo(2);
			tab.open(site.url("/home"));
			tab.clickAndLoad(".pages [rel='next']");
			wrong.addAll(look.picture(tab, kind, "home-older"));
			tab.close();
		}
		assertThat(wrong).isEmpty();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void soDoThePagesOfASiteWhoseRegistrationIsClosed(Browser browser, BrowserKind kind) {
		List<String> wrong = new ArrayList<>();
		register(RegistrationMode.CLOSED, 403);
		try {
			for (Look look : Look.of(kind)) {
				Tab tab = look.open(browser, site.url("/"));
				assertThat(tab.count("form[action='/register']")).isZero();
				wrong.addAll(look.picture(tab, kind, "welcome-closed"));
				wrong.addAll(open(tab, "/register", kind, "register-closed", look));
				tab.close();
			}
		}
		finally {
			register(RegistrationMode.OPEN, 200);
		}
		assertThat(wrong).isEmpty();
	}

	/** An instance hears of it after a while. */
	private static void register(RegistrationMode mode, int status) {
		site.bean(Moderation.class).setRegistration("operator", mode).block(SOON);
		Awaitility.await().atMost(SOON).until(() -> Visitor.of(site).get("/register").status() == status);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	@EnabledIf("live.retwis.testing.PostgresServer#isInstalled")
	void soDoPagesWhoseOlderPostsCannotBeRead(Browser browser, BrowserKind kind, @OwnRedis TestRedis redis) {
		List<String> wrong = new ArrayList<>();
		try (PostgresServer database = PostgresServer.start();
				Site archiving = Site.start(redis, database.settings().toArray(String[]::new))) {
			Visitor author = Visitor.registered(archiving);
			new OldStore(archiving).plant(author, 25, 100);
			new OldStore(archiving).plant(author, 1, daysSinceLastYear());
			Awaitility.await().atMost(SOON).ignoreException(ArchiveAwayException.class).until(() -> {
				archiving.bean(ArchiveMover.class).moveAll().block(SOON);
				return true;
			});
			database.kill();
			for (Look look : Look.of(kind)) {
				Tab tab = look.open(browser, archiving.url("/@" + author.name()));
				assertThat(tab.count("[data-older-away]")).isOne();
				wrong.addAll(look.picture(tab, kind, "archive-away"));
				tab.open(archiving.url("/@" + author.name() + "/on-this-day"));
				wrong.addAll(look.picture(tab, kind, "on-this-day-away"));
				tab.close();
			}
		}
		assertThat(wrong).isEmpty();
	}

	/** Since the same day of the year before. */
	private static int daysSinceLastYear() {
		LocalDate today = LocalDate.now(ZoneOffset.UTC);
		return (int) ChronoUnit.DAYS.between(today.minusYears(1), today);
	}

	/** Sends a post with the form of the open page. */
	private static void send(Tab tab, String text) {
		tab.fill("#compose-body", text);
		tab.click("form.compose button.primary");
		tab.await().that(text, (page) -> page.texts(".outgoing").stream().anyMatch((one) -> one.contains(text)));
	}

	private static void open(Tab tab, String path) {
		tab.open(site.url(path));
		tab.await().count("[data-live-state='open']", 1);
	}

	private static List<String> open(Tab tab, String path, BrowserKind kind, String page, Look look) {
		tab.open(site.url(path));
		if (tab.count("[data-live]") > 0) {
			tab.await().count("[data-live-state='open']", 1);
		}
		return look.picture(tab, kind, page);
	}

	private static void logOutElsewhere() {
		Visitor elsewhere = Visitor.signedIn(site, "ada");
		elsewhere.get("/home");
		elsewhere.submit("/logout");
	}

}
