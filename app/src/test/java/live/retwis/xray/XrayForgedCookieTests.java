package live.retwis.xray;

import java.util.List;
import java.util.regex.Pattern;

import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.web.util.HtmlUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What X-ray tells a visitor whose cookie names a user, and whose token is made up. Pages
 * are read for the user whom the cookie names, before the token is checked.
 */
@Timeout(120)
@ExtendWith(RedisExtension.class)
class XrayForgedCookieTests {

	private static final Pattern COMMAND = Pattern.compile("(?s)<li><code>(<a class=\"xray-command\".*?)</code>");

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	@BeforeAll
	static void start() {
		site = Site.another("--retwis.xray.enabled=true", "--retwis.xray.users=*");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	/** The commands behind a page, for somebody who pretends to be the user. */
	private static List<String> commands(Visitor user, String path) {
		Answer page = Visitor.of(site).get(path + "?xray=1", "Cookie", "auth=" + user.id() + "." + "A".repeat(43));
		assertThat(page.status()).isEqualTo(200);
		return COMMAND.matcher(page.body())
			.results()
			.map((found) -> HtmlUtils.htmlUnescape(found.group(1).replaceAll("<[^>]*>", "")).strip())
			.toList();
	}

	@Test
	void aMadeUpTokenDoesNotTellWhomAUserHasBlockedOrMuted() {
		Visitor alice = Visitor.registered(site);
		Visitor bob = Visitor.registered(site);
		Visitor carol = Visitor.registered(site);
		bob.post("a post");
		String profile = "/@" + bob.name();
		commands(alice, profile);
		List<String> hidesNobody = commands(alice, profile);
		alice.get(profile);
		assertThat(alice.submit("/@" + carol.name() + "/mute").status()).isEqualTo(303);
		commands(alice, profile);
		List<String> hidesCarol = commands(alice, profile);
		assertThat(alice.submit(profile + "/block").status()).isEqualTo(303);
		commands(alice, profile);
		List<String> hidesBob = commands(alice, profile);
		assertThat(hidesCarol).containsExactlyInAnyOrderElementsOf(hidesNobody);
		assertThat(hidesBob).containsExactlyInAnyOrderElementsOf(hidesNobody);
	}

	@Test
	void aMadeUpTokenDoesNotTellWhetherAUserHasMutedTheAuthorOfAList() {
		Visitor alice = Visitor.registered(site);
		Visitor bob = Visitor.registered(site);
		Visitor carol = Visitor.registered(site);
		for (int i = 0; i < 35; i++) {
			bob.post(i + " #" + bob.name());
		}
		FanOutWait.settle(site);
		String list = "/tags/" + bob.name();
		alice.get("/@" + carol.name());
		assertThat(alice.submit("/@" + carol.name() + "/mute").status()).isEqualTo(303);
		commands(alice, list);
		List<String> hidesCarol = commands(alice, list);
		alice.get("/@" + bob.name());
		assertThat(alice.submit("/@" + bob.name() + "/mute").status()).isEqualTo(303);
		commands(alice, list);
		List<String> hidesBob = commands(alice, list);
		assertThat(hidesBob).containsExactlyInAnyOrderElementsOf(hidesCarol);
	}

	@Test
	void aCookieOfNothingButADotIsNoError() {
		assertThat(Visitor.of(site).get("/timeline?xray=1", "Cookie", "a=.").status()).isEqualTo(200);
	}

}
