package live.retwis.live;

import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A page that stays open in one tab, while another user logs in in another tab of the
 * same browser.
 */
class OtherViewersStreamTests {

	private final Site site = Site.shared();

	@ParameterizedTest
	@ValueSource(strings = { "/live/home", "/live/notifications", "/live/public" })
	void theStreamOfAPageDoesNotGoOnAsThatOfAnotherUser(String path) {
		Visitor first = Visitor.registered(this.site);
		Visitor second = Visitor.registered(this.site);
		String address = path + "?viewer=" + first.get("/home").find("data-viewer-id=\"([^\"]*)\"");
		try (EventStream own = first.open(address)) {
			assertThat(own.status()).isEqualTo(200);
		}
		// The tab reconnects with the address of its page and with the cookies of now.
		assertThat(second.get(address).status()).isEqualTo(401);
	}

	@Test
	void aPublicPageOfAViewerHasNoStreamAfterTheLogOutBecauseItWouldShowWhatTheViewerHides() {
		String viewer = Visitor.registered(this.site).get("/home").find("data-viewer-id=\"([^\"]*)\"");
		assertThat(Visitor.of(this.site).get("/live/public?viewer=" + viewer).status()).isEqualTo(401);
	}

}
