package live.retwis.browser;

import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static live.retwis.browser.SentTexts.ANSWERS;
import static live.retwis.browser.SentTexts.HELD;
import static live.retwis.browser.SentTexts.SEND;
import static live.retwis.browser.SentTexts.send;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A text on the page that gives it back, because its session has ended. The same text
 * still waits in the browser.
 */
class ReturnedTextBrowserTests {

	private static final String LOGOUT = "button[formaction='/logout']";

	private static final String WAITING = """
			Object.keys(sessionStorage).filter((key) => key.includes(":waiting"))
				.flatMap((key) => JSON.parse(sessionStorage.getItem(key)).map(({ body }) => body)).join()""";

	private final Site site = Site.shared();

	/**
	 * Sends a text from a page whose session has ended meanwhile: the answer is a page
	 * with the text that asks for a log-in.
	 */
	private static SiteUser sentAfterItsSessionEnded(Browser browser, Site site, String text) {
		SiteUser user = SiteUser.register(browser.newTab(), site.url("/"));
		user.awaitLive();
		Visitor elsewhere = Visitor.signedIn(site, user.name());
		elsewhere.get("/home");
		elsewhere.submit("/logout");
		user.tab().fill("#compose-body", text);
		user.tab().clickAndLoad(SEND);
		return user;
	}

	private static void logInAndSend(Tab tab, String name) {
		tab.fill("form.compose [name=username]", name);
		tab.fill("form.compose [name=password]", Visitor.PASSWORD);
		tab.clickAndLoad(SEND);
	}

	/** When nothing waits any more, this is the only post on the page. */
	private static void assertOnlyPost(Tab tab, String text) {
		tab.await().count("[data-live-state='open']", 1);
		tab.await().that("nothing waits", (page) -> Objects.equals(page.evaluate(WAITING), ""));
		tab.reload();
		assertThat(tab.texts("article.post .post-body")).containsExactly(text);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextThatIsChangedThereIsPostedOnce(Browser browser) {
		SiteUser user = sentAfterItsSessionEnded(browser, this.site, "helo");
		Tab tab = user.tab();
		tab.fill("#compose-body", "hello");
		logInAndSend(tab, user.name());
		assertOnlyPost(tab, "hello");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextThatAnotherUserTypesThereIsPostedByNobodyElseAndOnlyWhenAskedFor(Browser browser) {
		SiteUser first = sentAfterItsSessionEnded(browser, this.site, "by the first");
		Tab tab = first.tab();
		tab.fill("#compose-body", "by the second");
		Visitor second = Visitor.registered(this.site);
		logInAndSend(tab, second.name());
		assertThat(tab.text("form.compose .error")).contains("You are @" + second.name() + " now.");
		tab.clickAndLoad(SEND);
		assertThat(tab.texts("article.post .post-body")).containsExactly("by the second");
		tab.clickAndLoad(LOGOUT);
		SiteUser.login(tab, this.site.url("/"), first.name());
		assertOnlyPost(tab, "by the first");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aChangedTextIsPostedOnceAlthoughTheNameWasWrongAtFirst(Browser browser) {
		SiteUser user = sentAfterItsSessionEnded(browser, this.site, "helo");
		Tab tab = user.tab();
		tab.fill("#compose-body", "hello");
		logInAndSend(tab, Visitor.freshName());
		logInAndSend(tab, user.name().toUpperCase(Locale.ROOT) + " ");
		assertOnlyPost(tab, "hello");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theBrowserAsksBeforeItPublishesACorrectedTextBesideTheFirst(Browser browser) {
		SiteUser user = sentAfterItsSessionEnded(browser, this.site, "helo");
		Tab tab = user.tab();
		Visitor elsewhere = Visitor.signedIn(this.site, user.name());
		elsewhere.get("/home");
		elsewhere.submit("/posts", "body", "helo", "once", tab.value("form.compose [name=once]"));
		tab.fill("#compose-body", "hello");
		logInAndSend(tab, user.name());
		assertThat(tab.text("form.compose .error")).contains("already been sent with another text");
		assertThat(elsewhere.get("/home").texts()).containsExactly("helo");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextThatIsCorrectedWhileItsWriterHasPostedTooMuchWaitsOnce(Browser browser) {
		try (Site limited = Site.another("--retwis.limits.enabled=true", "--retwis.limits.posts=4/1h")) {
			SiteUser user = sentAfterItsSessionEnded(browser, limited, "helo");
			Tab tab = user.tab();
			Visitor elsewhere = Visitor.signedIn(limited, user.name());
			elsewhere.get("/home");
			assertThat(Stream.generate(() -> elsewhere.submit("/posts", "body", "one more").status()).limit(5))
				.contains(429);
			logInAndSend(tab, user.name());
			assertThat(tab.text("form.compose .error")).contains("You can go on in");
			tab.fill("#compose-body", "hello");
			tab.clickAndLoad(SEND);
			assertThat(tab.evaluate(WAITING)).isEqualTo("hello");
		}
	}

	private Tab home(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		user.awaitLive();
		return user.tab();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextBegunMeanwhileIsThereAfterTheUserHasLoggedInAgain(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWERS.formatted("new Promise((answer) => { window.release = answer; })"));
		send(tab, "the first thought");
		tab.fill("#compose-body", "the second thought");
		tab.evaluate("void release(new Response('', { status: 401 }))");
		tab.await().text("article.post .post-body", "the first thought");
		tab.await().that("the second thought", (page) -> page.value("#compose-body").equals("the second thought"));
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void bothTextsThatWaitedArePostedAfterTheUserHasLoggedInAgain(Browser browser) {
		Tab tab = home(browser);
		tab.evaluate(ANSWERS.formatted(HELD));
		send(tab, "the first");
		send(tab, "the second");
		tab.evaluate("void [one, two].forEach((answer) => answer(new Response('', { status: 401 })))");
		tab.await().text("article.post .post-body", "the first");
		tab.await().count("article.post", 2);
		assertThat(tab.texts("article.post .post-body")).containsExactlyInAnyOrder("the first", "the second");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void bothTextsThatWaitedArePostedAfterTheUserHasLoggedInAgainInAnotherTab(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		user.awaitLive();
		Tab tab = user.tab();
		tab.evaluate(ANSWERS.formatted(HELD));
		send(tab, "the first");
		send(tab, "the second");
		Tab other = tab.window();
		other.open(this.site.url("/home"));
		other.clickAndLoad("button[formaction='/logout']");
		SiteUser.login(other, this.site.url("/"), user.name());
		tab.evaluate("void [one, two].forEach((answer) => answer(undefined))");
		tab.await().text(".failure", "You have logged in or out since this page was opened.");
		tab.clickAndLoad(".failure form button");
		tab.await().url("/home");
		tab.await().count("article.post", 2);
		assertThat(tab.texts("article.post .post-body")).containsExactlyInAnyOrder("the first", "the second");
	}

}
