package live.retwis.browser;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.lettuce.core.RestoreArgs;
import live.retwis.account.AccountSuspension;
import live.retwis.locks.nodes.proxy.FaultHandle;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.OwnData;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Pages whose stream cannot be resumed.
 */
class ResetBrowserTests {

	private static final Path PICTURES = Path.of("target", "screenshots");

	/** Fewer entries than the page misses in these tests. */
	private static final int REPLAY = 8;

	private static final Duration COMES_BACK = Duration.ofSeconds(30);

	private static final String OPEN = "[data-live-state='open']";

	private static final String DRAFT = "half a thought";

	/** Makes the page reload its content after the shortest delay. */
	private static final String AT_ONCE = "void (Math.random = () => 0)";

	/** Makes the page reconnect at once, without the delay that the server asked for. */
	private static final String BACK = "void dispatchEvent(new Event('online'))";

	/**
	 * The state of the page: the focus, the draft and the scroll position of its reader.
	 */
	private static final String PLACE = """
			JSON.stringify([scrollY, document.activeElement.id, document.activeElement.value,
				document.activeElement.selectionStart, document.querySelector("article").getBoundingClientRect().top])""";

	@SuppressWarnings("NullAway.Init")
	private static OwnData data;

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	private final Visitor alice = Visitor.registered(site);

	@BeforeAll
	static void start() {
		data = OwnData.start();
		site = Site.startOn(data.settings(), "--retwis.live.replay-entries=" + REPLAY);
	}

