package live.retwis.browser;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.stream.Stream;

import live.retwis.browser.Input.Key;
import live.retwis.testing.Pictures;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What people do with posts, with each other and with their accounts, with and without
 * JavaScript, in both languages. The buttons are found by their addresses, which are the
 * same in each language.
 */
class EverydayBrowserTests {

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final String post = this.author.post("to be #liked by @" + this.author.name());

	/**
	 * Each language once, one of them without JavaScript. In Firefox it is the other one.
	 */
	private Stream<Tab> tabs(Browser browser, BrowserKind kind) {
		return Stream.of("en", "zh").map((language) -> {
			boolean scripts = language.equals("en") == (kind == BrowserKind.CHROMIUM);
			TabOptions options = scripts ? TabOptions.desktop() : TabOptions.desktop().withoutJavaScript();
			return new Look(language + scripts, options, language).open(browser, this.site.url("/"));
		});
	}

	private static String button(String address) {
		return "button[formaction='" + address + "']";
	}

	private static boolean hasScripts(Tab tab) {
		return Boolean.TRUE.equals(tab.evaluate("matchMedia('(scripting: enabled)').matches"));
	}

	/**
	 * A script sends the form, and goes on when the page is left. Else the browser does.
	 */
	private static void press(Tab tab, String button) {
		if (hasScripts(tab)) {
			tab.click(button);
		}
		else {
			tab.clickAndLoad(button);
		}
	}

	/**
	 * A script takes it back by the button that does it. Else there is one of its own.
	 */
	private static String undo(Tab tab, String address, String toggle) {
		return hasScripts(tab) ? "button." + toggle + "[aria-pressed='true']" : button(address + "/un" + toggle);
	}

