package live.retwis.browser;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Everything works without JavaScript.
 */
class NoScriptBrowserTests {

	private final Site site = Site.shared();

	@BrowserTest
	@Tag("slow")
	void aReaderWithoutScriptsRegistersPostsFollowsRepliesDeletesAndLogsOut(Browser browser) {
		Visitor alice = Visitor.registered(this.site);
		String hello = alice.post("Hello from Alice");
		Tab tab = browser.newTab(TabOptions.desktop().withoutJavaScript());
		SiteUser bob = SiteUser.register(tab, this.site.url("/"));
		assertThat(tab.text("noscript")).contains("Reload the page");
		assertThat(tab.count(".live-mark")).isZero();

		bob.post("My first post");
		assertThat(tab.texts("article .post-body")).containsExactly("My first post");
		assertThat(tab.url()).endsWith("/home");

		tab.open(this.site.url("/@" + alice.name()));
		tab.clickAndLoad("button[formaction$='/follow']");
		assertThat(tab.text("button[formaction$='/unfollow']")).isEqualTo("Unfollow");
		tab.open(this.site.url("/home"));
		tab.await().that("Alice's post after a reload", (page) -> {
			page.reload();
			return page.count(SiteUser.article(hello)) == 1;
		});
		alice.post("News from Alice");
		tab.await().that("the news after a reload", (page) -> {
			page.reload();
			return page.texts("article .post-body").contains("News from Alice");
		});

		tab.clickAndLoad(SiteUser.article(hello) + " footer a");
		assertThat(tab.url()).endsWith("/posts/" + hello + "#reply");
		bob.post("My reply");
		assertThat(tab.url()).contains("/posts/" + hello);
		assertThat(tab.texts("section.feed article .post-body")).containsExactly("My reply");

		tab.clickAndLoad("section.feed article a.when");
		tab.clickAndLoad(".post-actions button.danger");
		tab.open(this.site.url("/posts/" + hello));
		assertThat(tab.count("section.feed article")).isZero();

		tab.clickAndLoad("button[formaction='/logout']");
		assertThat(tab.text("h1")).contains("Short posts");
		tab.open(this.site.url("/home"));
		assertThat(tab.url()).contains("/login");
	}

	@BrowserTest
	@Tag("slow")
	void aWrongFormShowsTheInputAgain(Browser browser) {
		Tab tab = browser.newTab(TabOptions.phone().withoutJavaScript());
		tab.open(this.site.url("/register"));
		tab.fill("#register-username", "no spaces please");
		tab.fill("#register-password", Visitor.PASSWORD);
		tab.fill("#register-password2", "another password");
		tab.clickAndLoad("form[action='/register'] button");
		assertThat(tab.value("#register-username")).isEqualTo("no spaces please");
		assertThat(tab.value("#register-password")).isEmpty();
		assertThat(tab.text("#register-username-help")).isNotEmpty();
		assertThat(tab.attribute("#register-username", "aria-invalid")).isEqualTo("true");
		assertThat(tab.text("#register-password2-error")).isNotEmpty();
	}

}
