package live.retwis.live;

import java.util.List;

import live.retwis.redis.Keys;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What others publish on the bus.
 */
class BusTests {

	private final Site site = Site.shared();

	@Test
	void whatIsNoAnnouncementEndsNoStream() {
		Visitor author = Visitor.registered(this.site);
		try (EventStream stream = author.open("/live/public")) {
			stream.await((event) -> event.name().equals("position"));
			for (String garbage : List.of("", " ", "garbage", "1-0 x", "1-0 1-x nonce a",
					"1-0 99999999999999999999-0")) {
				assertThat(this.site.redis().publish(Keys.BUS, garbage)).isPositive();
			}
			author.post("after the garbage");
			stream.awaitPost("after the garbage");
			assertThat(stream.events("reset")).isEmpty();
		}
	}

}
