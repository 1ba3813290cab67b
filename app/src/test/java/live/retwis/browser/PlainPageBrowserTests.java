package live.retwis.browser;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/** Pages whose list is not live. */
class PlainPageBrowserTests {

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final String post = this.author.post("to be liked");

	private final String article = SiteUser.article(this.post);

	@BrowserTest
	@Tag("slow")
	void countsChangeOnPagesWhoseListIsNotLive(Browser browser) {
		Tab reader = SiteUser.register(browser.newTab(), this.site.url("/")).tab();
		reader.open(this.site.url("/posts/" + this.post));
		reader.clickAndLoad("button[formaction='/posts/" + this.post + "/bookmark']");
		int likes = 0;
		for (String path : new String[] { "/bookmarks", "/posts/" + this.post + "/likes" }) {
			reader.open(this.site.url(path));
			Visitor fan = Visitor.registered(this.site);
			fan.get("/posts/" + this.post);
			fan.submit("/posts/" + this.post + "/like");
			likes++;
			reader.await().count(this.article + " button.like[data-count='" + likes + "']", 1);
		}
		this.author.get("/posts/" + this.post);
		this.author.submit("/posts/" + this.post + "/delete");
		reader.await().count(this.article, 0);
	}

	@BrowserTest
	@Tag("slow")
	void aPostThatIsDeletedBeforeThePageOpensItsStreamLeavesThePage(Browser browser) {
		Tab likes = browser.newTab();
		likes.beforeScripts("""
				() => {
					let state = "hidden";
					Object.defineProperty(document, "visibilityState", { get: () => state });
					window.turnToPage = () => {
						state = "visible";
						document.dispatchEvent(new Event("visibilitychange"));
					};
				}""");
		likes.open(this.site.url("/posts/" + this.post + "/likes"));
		assertThat(likes.count(this.article)).isOne();
		this.author.get("/posts/" + this.post);
		this.author.submit("/posts/" + this.post + "/delete");
		likes.evaluate("turnToPage()");
		likes.await().count(this.article, 0);
	}

}
