package live.retwis;

import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The purpose of the site, in one test.
 */
class SiteTests {

	@Test
	void aPostMadeByOneAppearsInTheOpenStreamOfAFollower() {
		Site site = Site.shared();
		Visitor alice = Visitor.registered(site);
		Visitor bob = Visitor.registered(site);
		bob.follow(alice);
		try (EventStream stream = bob.open(bob.get("/home").live())) {
			String id = alice.post("Hello, Bob");
			assertThat(stream.awaitPost("Hello, Bob").data()).contains("id=\"post-" + id + "\"");
		}
	}

}