	@AfterAll
	static void stop() {
		site.close();
		data.close();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theHomePageRepairsItselfAndKeepsDraftScrollAndFocus(Browser browser, BrowserKind kind) {
		List<String> posts = post(15, "before");
		try (FaultProxy network = FaultProxy.ofBytes("127.0.0.1", site.port())) {
			String origin = "http://127.0.0.1:" + network.port();
			Tab tab = browser.newTab();
			SiteUser.register(tab, origin + "/");
			tab.open(origin + "/@" + this.alice.name());
			tab.clickAndLoad("button[formaction$='/follow']");
			tab.open(origin + "/home");
			tab.await().count("article", 15);
			tab.await().count(OPEN, 1);
			tab.evaluate(AT_ONCE);
			tab.fill("#compose-body", DRAFT);
			scrollTo(tab, 300);
			tab.evaluate("""
					document.querySelector("[data-live-pages]")
						.insertAdjacentHTML("beforebegin", "<p data-older-away>Older posts were away</p>")""");
			Object place = tab.evaluate(PLACE);
			List<String> missed;
			try (FaultHandle cut = network.cut()) {
				tab.await().count(OPEN, 0);
				this.alice.submit("/posts/" + posts.get(7) + "/delete");
				this.alice.submit("/posts/" + posts.get(0) + "/delete");
				like(posts.get(10));
				missed = post(REPLAY, "missed");
			}
			tab.evaluate(BACK);
			tab.await(COMES_BACK).text(".live-new", REPLAY + " new posts");
			tab.await().count("article", 13);
			tab.await().count(SiteUser.article(posts.get(10)) + " button.like[data-count='1']", 1);
			assertSamePlace(place, tab.evaluate(PLACE));
			assertThat(String.valueOf(place)).contains("300", "compose-body", DRAFT);
			assertThat(tab.text(".live-notice")).isEmpty();
			tab.await().count("[data-older-away]", 0);
			tab.screenshot(PICTURES.resolve(kind.toString().toLowerCase(Locale.ROOT)).resolve("mended.png"));
			tab.await().count(OPEN, 1);
			String live = this.alice.post("live again");
			tab.await().text(".live-new", REPLAY + 1 + " new posts");
			tab.click(".live-new");
			List<String> all = new ArrayList<>(posts);
			all.removeAll(List.of(posts.get(7), posts.get(0)));
			all.addAll(missed);
			all.add(live);
			assertThat(articles(tab)).isEqualTo(reversed(all));
			assertThat(tab.evaluate("document.getElementById('compose-body').value")).isEqualTo(DRAFT);
		}
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void timelineAndProfileRepairThemselvesWithSeveralPagesAndPostsInTheMiddle(Browser browser) {
		post(55, "before");
		for (String path : List.of("/timeline", "/@" + this.alice.name())) {
			try (FaultProxy network = FaultProxy.ofBytes("127.0.0.1", site.port())) {
				Tab tab = browser.newTab();
				tab.open("http://127.0.0.1:" + network.port() + path);
				tab.await().count(OPEN, 1);
				tab.evaluate(AT_ONCE);
				List<String> before = articles(tab);
				for (int i = 0; i < 10; i++) {
					this.alice.post("live " + i);
				}
				tab.await().count("article", before.size() + 10);
				String doomed = articles(tab).get(before.size() + 5);
				try (FaultHandle cut = network.cut()) {
					tab.await().count(OPEN, 0);
					this.alice.submit("/posts/" + doomed + "/delete");
					post(REPLAY, "missed");
				}
				tab.evaluate(BACK);
				tab.await(COMES_BACK).count(SiteUser.article(doomed), 0);
				tab.await().text(".live-new", REPLAY + " new posts");
				tab.click(".live-new");
				Answer first = this.alice.get(path);
				List<String> twoPages = new ArrayList<>(first.postIds());
				twoPages.addAll(this.alice.get(first.older()).postIds());
				assertThat(articles(tab)).isEqualTo(twoPages);
			}
		}
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void aPageThatCannotBeFetchedOffersToReload(Browser browser) {
		post(1, "before");
		try (FaultProxy network = FaultProxy.ofBytes("127.0.0.1", site.port())) {
			Tab tab = browser.newTab();
			tab.open("http://127.0.0.1:" + network.port() + "/@" + this.alice.name());
			tab.await().count(OPEN, 1);
			tab.evaluate("""
					void (window.fetch = () => Promise.reject(new Error("no answer")));
					void (window.setTimeout = ((real) => (task, ms) => real(task, ms / 50))(setTimeout))""");
			try (FaultHandle cut = network.cut()) {
				tab.await().count(OPEN, 0);
				post(REPLAY + 2, "missed");
			}
			tab.evaluate(BACK);
			tab.await(COMES_BACK).text(".live-notice a", "Reload");
			assertThat(tab.text(".live-notice")).startsWith("Some posts may be missing here.");
			assertThat(Accessibility.violations(tab)).isEmpty();
			tab.clickAndLoad(".live-notice a");
			tab.await().count("article", REPLAY + 3);
		}
	}

	/**
	 * The replica that is promoted has not got the last post, and nothing happens on it.
	 */
	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	void aPostThatAFailOverLostLeavesTheOpenPage(Browser browser) {
		String kept = this.alice.post("kept");
		FanOutWait.settle(site);
		Tab tab = browser.newTab();
		tab.open(site.url("/@" + this.alice.name()));
		tab.await().count(OPEN, 1);
		tab.evaluate(AT_ONCE);
		byte[] log = site.redis().dump(Keys.LOG);
		String lost = this.alice.post("lost");
		tab.await().count(SiteUser.article(lost), 1);
		FanOutWait.settle(site);
		site.redis().del(Keys.post(lost));
		site.redis().zrem(Keys.postsOf(this.alice.id()), lost);
		site.redis().zrem(Keys.PUBLIC_TIMELINE, lost);
		site.redis().restore(Keys.LOG, log, RestoreArgs.Builder.ttl(0).replace());
		tab.await(COMES_BACK).count(SiteUser.article(lost), 0);
		assertThat(articles(tab)).containsExactly(kept);
		tab.await(COMES_BACK).count(SiteUser.article(this.alice.post("made after it")), 1);
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	void theOldestPostOfAPageComesBackWhenItsAuthorIsRestored(Browser browser) {
		Visitor bob = Visitor.registered(site);
		String first = bob.post("first " + tag());
		String second = this.alice.post("second " + tag());
		Tab tab = openTag(browser);
		assertThat(articles(tab)).containsExactly(second, first);
		suspend(bob, true);
		tab.await().count("article", 1);
		suspend(bob, false);
		tab.await(COMES_BACK).count("article", 2);
		assertThat(articles(tab)).containsExactly(second, first);
		assertThat(tab.count(".live-new:not([hidden])")).isZero();
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void theLinkToOlderPostsGoesOnWhereThePageEnds(Browser browser) {
		Visitor bob = Visitor.registered(site);
		List<String> posts = IntStream.range(0, 7)
			.mapToObj((i) -> bob.post("older " + tag()))
			.collect(Collectors.toCollection(ArrayList::new));
		posts.addAll(post(18, tag()));
		List<String> newestFirst = reversed(posts);
		Tab before = openTag(browser);
		suspend(bob, true);
		before.await().count("article", 18);
		Tab meanwhile = openTag(browser);
		assertThat(meanwhile.count("[data-live-pages] a")).isZero();
		before.evaluate("document.querySelector('[data-live-pages] a[rel=next]').focus()");
		suspend(bob, false);
		before.await(COMES_BACK).count("article", 20);
		assertThat(before.evaluate("document.activeElement.rel")).as("the focus is on its newer link")
			.isEqualTo("next");
		for (Tab tab : List.of(before, meanwhile)) {
			tab.await(COMES_BACK).count("article", 20);
			assertThat(articles(tab)).isEqualTo(newestFirst.subList(0, 20));
			tab.clickAndLoad("[data-live-pages] a[rel=next]");
			assertThat(articles(tab)).isEqualTo(newestFirst.subList(20, 25));
		}
	}

	/**
	 * Of two pages of the server, one has the post by its repost, the other by itself.
	 */
	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aPostThatTwoPagesHaveIsOnThePageOnce(Browser browser) {
		Visitor bob = Visitor.registered(site);
		Visitor carol = Visitor.registered(site);
		Tab tab = browser.newTab();
		SiteUser.register(tab, site.url("/"));
		for (Visitor author : List.of(bob, this.alice, carol)) {
			tab.open(site.url("/@" + author.name()));
			tab.clickAndLoad("button[formaction$='/follow']");
		}
		String reposted = bob.post("reposted");
		List<String> others = post(29, "from alice");
		carol.submit("/posts/" + reposted + "/repost");
		FanOutWait.settle(site);
		tab.open(site.url("/home"));
		tab.await().count(OPEN, 1);
		tab.evaluate(AT_ONCE);
		others.add(this.alice.post("live"));
		tab.await().count("article", 21);
		Visitor somebody = Visitor.registered(site);
		List.of(true, false).forEach((suspended) -> suspend(somebody, suspended));
		tab.await(COMES_BACK).count("article", 31);
		assertThat(tab.count(".live-new:not([hidden])")).isZero();
		assertThat(tab.count(SiteUser.article(reposted))).isOne();
		assertThat(articles(tab).stream().filter(others::contains).toList()).isEqualTo(reversed(others));
		assertThat(tab.count("[data-live-pages] a[rel=next]")).isZero();
	}

	/** The server has a post where its newest repost is, the page where it was before. */
	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void aRepostOfTheLastPostDoesNotShortenThePage(Browser browser) {
		Visitor carol = Visitor.registered(site);
		Tab tab = browser.newTab();
		SiteUser.register(tab, site.url("/"));
		for (Visitor author : List.of(this.alice, carol)) {
			tab.open(site.url("/@" + author.name()));
			tab.clickAndLoad("button[formaction$='/follow']");
		}
		List<String> posts = post(20, "before");
		FanOutWait.settle(site);
		tab.open(site.url("/home"));
		tab.await().count(OPEN, 1);
		tab.evaluate(AT_ONCE);
		posts.addAll(post(10, "live"));
		tab.await().count("article", 30);
		carol.submit("/posts/" + posts.get(0) + "/repost");
		FanOutWait.settle(site);
		for (int reset = 0; reset < 2; reset++) {
			reset(tab);
			assertThat(articles(tab)).isEqualTo(reversed(posts));
		}
	}

	/**
	 * So thousands of pages that are reset together do not all ask at once. The test
	 * chooses the random number.
	 */
	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void aPageWaitsForARandomTimeOfHalfASecondToFiveBeforeItRepairsItself(Browser browser) {
		assertThat(waits(browser, 0)).contains(500).doesNotContain(5000);
		assertThat(waits(browser, 1)).contains(5000).doesNotContain(500);
		assertThat(waits(browser, 0.5)).contains(2750);
	}

	/** How long the page waits, in ms, from its reset until it has repaired itself. */
	private List<Integer> waits(Browser browser, double random) {
		Tab tab = openTag(browser);
		tab.evaluate(
				"""
						Math.random = () => %s;
						window.waits = [];
						void (window.setTimeout = ((real) => (task, ms) => (waits.push(ms), real(task, ms / 10)))(setTimeout))"""
					.formatted(random));
		reset(tab);
		return Stream.of(String.valueOf(tab.evaluate("waits.join()")).split(","))
			.map((wait) -> Math.round(Float.parseFloat(wait)))
			.toList();
	}

	/** A tag that only this test uses. */
	private String tag() {
		return "#t" + this.alice.name().replace("_", "");
	}

	private Tab openTag(Browser browser) {
		FanOutWait.settle(site);
		Tab tab = browser.newTab();
		tab.open(site.url("/tags/" + tag().substring(1)));
		tab.await().count(OPEN, 1);
		tab.evaluate(AT_ONCE);
		return tab;
	}

	private static void suspend(Visitor visitor, boolean suspended) {
		site.bean(AccountSuspension.class).set(visitor.id(), suspended).block(COMES_BACK);
	}

	/** There are more replies afterwards than a page has. */
	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aConversationRepairsItselfInItsOrderAndKeepsDraftAndFocus(Browser browser) {
		String post = this.alice.post("what do you think?");
		List<String> replies = new ArrayList<>(reply(post, 3));
		try (FaultProxy network = FaultProxy.ofBytes("127.0.0.1", site.port())) {
			String origin = "http://127.0.0.1:" + network.port();
			Tab tab = browser.newTab();
			SiteUser.register(tab, origin + "/");
			tab.open(origin + "/posts/" + post);
			tab.await().count(OPEN, 1);
			tab.evaluate(AT_ONCE);
			tab.fill("#compose-body", DRAFT);
			try (FaultHandle cut = network.cut()) {
				tab.await().count(OPEN, 0);
				this.alice.submit("/posts/" + replies.remove(1) + "/delete");
				replies.addAll(reply(post, 55));
			}
			tab.evaluate(BACK);
			tab.await(COMES_BACK).count("[data-live-list] article", 57);
			tab.await().text("[data-live-replies] .count", "57");
			assertThat(tab.value("#compose-body")).isEqualTo(DRAFT);
			assertThat(tab.evaluate("document.activeElement.id")).isEqualTo("compose-body");
			assertThat(tab.text(".live-notice")).isEmpty();
			replies.addAll(reply(post, 1));
			tab.await().count("[data-live-list] article", 58);
			replies.add(0, post);
			assertThat(articles(tab)).isEqualTo(replies);
		}
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	void whatStandsAboveAConversationIsRepairedToo(Browser browser) {
		String first = this.alice.post("first");
		String second = reply(first, 1).get(0);
		String post = reply(second, 1).get(0);
		try (FaultProxy network = FaultProxy.ofBytes("127.0.0.1", site.port())) {
			Tab tab = browser.newTab();
			tab.open("http://127.0.0.1:" + network.port() + "/posts/" + post);
			tab.await().count(OPEN, 1);
			tab.evaluate(AT_ONCE);
			assertThat(articles(tab)).containsExactly(first, second, post);
			List<String> replies;
			try (FaultHandle cut = network.cut()) {
				tab.await().count(OPEN, 0);
				this.alice.submit("/posts/" + first + "/delete");
				like(post);
				replies = reply(post, REPLAY + 1);
			}
			tab.evaluate(BACK);
			tab.await(COMES_BACK).count("[data-live-list] article", replies.size());
			tab.await().count(SiteUser.article(first), 0);
			tab.await().count(SiteUser.article(second), 1);
			tab.await().count(SiteUser.article(post) + " button.like[data-count='1']", 1);
		}
	}

	private static void like(String post) {
		Visitor reader = Visitor.registered(site);
		reader.get("/posts/" + post);
		assertThat(reader.submit("/posts/" + post + "/like").status()).isEqualTo(303);
		FanOutWait.settle(site);
	}

	/**
	 * Meanwhile newer bookmarks have moved the last posts of the page to the next one.
	 */
	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aPageWithoutALiveListRepairsItselfAndKeepsDraftScrollAndFocus(Browser browser) {
		List<String> posts = post(23, "kept");
		Visitor reader = Visitor.registered(site);
		reader.get("/posts/" + posts.get(0));
		posts.subList(0, 20).forEach((id) -> reader.submit("/posts/" + id + "/bookmark"));
		List<String> shown = reversed(posts.subList(0, 20));
		try (FaultProxy network = FaultProxy.ofBytes("127.0.0.1", site.port())) {
			String origin = "http://127.0.0.1:" + network.port();
			Tab tab = browser.newTab();
			SiteUser.login(tab, origin + "/", reader.name());
			tab.open(origin + "/bookmarks");
			tab.evaluate(AT_ONCE);
			assertThat(articles(tab)).isEqualTo(shown);
			like(shown.get(1));
			tab.await().count(SiteUser.article(shown.get(1)) + " button.like[data-count='1']", 1);
			tab.click(SiteUser.article(shown.get(4)) + " a.reply");
			tab.fill(SiteUser.article(shown.get(4)) + " textarea", DRAFT);
			scrollTo(tab, 300);
			Object place = tab.evaluate(PLACE);
			try (FaultHandle cut = network.cut()) {
				posts.subList(20, 23).forEach((id) -> reader.submit("/posts/" + id + "/bookmark"));
				this.alice.submit("/posts/" + shown.get(10) + "/delete");
				this.alice.submit("/posts/" + shown.get(19) + "/delete");
				like(shown.get(1));
				post(REPLAY, "missed");
			}
			tab.evaluate(BACK);
			tab.await(COMES_BACK).count("article", 18);
			tab.await().count(SiteUser.article(shown.get(1)) + " button.like[data-count='2']", 1);
			assertSamePlace(place, tab.evaluate(PLACE));
			assertThat(String.valueOf(place)).contains("300", DRAFT);
			assertThat(articles(tab)).isEqualTo(without(shown, shown.get(10), shown.get(19)));
			assertThat(tab.texts(".live-notice")).isEmpty();
			like(shown.get(2));
			tab.await().count(SiteUser.article(shown.get(2)) + " button.like[data-count='1']", 1);
			this.alice.submit("/posts/" + shown.get(3) + "/delete");
			tab.await().count("article", 17);
		}
	}

	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	void aPageWithoutALiveListThatCannotBeFetchedOffersToReload(Browser browser) {
		String post = post(1, "liked").get(0);
		like(post);
		try (FaultProxy network = FaultProxy.ofBytes("127.0.0.1", site.port())) {
			Tab tab = browser.newTab();
			tab.open("http://127.0.0.1:" + network.port() + "/posts/" + post + "/likes");
			like(post);
			tab.await().count("button.like[data-count='2']", 1);
			tab.evaluate("""
					void (window.fetch = () => Promise.reject(new Error("no answer")));
					void (window.setTimeout = ((real) => (task, ms) => real(task, ms / 50))(setTimeout))""");
			try (FaultHandle cut = network.cut()) {
				like(post);
				post(REPLAY + 2, "missed");
			}
			tab.evaluate(BACK);
			tab.await(COMES_BACK).text(".live-notice a", "Reload");
			assertThat(tab.text(".live-notice")).startsWith("This page may be out of date.");
			assertThat(Accessibility.violations(tab)).isEmpty();
			tab.clickAndLoad(".live-notice a");
			tab.await().count("button.like[data-count='3']", 1);
		}
	}

	@BrowserTest
	@Tag("slow")
	void aPageThatIsGoneAfterAResetLosesItsPosts(Browser browser) {
		String post = post(1, "soon gone").get(0);
		try (FaultProxy network = FaultProxy.ofBytes("127.0.0.1", site.port())) {
			Tab tab = browser.newTab();
			tab.open("http://127.0.0.1:" + network.port() + "/posts/" + post + "/likes");
			like(post);
			tab.await().count("button.like[data-count='1']", 1);
			try (FaultHandle cut = network.cut()) {
				this.alice.submit("/posts/" + post + "/delete");
				post(REPLAY + 2, "missed");
			}
			tab.evaluate(BACK);
			tab.await(COMES_BACK).count("article", 0);
			tab.await().text(".live-notice a", "Reload");
		}
	}

	/** The server has the reposted one above both. */
	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void aPostThatWaitedIsNotShownBelowOneThatWasRepostedMeanwhile(Browser browser) {
		Visitor carol = Visitor.registered(site);
		Tab tab = browser.newTab();
		SiteUser.register(tab, site.url("/"));
		for (Visitor author : List.of(this.alice, carol)) {
			tab.open(site.url("/@" + author.name()));
			tab.clickAndLoad("button[formaction$='/follow']");
		}
		List<String> posts = post(15, "before");
		FanOutWait.settle(site);
		tab.open(site.url("/home"));
		tab.await().count(OPEN, 1);
		tab.evaluate(AT_ONCE);
		scrollTo(tab, 300);
		posts.add(this.alice.post("waits"));
		tab.await().text(".live-new", "1 new post");
		carol.submit("/posts/" + posts.get(0) + "/repost");
		tab.await().count(SiteUser.article(posts.get(0)) + " .reposted", 1);
		FanOutWait.settle(site);
		reset(tab);
		tab.click(".live-new");
		assertThat(articles(tab)).isEqualTo(reversed(posts));
	}

	/** Resets the page's stream, and waits until the page has mended itself. */
	private static void reset(Tab tab) {
		tab.evaluate("""
				delete window.mended;
				void document.querySelector("[data-live]")
					.addEventListener("live:mended", () => (window.mended = true), { once: true })""");
		Visitor somebody = Visitor.registered(site);
		List.of(true, false).forEach((suspended) -> suspend(somebody, suspended));
		tab.await(COMES_BACK).that("mended", (page) -> Boolean.TRUE.equals(page.evaluate("window.mended")));
	}

	private List<String> reply(String post, int number) {
		List<String> replies = new ArrayList<>();
		for (int i = 0; i < number; i++) {
			replies.add(this.alice.postJson("body", "reply", "once", UUID.randomUUID().toString(), "reply_to", post)
				.json()
				.at("/posts/0/id")
				.asString());
		}
		return replies;
	}

	private List<String> post(int number, String text) {
		List<String> posts = new ArrayList<>();
		for (int i = 0; i < number; i++) {
			posts.add(this.alice.post(text + " " + i));
		}
		return posts;
	}

	private static List<String> articles(Tab tab) {
		return ((List<?>) Objects.requireNonNull(
				tab.evaluate("[...document.querySelectorAll('article')].map((article) => article.dataset.postId)")))
			.stream()
			.map(String::valueOf)
			.toList();
	}

	private static List<String> reversed(List<String> list) {
		List<String> reversed = new ArrayList<>(list);
		Collections.reverse(reversed);
		return reversed;
	}

	private static List<String> without(List<String> list, String... gone) {
		List<String> left = new ArrayList<>(list);
		left.removeAll(List.of(gone));
		return left;
	}

	/** After a focus change a browser may still be scrolling to the field. */
	private static void scrollTo(Tab tab, int place) {
		Awaitility.await().atMost(Duration.ofSeconds(10)).during(Duration.ofMillis(500)).until(() -> {
			boolean there = String.valueOf(place).equals(tab.evaluate("String(scrollY)"));
			if (!there) {
				tab.evaluate("scrollTo({ top: " + place + ", behavior: 'instant' })");
			}
			return there;
		});
	}

	/** Browsers round the scroll position when a page becomes longer. */
	private static void assertSamePlace(@Nullable Object before, @Nullable Object after) {
		JsonNode was = JsonMapper.shared().readTree(String.valueOf(before));
		JsonNode is = JsonMapper.shared().readTree(String.valueOf(after));
		for (int i = 0; i < was.size(); i++) {
			if (was.get(i).isNumber()) {
				assertThat(is.get(i).asDouble()).as("%s of %s", i, is).isCloseTo(was.get(i).asDouble(), within(2.0));
			}
			else {
				assertThat(is.get(i)).isEqualTo(was.get(i));
			}
		}
	}

}
