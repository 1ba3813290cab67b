package live.retwis.web;

import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import org.springframework.web.util.HtmlUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What public pages tell other sites about themselves (Open Graph).
 */
class OpenGraphCardTests {

	private final Site site = Site.shared();

	private final Visitor ada = Visitor.registered(this.site);

	private final Visitor stranger = Visitor.of(this.site);

	private static String property(Answer page, String name) {
		return HtmlUtils.htmlUnescape(page.find("<meta property=\"og:" + name + "\" content=\"([^\"]*)\">"));
	}

	@Test
	void aPostTellsItsText() {
		String id = this.ada.post("<b>\"one\"\n& two");
		Answer page = this.stranger.get("/posts/" + id);
		assertThat(property(page, "description")).isEqualTo("<b>\"one\" & two");
		assertThat(property(page, "title")).contains(this.ada.name());
		assertThat(property(page, "type")).isEqualTo("article");
		assertThat(property(page, "url")).isEqualTo(this.site.url("/posts/" + id));
	}

	@Test
	void ofALongTextOnlyTheBeginningIsTold() {
		String id = this.ada.post("😀".repeat(280));
		assertThat(property(this.stranger.get("/posts/" + id), "description")).isEqualTo("😀".repeat(199) + "…");
	}

	@Test
	void aProfileTellsWhatTheUserSaysAboutThemselves() {
		this.ada.get("/settings");
		this.ada.submit("/settings/profile", "name", "Ada", "bio", "");
		Answer before = this.stranger.get("/@" + this.ada.name());
		assertThat(property(before, "description")).isEqualTo("Ada");
		assertThat(property(before, "type")).isEqualTo("profile");
		this.ada.get("/settings");
		this.ada.submit("/settings/profile", "name", "Ada", "bio", "Engines & looms");
		assertThat(property(this.stranger.get("/@" + this.ada.name()), "description")).isEqualTo("Engines & looms");
	}

	@Test
	void aTagTellsItsNameInTheLanguageOfThePage() {
		assertThat(property(this.stranger.get("/tags/engine"), "title")).isEqualTo("#engine");
		assertThat(property(this.stranger.get("/tags/engine"), "description")).isEqualTo("Posts with this tag");
		assertThat(property(this.stranger.get("/tags/engine?lang=zh"), "description")).doesNotContain("Posts");
	}

	@Test
	void thePublicTimelineAndTheFirstPageTellWhatTheSiteIs() {
		for (String path : new String[] { "/", "/timeline" }) {
			Answer page = this.stranger.get(path);
			assertThat(property(page, "type")).as(path).isEqualTo("website");
			assertThat(property(page, "description")).as(path).startsWith("Follow people and watch");
		}
	}

	@Test
	void pagesForEverybodyTellTheirTitlesAndWhatTheyAreAbout() {
		try (Site teaching = Site.another("--retwis.lab.enabled=true")) {
			for (String path : new String[] { "/learn", "/learn/strings", "/learn/timelines", "/lab", "/lab/course",
					"/lab/course/contention", "/lab/scenarios/1", "/lab/design", "/how-live", "/search" }) {
				Answer page = Visitor.of(teaching).get(path);
				assertThat(property(page, "title")).as(path).isNotBlank();
				assertThat(property(page, "description")).as(path)
					.isNotBlank()
					.doesNotStartWith("Follow people and watch");
			}
		}
	}

	@Test
	void pagesOfUsersBesideTheirProfilesTellWhatTheSiteIs() {
		String id = this.ada.post("liked by nobody");
		for (String path : new String[] { "/@" + this.ada.name() + "/followers", "/@" + this.ada.name() + "/following",
				"/@" + this.ada.name() + "/on-this-day", "/posts/" + id + "/likes" }) {
			Answer page = this.stranger.get(path);
			assertThat(property(page, "title")).as(path).contains(this.ada.name());
			assertThat(property(page, "description")).as(path).startsWith("Follow people and watch");
		}
	}

	@Test
	void aChapterTellsWhatItIsAboutInTheLanguageOfThePage() {
		String english = property(this.stranger.get("/learn/strings"), "description");
		assertThat(property(this.stranger.get("/learn"), "description")).isNotEqualTo(english);
		assertThat(property(this.stranger.get("/learn/strings?lang=zh"), "description")).isNotEqualTo(english);
	}

	@Test
	void pagesForOneUserTellNothing() {
		for (String path : new String[] { "/home", "/mentions", "/settings", "/bookmarks" }) {
			assertThat(this.ada.get(path).body()).as(path).doesNotContain("og:");
		}
	}

}
