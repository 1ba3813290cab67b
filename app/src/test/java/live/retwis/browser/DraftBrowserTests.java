package live.retwis.browser;

import java.util.List;

import live.retwis.browser.Input.Key;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/** What was typed and not sent belongs to one user, who may share the tab with others. */
class DraftBrowserTests {

	private static final String DRAFTS = "Object.keys(sessionStorage).filter((key) => key.startsWith('draft')).length";

	/** Types into the form as soon as the page has it, once. */
	private static final String TYPED_EARLY = """
			() => new MutationObserver(() => {
				const text = document.querySelector("#compose-body");
				if (!text || sessionStorage.getItem("typed")) return;
				sessionStorage.setItem("typed", "yes");
				text.value = "typed early";
			}).observe(document, { childList: true, subtree: true })""";

	private final Site site = Site.shared();

	@BrowserTest
	@Tag("slow")
	void aDraftIsForgottenWhenItsWriterLogsOut(Browser browser) {
		Tab tab = SiteUser.register(browser.newTab(), this.site.url("/")).tab();
		tab.fill("#compose-body", "a secret");
		assertThat(tab.evaluate(DRAFTS)).isEqualTo(1L);
		tab.clickAndLoad("button[formaction='/logout']");
		assertThat(tab.evaluate(DRAFTS)).isEqualTo(0L);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aDraftStaysWhenTheLogOutIsRefused(Browser browser) {
		Tab tab = SiteUser.register(browser.newTab(), this.site.url("/")).tab();
		tab.fill("#compose-body", "a long text");
		tab.evaluate("void (document.querySelector('#act [name=_csrf]').value = 'outdated')");
		tab.clickAndLoad("button[formaction='/logout']");
		assertThat(tab.count("main .alert, .failure-status")).isOne();
		tab.open(this.site.url("/home"));
		tab.await().that("the draft", (page) -> page.value("#compose-body").equals("a long text"));
		tab.clickAndLoad("button[formaction='/logout']");
		assertThat(tab.evaluate(DRAFTS)).isEqualTo(0L);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void eachFormKeepsItsOwnText(Browser browser) {
		Tab tab = SiteUser.register(browser.newTab(), this.site.url("/")).tab();
		String path = "/posts/" + Visitor.registered(this.site).post("to reply to");
		tab.evaluate("void document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }))");
		assertThat(tab.evaluate("document.activeElement.id")).as("n goes to the form").isEqualTo("compose-body");
		tab.fill("#compose-body", "a post");
		tab.open(this.site.url(path));
		assertThat(tab.value("#compose-body")).isEmpty();
		tab.fill("#compose-body", "a reply");
		tab.open(this.site.url("/home"));
		tab.await().that("the post", (page) -> page.value("#compose-body").equals("a post"));
		tab.open(this.site.url(path));
		tab.await().that("the reply", (page) -> page.value("#compose-body").equals("a reply"));
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void whatWasTypedBeforeThePageHadItsScriptsIsKept(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		user.tab().beforeScripts(TYPED_EARLY);
		user.tab().open(this.site.url("/home"));
		user.awaitLive();
		user.tab().open(this.site.url("/timeline"));
		user.tab().open(this.site.url("/home"));
		user.tab().await().that("the draft", (tab) -> tab.value("#compose-body").equals("typed early"));
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void whatWasTypedBeforeThePageHadItsScriptsStandsBelowWhatWasKept(Browser browser) {
		String both = "first, not typed early\n\ntyped early";
		Tab tab = SiteUser.register(browser.newTab(), this.site.url("/")).tab();
		tab.fill("#compose-body", "first, not typed early");
		tab.open(this.site.url("/timeline"));
		tab.beforeScripts(TYPED_EARLY);
		tab.open(this.site.url("/home"));
		tab.await().that("both", (page) -> page.value("#compose-body").equals(both));
		tab.open(this.site.url("/timeline"));
		tab.open(this.site.url("/home"));
		tab.await().that("both once", (page) -> page.value("#compose-body").equals(both));
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theNextUserOfATabDoesNotSeeTheDraft(Browser browser) {
		SiteUser alice = SiteUser.register(browser.newTab(), this.site.url("/"));
		alice.tab().fill("#compose-body", "a secret");
		Visitor elsewhere = Visitor.signedIn(this.site, alice.name());
		elsewhere.get("/home");
		elsewhere.submit("/logout");
		SiteUser bob = SiteUser.register(alice.tab(), this.site.url("/"));
		assertThat(bob.tab().value("#compose-body")).isEmpty();
	}

	@BrowserTest
	@Tag("slow")
	void aPageIsLiveAndPostsAlthoughTheBrowserKeepsNothing(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		user.tab()
			.beforeScripts(
					"""
							() => {
								const none = () => { throw new DOMException("none", "SecurityError"); };
								for (const name of ["sessionStorage", "localStorage"]) Object.defineProperty(window, name, { get: none });
								window.BroadcastChannel = function () { none(); };
							}""");
		user.tab().open(this.site.url("/home"));
		user.awaitLive();
		user.tab().fill("#compose-body", "not kept");
		user.tab().click("form.compose button.primary");
		user.tab().await().text("article.post .post-body", "not kept");
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theFormHasTheNewestTextOnTheWayBack(Browser browser) {
		Tab tab = SiteUser.register(browser.newTab(), this.site.url("/")).tab();
		tab.open(this.site.url("/home"));
		tab.fill("#compose-body", "one");
		tab.open(this.site.url("/timeline"));
		tab.open(this.site.url("/home"));
		tab.await().that("the draft", (page) -> page.value("#compose-body").equals("one"));
		tab.fill("#compose-body", "one two three");
		tab.go(-1);
		tab.go(-1);
		tab.await().that("the newest text", (page) -> page.value("#compose-body").equals("one two three"));
		tab.open(this.site.url("/home"));
		tab.await().that("the same draft", (page) -> page.value("#compose-body").equals("one two three"));
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aTextThatWasPostedIsNotInTheFormAgainOnTheWayBack(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = user.tab();
		tab.open(this.site.url("/home"));
		tab.fill("#compose-body", "hello");
		tab.open(this.site.url("/timeline"));
		tab.open(this.site.url("/home"));
		user.awaitLive();
		tab.click("form.compose button.primary");
		tab.await().text("article.post .post-body", "hello");
		tab.go(-1);
		tab.go(-1);
		user.awaitLive();
		assertThat(tab.value("#compose-body")).isEmpty();
		assertThat(tab.evaluate(DRAFTS)).isEqualTo(0L);
	}

	/** As when the browser has kept the page, and the reader comes back to it. */
	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aReplyInPlaceHasTheNewestTextOnTheWayBack(Browser browser) {
		Tab tab = SiteUser.register(browser.newTab(), this.site.url("/")).tab();
		String article = SiteUser.article(Visitor.registered(this.site).post("to reply to"));
		tab.open(this.site.url("/timeline"));
		tab.click(article + " a.reply");
		tab.fill(article + " textarea", "one");
		tab.evaluate("""
				dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
				sessionStorage.setItem(Object.keys(sessionStorage).find((key) => key.startsWith("draft")), "one two");
				void dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))""");
		assertThat(tab.value(article + " textarea")).isEqualTo("one two");
	}

	@BrowserTest
	@Tag("slow")
	void whatWasTypedSurvivesAChangeOfPage(Browser browser) {
		Tab tab = SiteUser.register(browser.newTab(), this.site.url("/")).tab();
		tab.fill("#compose-body", "not sent yet");
		tab.open(this.site.url("/timeline"));
		tab.open(this.site.url("/home"));
		tab.await().that("the draft", (now) -> now.value("#compose-body").equals("not sent yet"));
		tab.await().count("[data-live-state='open']", 1);
		tab.click("form.compose button.primary");
		tab.await().text("article .post-body", "not sent yet");
		tab.await().count(".outgoing", 0);
		tab.reload();
		assertThat(tab.value("#compose-body")).isEmpty();
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void theFormHasTheNewestTextOnTheWayBackAlsoWhenTheScriptComesLate(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = user.tab();
		tab.open(this.site.url("/home"));
		tab.fill("#compose-body", "abc");
		tab.open(this.site.url("/timeline"));
		tab.open(this.site.url("/home"));
		tab.await().that("the draft", (page) -> page.value("#compose-body").equals("abc"));
		tab.fill("#compose-body", "abc def");
		String script = script(user);
		// With this the browser does not keep the page.
		tab.beforeScripts("() => addEventListener('unload', () => {})");
		tab.failLoads(this.site.url(script));
		tab.go(-1);
		tab.go(-1);
		user.awaitLive();
		assertThat(tab.toString()).contains(script + ": ");
		assertThat(tab.value("#compose-body")).isEqualTo("abc def");
	}

	/** The script of each page comes when the test lets it. */
	private void holdScript(SiteUser user) {
		user.tab().failLoads(this.site.url(script(user)));
		user.tab().beforeScripts("""
				() => {
					const { setTimeout } = window;
					window.setTimeout = (task) => {
						window.again = () => task(window.setTimeout = setTimeout);
					};
				}""");
	}

	private String script(SiteUser user) {
		return Visitor.signedIn(this.site, user.name()).get("/home").find("\"(/assets/[0-9a-f]+.en/)site.css\"")
				+ "site.js";
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void whatWasTypedIntoAReloadedPageBeforeItHadItsScriptStandsBelowWhatWasKept(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		Tab tab = user.tab();
		holdScript(user);
		for (String kept : List.of("", "kept\n\n")) {
			tab.reload();
			tab.fill("#compose-body", "precious");
			tab.press(Key.TAB);
			tab.evaluate("void again()");
			user.awaitLive();
			assertThat(tab.value("#compose-body")).isEqualTo(kept + "precious");
			tab.fill("#compose-body", "kept");
		}
	}

	/** Firefox puts nothing back into the field. */
	@BrowserTest(BrowserKind.CHROMIUM)
	@Tag("slow")
	@Tag("long")
	void aTextThatTheBrowserHasNoRoomToKeepIsThereOnTheWayBack(Browser browser) {
		SiteUser user = SiteUser.register(browser.newTab(), this.site.url("/"));
		// With this the browser does not keep the page.
		user.tab().beforeScripts("() => addEventListener('unload', () => {})");
		user.tab().open(this.site.url("/home"));
		user.awaitLive();
		user.tab().evaluate("""
				(() => {
					for (let size = 2 ** 23; size >= 1; size /= 2) {
						try {
							sessionStorage.setItem(`full${size}`, "x".repeat(size));
						} catch {}
					}
				})()""");
		user.tab().fill("#compose-body", "precious");
		user.tab().open(this.site.url("/timeline"));
		user.tab().go(-1);
		user.awaitLive();
		assertThat(user.tab().value("#compose-body")).isEqualTo("precious");
	}

}
