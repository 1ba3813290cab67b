package live.retwis.browser;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.locks.nodes.proxy.FaultHandle;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.testing.Nginx;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pages whose streams end in all possible ways.
 */
class ReconnectBrowserTests {

	private static final Duration COMES_BACK = Duration.ofSeconds(20);

	private static final String OPEN = "[data-live-state='open']";

	/** Stores each text of the live indicator, and the time when the stream was lost. */
	private static final String WATCH = """
			window.marks = [];
			new MutationObserver(() => marks.push(document.querySelector(".live-mark").textContent))
				.observe(document.querySelector(".live-mark"), { childList: true });
			new MutationObserver(() => {
				if (document.querySelector("[data-live]").dataset.liveState !== "open") window.lost ??= Date.now();
			}).observe(document.querySelector("[data-live]"), { attributes: true })""";

	/**
	 * Streams that say what the test says, and a clock that goes on when the test says
	 * so.
	 */
	private static final String BY_HAND = """
			() => {
				window.opened = [];
				window.EventSource = class extends EventTarget {
					static OPEN = 1;
					static CLOSED = 2;
					readyState = 0;
					constructor() {
						super();
						opened.push(this);
					}
					close() {
						this.readyState = 2;
					}
				};
				const ticks = new Map();
				let ahead = 0;
				window.setInterval = (tick) => ticks.set(ticks.size + 1, tick).size;
				window.clearInterval = (id) => ticks.set(id, () => {});
				Date.now = ((now) => () => now() + ahead)(Date.now);
				window.pass = (seconds, before = () => {}) => {
					ahead += seconds * 1_000;
					before();
					ticks.forEach((tick) => tick());
					return opened.length;
				};
			}""";

	/** The streams of this instance end at the next tick. */
	@SuppressWarnings("NullAway.Init")
	private static Site restless;

	private final Site site = Site.shared();

	private final Visitor alice = Visitor.registered(this.site);

	private final String page = "/@" + this.alice.name();

	private final Visitor author = Visitor.registered(this.site);

	private final String post = this.author.post("to be liked");

	@BeforeAll
	static void start() {
		restless = Site.another("--retwis.live.life=500ms");
	}

