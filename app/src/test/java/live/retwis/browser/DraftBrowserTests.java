package live.retwis.browser;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;

import static org.assertj.core.api.Assertions.assertThat;

/** What was typed and not sent belongs to one user, who may share the tab with others. */
class DraftBrowserTests {

	private static final String DRAFTS = "Object.keys(sessionStorage).filter((key) => key.startsWith('draft')).length";

	private final Site site = Site.shared();

	@BrowserTest
	void aDraftIsForgottenWhenItsWriterLogsOut(Browser browser) {
		Tab tab = SiteUser.register(browser.newTab(), this.site.url("/")).tab();
		tab.fill("#compose-body", "a secret");
		assertThat(tab.evaluate(DRAFTS)).isEqualTo(1L);
		tab.clickAndLoad("button[formaction='/logout']");
		assertThat(tab.evaluate(DRAFTS)).isEqualTo(0L);
	}

	@BrowserTest
	void theNextUserOfATabDoesNotSeeTheDraft(Browser browser) {
		SiteUser alice = SiteUser.register(browser.newTab(), this.site.url("/"));
		alice.tab().fill("#compose-body", "a secret");
		Visitor elsewhere = Visitor.signedIn(this.site, alice.name());
		elsewhere.get("/home");
		elsewhere.submit("/logout");
		SiteUser bob = SiteUser.register(alice.tab(), this.site.url("/"));
		assertThat(bob.tab().value("#compose-body")).isEmpty();
	}

}
