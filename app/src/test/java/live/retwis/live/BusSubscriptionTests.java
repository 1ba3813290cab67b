package live.retwis.live;

import java.util.List;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages of other programs on the bus.
 */
@ExtendWith(RedisExtension.class)
class BusSubscriptionTests {

	/**
	 * On a cluster PUBLISH returns the number of listeners at one node only, so the test
	 * needs a single server.
	 */
	@Test
	void anUnknownMessageOnTheBusEndsNoStream(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			anUnknownMessageOnTheBusEndsNoStream(site);
		}
	}

	private static void anUnknownMessageOnTheBusEndsNoStream(Site site) {
		Visitor author = Visitor.registered(site);
		try (EventStream stream = author.open("/live/public")) {
			stream.await((event) -> event.name().equals("position"));
			for (String garbage : List.of("", " ", "garbage", "1-0 x", "1-0 1-x nonce a",
					"1-0 99999999999999999999-0")) {
				assertThat(site.redis().publish(Keys.BUS, garbage)).isPositive();
			}
			author.post("after the garbage");
			stream.awaitPost("after the garbage");
			assertThat(stream.events("reset")).isEmpty();
		}
	}

}
