package live.retwis.web;

import java.util.Map;

import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import org.springframework.web.util.HtmlUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** Links from a page to the same page in another language keep its query. */
class PageAddressTests {

	@Test
	void oneParameterIsReplacedAndAllOthersStay() {
		assertThat(PageAddress.of("/search?q=a%26b&lang=zh").before("lang")).isEqualTo("/search?q=a%26b&");
		assertThat(PageAddress.of("/home?lang=zh#x").before("lang")).isEqualTo("/home?");
		assertThat(PageAddress.of("/home").before("lang")).isEqualTo("/home?");
		assertThat(PageAddress.of("?lang=a&language=b&&lang&before=1").before("lang"))
			.isEqualTo("?language=b&before=1&");
		assertThat(PageAddress.of("/login?next=%2Fhome%3Flang%3Dzh").without("lang"))
			.hasToString("/login?next=%2Fhome%3Flang%3Dzh");
	}

	@Test
	void theLinkToTheOtherLanguageKeepsTheQueryOfEachPage() {
		Visitor author = Visitor.registered(Site.shared());
		author.post("somewhere to come back to");
		Map.of("/home", Keys.homeTimeline(author.id()), "/timeline", Keys.PUBLIC_TIMELINE, "/@" + author.name(),
				Keys.postsOf(author.id()))
			.forEach((path, list) -> {
				String query = "?before=" + new Cursor(Long.MAX_VALUE / 2048, "ZZZZZZZZZZZZZ").text(list);
				Answer page = author.get(path + query + "&lang=en");
				assertThat(page.status()).as(path).isEqualTo(200);
				assertThat(language(page)).as(path).isEqualTo(query + "&lang=zh");
			});
		assertThat(language(author.get("/search?q=some%20one"))).isEqualTo("?q=some%20one&lang=zh");
		assertThat(language(Visitor.of(Site.shared()).get("/timeline?from=there"))).isEqualTo("?from=there&lang=zh");
		assertThat(language(author.get("/nowhere?a=%22%3E%3Ci%3E"))).isEqualTo("?a=%22%3E%3Ci%3E&lang=zh");
		assertThat(language(author.get("/timeline"))).isEqualTo("?lang=zh");
	}

	private static String language(Answer page) {
		return HtmlUtils.htmlUnescape(page.find("<a href=\"([^\"]*)\" lang=\"zh\" hreflang"));
	}

}