	private void open(Tab tab, String path) {
		tab.open(this.site.url(path));
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void postsAreLikedRepostedAndKeptAndNoLongerAndTheyAreFoundAndReported(Browser browser, BrowserKind kind) {
		tabs(browser, kind).forEach((tab) -> {
			SiteUser.register(tab, this.site.url("/"));
			String address = "/posts/" + this.post;
			for (String toggle : new String[] { "like", "repost" }) {
				open(tab, address);
				press(tab, button(address + "/" + toggle));
				for (int there : new int[] { 1, 0 }) {
					tab.await().that(toggle + " after a reload", (page) -> {
						page.open(this.site.url(address));
						return page.count(button(address + "/un" + toggle)) == there;
					});
					if (there > 0) {
						tab.await().count(undo(tab, address, toggle), 1);
						press(tab, undo(tab, address, toggle));
					}
				}
			}
			tab.clickAndLoad(button(address + "/bookmark"));
			tab.clickAndLoad(button(address + "/unbookmark"));
			open(tab, "/bookmarks");
			assertThat(tab.texts("article .post-body")).isEmpty();
			open(tab, address);
			tab.clickAndLoad(button(address + "/bookmark"));
			open(tab, "/bookmarks");
			assertThat(tab.texts("article .post-body")).hasSize(1);
			tab.clickAndLoad("article .post-body a[href^='/tags/']");
			assertThat(tab.count(SiteUser.article(this.post))).isOne();
			tab.clickAndLoad(SiteUser.article(this.post) + " .post-body a[href='/@" + this.author.name() + "']");
			assertThat(tab.text("h1")).contains(this.author.name());
			tab.fill("form.search:not(.search-here) input[name='q']", this.author.name());
			tab.loading(() -> tab.press(Key.ENTER));
			assertThat(tab.count("a[href='/@" + this.author.name() + "']")).isPositive();
			open(tab, address);
			tab.clickAndLoad("a[href='" + address + "/report']");
			tab.fill("#report-reason", "a test");
			tab.clickAndLoad("form[action='" + address + "/report'] button.primary");
			assertThat(tab.count("form[action='" + address + "/report']")).isZero();
			tab.close();
		});
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void peopleAreMutedAndBlockedAndItIsTakenBackInTheSettings(Browser browser, BrowserKind kind) {
		tabs(browser, kind).forEach((tab) -> {
			SiteUser.register(tab, this.site.url("/"));
			String profile = "/@" + this.author.name();
			for (String restriction : new String[] { "mute", "block" }) {
				open(tab, profile);
				tab.click("details.more summary");
				tab.clickAndLoad(button(profile + "/" + restriction));
				open(tab, "/timeline");
				assertThat(tab.count(SiteUser.article(this.post))).as(restriction).isZero();
				open(tab, "/settings");
				tab.clickAndLoad("a[href='/settings/" + (restriction.equals("mute") ? "muted" : "blocked") + "']");
				tab.clickAndLoad(button(profile + "/un" + restriction));
				open(tab, "/timeline");
				assertThat(tab.count(SiteUser.article(this.post))).as("un" + restriction).isOne();
			}
			tab.close();
		});
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aPasswordIsChangedASessionEndedAndTheAccountDeleted(Browser browser, BrowserKind kind) {
		tabs(browser, kind).forEach((tab) -> {
			SiteUser user = SiteUser.register(tab, this.site.url("/"));
			String changed = Visitor.PASSWORD + " changed";
			open(tab, "/settings");
			tab.fill("#password-old", "a wrong one!!");
			tab.fill("#password-new", changed);
			tab.fill("#password-new2", changed);
			tab.clickAndLoad("form[action='/settings/password'] button");
			assertThat(tab.text("#password-old-error")).isNotEmpty();
			tab.fill("#password-old", Visitor.PASSWORD);
			tab.fill("#password-new", changed);
			tab.fill("#password-new2", changed);
			tab.clickAndLoad("form[action='/settings/password'] button");
			assertThat(tab.count("#password-old-error")).isZero();
			Visitor elsewhere = Visitor.of(this.site);
			elsewhere.get("/login");
			assertThat(elsewhere.signIn(user.name(), changed).status()).isEqualTo(303);
			open(tab, "/settings/sessions");
			tab.clickAndLoad(".sessions button[formaction$='/end']");
			assertThat(elsewhere.isSignedIn()).as("the session that was ended").isFalse();
			assertThat(tab.count(".sessions li")).as("one's own").isOne();
			elsewhere.get("/login");
			assertThat(elsewhere.signIn(user.name(), changed).status()).isEqualTo(303);
			open(tab, "/settings/sessions");
			tab.clickAndLoad("button[formaction='/settings/sessions/others/end']");
			assertThat(elsewhere.isSignedIn()).as("all others were ended").isFalse();
			open(tab, "/settings");
			tab.fill("#delete-password", changed);
			tab.clickAndLoad("form[action='/settings/delete'] button.danger");
			open(tab, "/@" + user.name());
			assertThat(tab.count("article")).isZero();
			elsewhere.get("/login");
			assertThat(elsewhere.signIn(user.name(), changed).status()).as("the account is gone").isEqualTo(401);
			tab.close();
		});
	}

	/** The other one has a browser of their own, with JavaScript. */
	@BrowserTest
	@Tag("slow")
	void twoPeopleFollowMentionAndAnswerEachOtherAndReadThatTheyDid(Browser browser, BrowserKind kind) {
		SiteUser writer = SiteUser.register(browser.newTab(), this.site.url("/"));
		tabs(browser, kind).forEach((tab) -> {
			SiteUser reader = SiteUser.register(tab, this.site.url("/"));
			open(tab, "/@" + writer.name());
			tab.clickAndLoad(button("/@" + writer.name() + "/follow"));
			assertThat(tab.count(button("/@" + writer.name() + "/unfollow"))).isOne();
			open(writer.tab(), "/home");
			String hello = "hello @" + reader.name();
			writer.post(hello);
			for (String page : new String[] { "/home", "/mentions" }) {
				tab.await().that(hello + " on " + page, (now) -> {
					open(now, page);
					return now.texts("article .post-body").contains(hello);
				});
			}
			// Workers write the notification after the list of mentions.
			tab.await().that("the badge", (now) -> {
				open(now, "/mentions");
				return now.text("[data-unread]").equals("1");
			});
			open(tab, "/notifications");
			assertThat(tab.count(".notifications .unread-mark")).as("the first time").isOne();
			open(tab, "/notifications");
			assertThat(tab.count(".notifications .unread-mark")).as("the second time").isZero();
			assertThat(tab.text("[data-unread]")).isEmpty();
			open(tab, "/mentions");
			tab.clickAndLoad("article a.when");
			reader.post("an answer");
			assertThat(tab.texts("section.feed article .post-body")).containsExactly("an answer");
			writer.tab().await().that("the follow and the answer", (now) -> {
				open(now, "/notifications");
				return Collections.frequency(now.texts(".notifications a.author"), "@" + reader.name()) == 2
						&& now.texts(".notifications .quote").contains("an answer");
			});
			open(tab, "/settings");
			tab.fill("#profile-name", "小明");
			tab.fill("#profile-bio", "reads https://example.org/");
			tab.clickAndLoad("form[action='/settings/profile'] button");
			open(writer.tab(), "/@" + reader.name());
			assertThat(writer.tab().text("h1")).contains("小明");
			assertThat(writer.tab().count("a[href='https://example.org/']")).isOne();
			tab.close();
		});
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aPictureIsUploadedTheLanguageChosenAndTheDataExported(Browser browser, BrowserKind kind, @TempDir Path folder)
			throws IOException {
		Path picture = Files.write(folder.resolve("me.png"), Pictures.plain("png", 90, 90, Color.GREEN));
		tabs(browser, kind).forEach((tab) -> {
			SiteUser user = SiteUser.register(tab, this.site.url("/"));
			open(tab, "/settings");
			tab.choose("#profile-picture", picture);
			tab.clickAndLoad("form[action='/settings/profile'] button");
			open(tab, "/@" + user.name());
			assertThat(tab.property(".profile .avatar img", "naturalWidth")).isEqualTo("128");
			open(tab, "/settings");
			String before = tab.attribute("html", "lang");
			tab.clickAndLoad(".choices a");
			open(tab, "/home");
			assertThat(tab.attribute("html", "lang")).as("the language is kept").isNotEqualTo(before);
			open(tab, "/settings");
			// What the link leads to. Where a page has no scripts, nothing awaits
			// promises.
			assertThat(tab.evaluate("""
					((file) => {
						file.open("GET", document.querySelector("a[download]").href, false);
						file.send();
						return JSON.parse(file.responseText).profile.username;
					})(new XMLHttpRequest())""")).isEqualTo(user.name());
			tab.close();
		});
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void aFriendOfAFriendIsSuggestedFollowedAndNoLongerFollowed(Browser browser, BrowserKind kind) {
		Visitor friend = Visitor.registered(this.site);
		tabs(browser, kind).forEach((tab) -> {
			Visitor stranger = Visitor.registered(this.site);
			friend.follow(stranger);
			SiteUser.register(tab, this.site.url("/"));
			open(tab, "/@" + friend.name());
			tab.clickAndLoad(button("/@" + friend.name() + "/follow"));
			open(tab, "/home");
			tab.clickAndLoad("[data-suggestions] h2 a");
			tab.clickAndLoad("[data-suggested] " + button("/@" + stranger.name() + "/follow"));
			open(tab, "/@" + stranger.name());
			assertThat(tab.count(button("/@" + stranger.name() + "/unfollow"))).isOne();
			tab.clickAndLoad(".relation a[href$='/common']");
			assertThat(tab.count(".people a[href='/@" + friend.name() + "']")).isOne();
			open(tab, "/@" + stranger.name());
			tab.clickAndLoad(button("/@" + stranger.name() + "/unfollow"));
			assertThat(tab.count(button("/@" + stranger.name() + "/follow"))).isOne();
			tab.close();
		});
	}

}
