package live.retwis.web;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;

import live.retwis.i18n.Language;
import live.retwis.i18n.Languages;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.testing.Answer;
import live.retwis.testing.Nginx;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What nginx sends while no instance answers.
 */
class NginxErrorPageTests {

	/** The texts come from the site, the page from the build. */
	private final List<Language> languages = Site.shared().bean(Languages.class).all();

	@Test
	void aPageSaysInEachLanguageThatTheSiteWillBeBackAndReloadsItself() {
		Nginx.assumeInstalled();
		String nowhere = "127.0.0.1:" + TestPorts.next();
		try (Nginx nginx = Nginx.shipped(nowhere, nowhere)) {
			Visitor visitor = Visitor.at(nginx.url(""));
			Answer page = visitor.get("/timeline");
			assertThat(page.status()).isEqualTo(503);
			assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
			assertThat(page.header("Retry-After")).isEqualTo("5");
			assertThat(page.header("Refresh")).isEqualTo("5");
			assertThat(page.header("Cache-Control")).isEqualTo("no-store");
			assertThat(this.languages).hasSizeGreaterThan(1)
				.allSatisfy((language) -> assertThat(page.body()).contains("lang=\"" + language.tag() + "\"",
						language.text("error.503"), language.text("away.text"), language.text("away.form")));
			assertThat(page.body()).doesNotContain("/assets/", "<script");
			Answer sent = visitor.send("POST", "/login", BodyPublishers.ofString("username=ada&password=secret"));
			assertThat(sent.status()).isEqualTo(503);
			assertThat(sent.header("Retry-After")).isEqualTo("5");
			assertThat(sent.header("Refresh")).as("nothing answers GET there").isEmpty();
			assertThat(sent.body()).isEqualTo(page.body());
		}
	}

}
