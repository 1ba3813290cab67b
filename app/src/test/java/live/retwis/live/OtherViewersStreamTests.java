package live.retwis.live;

import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.web.util.HtmlUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A page that stays open in one tab, while another user logs in in another tab of the
 * same browser.
 */
@Timeout(120)
@ExtendWith(RedisExtension.class)
class OtherViewersStreamTests {

	private final Site site = Site.shared();

	@Test
	void theStreamOfAPageDoesNotGoOnAsThatOfAnotherUser() {
		Visitor first = Visitor.registered(this.site);
		Visitor second = Visitor.registered(this.site);
		String stream = HtmlUtils.htmlUnescape(first.get("/home").find("data-live=\"([^\"]*)\""));
		assertThat(stream).startsWith("/live/home");
		second.post("for the second user's page alone");
		// The tab reconnects with the address of its page and with the cookies of now.
		try (EventStream resumed = second.open(stream)) {
			if (resumed.status() == 200) {
				// One position opens the stream, and another one ends the replay.
				resumed.await((event) -> resumed.events("position").size() > 1);
				assertThat(resumed.events("post")).as("posts of the other user on this page").isEmpty();
			}
		}
	}

}
