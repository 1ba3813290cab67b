package live.retwis.i18n;

import java.util.List;

import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The language of a page.
 */
class LanguageTests {

	private final Site site = Site.shared();

	private final Visitor visitor = Visitor.of(this.site);

	@Test
	void aPageIsEnglishUnlessAnotherKnownLanguageIsAskedFor() {
		assertThat(this.visitor.get("/login").body()).contains("<html lang=\"en\">", "<h1>Log in</h1>");
		assertThat(this.visitor.get("/login?lang=xx").body()).contains("<html lang=\"en\">");
		assertThat(this.visitor.get("/login", "Accept-Language", "de, fr;q=0.5").body()).contains("<html lang=\"en\">");
		assertThat(this.visitor.get("/login", "Accept-Language", "zh;q=").body()).contains("<html lang=\"en\">");
		assertThat(this.visitor.get("/login", "Accept-Language", "-").body()).contains("<html lang=\"en\">");
	}

	@Test
	void theAddressChoosesTheLanguageOfThisAndAllLaterPages() {
		Answer chosen = this.visitor.get("/login?lang=zh");
		assertThat(chosen.body()).contains("<html lang=\"zh\">", "<h1>登录</h1>", "href=\"?lang=en\"");
		assertThat(chosen.cookies()).filteredOn((cookie) -> cookie.startsWith("lang="))
			.singleElement()
			.asString()
			.startsWith("lang=zh;")
			.contains("Path=/", "HTTPOnly", "SameSite=Lax");
		assertThat(this.visitor.get("/timeline").body()).contains("<h1>公共时间线</h1>");
		assertThat(this.visitor.get("/timeline?lang=en").body()).contains("<h1>Public timeline</h1>",
				"href=\"?lang=zh\"");
		assertThat(this.visitor.get("/timeline").body()).contains("<h1>Public timeline</h1>");
	}

	@Test
	void afterARefusedFormTheLinkToTheOtherLanguageLeadsToThePageOfTheForm() {
		Visitor user = Visitor.registered(this.site);
		for (String form : List.of("/settings/password", "/settings/profile", "/settings/delete")) {
			Answer refused = user.submit(form, "name", "x".repeat(100), "old", "wrong", "password", "wrong");
			assertThat(refused.status()).as(form).isEqualTo(422);
			assertThat(refused.find("<footer .*(/settings\\?lang=zh)\"")).as(form).isNotEmpty();
		}
	}

	@Test
	void theBrowsersLanguageIsUsedUnlessTheReaderChoseOne() {
		assertThat(this.visitor.get("/timeline", "Accept-Language", "zh-CN,zh;q=0.9,en;q=0.8").body())
			.contains("<html lang=\"zh\">");
		this.visitor.get("/timeline?lang=en");
		assertThat(this.visitor.get("/timeline", "Accept-Language", "zh-CN").body()).contains("<html lang=\"en\">");
	}

	@Test
	void ofALongListOfLanguagesOnlyTheBeginningIsRead() {
		assertThat(Visitor.of(this.site)
			.get("/login", "Accept-Language", "fr,".repeat(60) + "zh" + ",fr".repeat(900))
			.body()).contains("<html lang=\"zh\">");
		assertThat(Visitor.of(this.site).get("/login", "Accept-Language", "fr,".repeat(70) + "zh").body())
			.contains("<html lang=\"en\">");
		assertThat(Visitor.of(this.site).get("/login", "Accept-Language", "x".repeat(5000)).body())
			.contains("<html lang=\"en\">");
	}

	@Test
	void everyPageIsInTheChosenLanguage() {
		Visitor reader = Visitor.registered(this.site);
		String id = reader.post("hello");
		reader.get("/home?lang=zh");
		Visitor stranger = Visitor.of(this.site);
		stranger.get("/timeline?lang=zh");
		List<Answer> pages = List.of(reader.get("/home"), reader.get("/timeline"), reader.get("/posts/" + id),
				reader.get("/@" + reader.name()), reader.get("/@" + reader.name() + "/followers"),
				reader.get("/@" + reader.name() + "/following"), reader.get("/settings/sessions"), stranger.get("/"),
				stranger.get("/login"), stranger.get("/register"), stranger.get("/how-live"),
				stranger.get("/posts/" + id), reader.get("/nowhere"), reader.submit("/posts", "body", ""),
				stranger.submit("/login", "username", "x"),
				stranger.submit("/register", "username", "é", "password", "x", "password2", "y"));
		for (Answer page : pages) {
			assertThat(page.body().replaceAll("(?s)<article.*?</article>", "")).as(page.response().uri().getPath())
				.contains("<html lang=\"zh\">")
				.doesNotContain("[[");
			assertThat(words(page)).as(page.response().uri().getPath()).isEmpty();
		}
	}

	/**
	 * The English words that a page shows. Names and the link to the other language do
	 * not count.
	 */
	private static List<String> words(Answer page) {
		String main = page.body()
			.replaceAll(
					"(?s)<head>.*</head>|<article.*?</article>|<bdi.*?</bdi>|<footer class=.*?</footer>|<h2 id=\"figures\">.*?</h2>",
					"");
		String text = main.replaceAll("<[^>]*>", " ").replaceAll("@\\w+|Retwis|Live|UTC", " ");
		return text.lines().filter((line) -> line.matches(".*[A-Za-z]{3}.*")).toList();
	}

	@Test
	void errorMessagesAreInTheChosenLanguage() {
		this.visitor.get("/register");
		Answer wrong = this.visitor.submit("/register?lang=zh", "username", "a b", "password", "short", "password2",
				"x");
		assertThat(wrong.status()).isEqualTo(422);
		assertThat(wrong.errors()).containsExactly("请用 1 到 30 个字母（a 到 z）、数字或 _。", "至少用 10 个字符。", "两次输入的密码不同。");
		Answer missing = this.visitor.get("/posts/0", "Accept", "application/json");
		assertThat(missing.json().get("title").asString()).isEqualTo("找不到");
		assertThat(missing.json().get("detail").asString()).isEqualTo("没有这条帖子。");
	}

	@Test
	void aPostIsTheSameForReadersOfEveryLanguage() {
		Visitor writer = Visitor.registered(this.site);
		String id = writer.post("hello");
		assertThat(this.visitor.get("/posts/" + id + "?lang=zh").posts()).isNotEmpty()
			.isEqualTo(this.visitor.get("/posts/" + id + "?lang=en").posts());
	}

	@Test
	void cachedPagesOfTwoLanguagesAreKeptApart() {
		Visitor reader = Visitor.registered(this.site);
		assertThat(reader.get("/home").body()).contains("Your timeline");
		assertThat(reader.get("/home?lang=zh").body()).contains("你的时间线").doesNotContain("Your timeline");
		assertThat(reader.get("/home?lang=en").body()).contains("Your timeline").doesNotContain("你的时间线");
	}

}