	@AfterAll
	static void stop() {
		restless.close();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void anEndedStreamContinuesAndTheReaderNoticesNothing(Browser browser) {
		Tab tab = browser.newTab();
		tab.open(restless.url(this.page));
		tab.await().count(OPEN, 1);
		tab.evaluate(WATCH);
		long before = opened(restless);
		List<String> posts = new ArrayList<>();
		while (opened(restless) < before + 2) {
			String post = this.alice.post("post " + posts.size());
			posts.add(0, post);
			tab.await().count(SiteUser.article(post), 1);
		}
		assertThat(articles(tab)).isEqualTo(posts);
		assertThat(tab.evaluate("marks.every((mark) => mark === 'Live')")).as("the reader notices nothing")
			.isEqualTo(true);
	}

	@BrowserTest
	@Tag("slow")
	void aScriptThatFailedToLoadIsLoadedAgain(Browser browser) {
		Tab tab = browser.newTab();
		String script = this.site
			.url(this.alice.get(this.page).find("\"(/assets/[0-9a-f]+.en/)site.css\"") + "site.js");
		tab.failLoads(script);
		tab.open(this.site.url(this.page));
		tab.await().count(OPEN, 1);
		assertThat(tab.toString()).contains(script + ": ");
		String post = this.alice.post("live all the same");
		tab.await().count(SiteUser.article(post), 1);
	}

	/** Number of streams that were opened with a position. */
	private static long opened(Site site) {
		return site.bean(MeterRegistry.class).summary("retwis.live.replays").count();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aStreamContinuesAfterA502AndThePageReportsItOnlyAfterAWhile(Browser browser) {
		Nginx.assumeInstalled();
		this.alice.post("on the page");
		try (FaultProxy server = FaultProxy.ofBytes("127.0.0.1", this.site.port());
				Nginx nginx = Nginx.before(server.port())) {
			Tab tab = browser.newTab();
			tab.open(nginx.url(this.page));
			tab.await().count(OPEN, 1);
			tab.evaluate(WATCH);
			String missed;
			try (FaultHandle cut = server.cut()) {
				missed = this.alice.post("missed");
				tab.await(COMES_BACK).text(".live-mark", "Reconnecting…");
				assertThat(tab.evaluate("Date.now() - lost >= 3900")).as("not at once").isEqualTo(true);
				assertThat(tab.evaluate("fetch('/').then((answer) => answer.status)")).isEqualTo(502L);
			}
			tab.await(COMES_BACK).count(SiteUser.article(missed), 1);
			tab.await().text(".live-mark", "Live");
			assertThat(tab.count("article")).isEqualTo(2);
		}
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void eventsThatASleepingComputerMissedArriveWhenItWakes(Browser browser) {
		try (FaultProxy network = FaultProxy.ofBytes("127.0.0.1", this.site.port())) {
			Tab tab = browser.newTab();
			tab.open("http://127.0.0.1:" + network.port() + this.page);
			tab.await().count(OPEN, 1);
			List<String> posts = new ArrayList<>();
			try (FaultHandle asleep = browser.sleep()) {
				posts.add(0, this.alice.post("the connection stands still"));
				try (FaultHandle away = network.cut()) {
					posts.add(0, this.alice.post("the connection is gone"));
				}
				posts.add(0, this.alice.post("nobody listens"));
			}
			tab.await(COMES_BACK).count("article", 3);
			assertThat(articles(tab)).isEqualTo(posts);
		}
	}

	/**
	 * While a computer sleeps its timers stop, and a connection can break without notice.
	 */
	@BrowserTest(BrowserKind.CHROMIUM)
	void afterAJumpOfTheClockTheStreamIsOpenedAgain(Browser browser) {
		Tab tab = browser.newTab();
		tab.open(this.site.url(this.page));
		tab.await().count(OPEN, 1);
		long before = opened(this.site);
		tab.evaluate("void (Date.now = ((now) => () => now() + 30_000)(Date.now))");
		Awaitility.await("another stream").atMost(COMES_BACK).until(() -> opened(this.site) > before);
		tab.await().count(OPEN, 1);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aConnectionThatIsNeverAnsweredIsGivenUp(Browser browser) {
		Tab tab = streamsByHand(browser);
		for (int seconds = 10; seconds <= 40; seconds += 10) {
			assertThat(tab.evaluate("pass(10)")).as("after %s seconds", seconds).isEqualTo(1L);
		}
		assertThat(tab.evaluate("pass(10)")).isEqualTo(2L);
		assertThat(tab.evaluate("opened[0].readyState")).as("closed").isEqualTo(2L);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aHiddenPageWhoseTimersAreSlowKeepsItsStream(Browser browser) {
		Tab tab = streamsByHand(browser);
		tab.evaluate("""
				void Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
				window.heartbeat = () => {
					opened[0].readyState = 1;
					opened[0].dispatchEvent(new MessageEvent("position"));
				};
				void 0""");
		assertThat(tab.evaluate("pass(60, heartbeat)")).as("a slow timer").isEqualTo(1L);
		assertThat(tab.evaluate("pass(600, heartbeat)")).as("after a sleep").isEqualTo(2L);
	}

	private Tab streamsByHand(Browser browser) {
		Tab tab = browser.newTab();
		tab.beforeScripts(BY_HAND);
		tab.open(this.site.url(this.page));
		tab.await().that("a stream", (page) -> Long.valueOf(1).equals(page.evaluate("opened.length")));
		return tab;
	}

	private static List<String> articles(Tab tab) {
		return ((List<?>) Objects.requireNonNull(
				tab.evaluate("[...document.querySelectorAll('article')].map((article) => article.dataset.postId)")))
			.stream()
			.map(String::valueOf)
			.toList();
	}

	private Tab reader(Browser browser) {
		SiteUser reader = SiteUser.register(browser.newTab(), this.site.url("/"));
		reader.tab().open(this.site.url("/@" + this.author.name()));
		reader.awaitLive();
		return reader.tab();
	}

	/** Says nothing before one and a half heartbeats, which are 22.5 s. */
	private static void saysThatItIsNotLive(Tab tab, String mark, String live) {
		tab.evaluate("""
				window.marks = [];
				new MutationObserver(() => {
					const mark = document.querySelector("%s")?.textContent ?? "";
					if (mark !== (marks.at(-1) ?? "%s")) marks.push(mark);
				}).observe(document.body, { childList: true, subtree: true });
				window.clock = Date.now();
				Date.now = () => {
					window.looks++;
					return clock;
				};
				void 0""".formatted(mark, live));
		String away = "Reconnecting…," + live;
		tab.evaluate("void dispatchEvent(new Event('offline'))");
		tab.await().that(away, (page) -> away.equals(page.evaluate("marks.join()")));
		for (int silence = 10; silence <= 20; silence += 10) {
			tab.evaluate("window.looks = 0; clock += 10_000; void 0");
			tab.await().that("a look at the clock", (page) -> Boolean.TRUE.equals(page.evaluate("looks > 0")));
			assertThat(tab.evaluate("marks.join()")).as("silent for %d s", silence).isEqualTo(away);
		}
		tab.evaluate("clock += 3_000; void 0");
		tab.await().that(away, (page) -> (away + "," + away).equals(page.evaluate("marks.join()")));
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aPageWhoseStreamIsSilentOrOfflineSaysSoAndComesBack(Browser browser) {
		Tab reader = reader(browser);
		saysThatItIsNotLive(reader, ".live-mark", "Live");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aPageWithoutALiveListWhoseStreamIsSilentOrOfflineSaysSoAndComesBack(Browser browser) {
		Tab reader = reader(browser);
		for (String page : new String[] { "/posts/" + this.post + "/likes", "/settings" }) {
			reader.open(this.site.url(page));
			saysThatItIsNotLive(reader, ".not-live", "");
		}
	}

}
