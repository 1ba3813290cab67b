package live.retwis.redis;

import java.time.Duration;
import java.util.Objects;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Site;
import live.retwis.testing.SkewedClock;
import live.retwis.testing.Visitor;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(RedisExtension.class)
class DataClockTests {

	private static final Offset<Long> CLOSE = Offset.offset(5_000L);

	@Test
	void theSiteGoesByTheDataNodesClockNotByItsOwn(@OwnRedis TestRedis redis) {
		Duration ahead = Duration.ofHours(3);
		try (SkewedClock node = SkewedClock.of(redis, ahead); Site site = Site.startAt("127.0.0.1", node.port())) {
			long expected = System.currentTimeMillis() + ahead.toMillis();
			assertThat(Objects.requireNonNull(site.bean(DataClock.class).millis().block())).isCloseTo(expected, CLOSE);
			Visitor visitor = Visitor.registered(site);
			assertThat(Long.parseLong(Objects.requireNonNull(site.redis().hget("user:" + visitor.id(), "created"))))
				.isCloseTo(expected, CLOSE);
			String post = visitor.post("from the future");
			assertThat(Long.parseLong(Objects.requireNonNull(site.redis().hget("post:" + post, "created"))))
				.isCloseTo(expected, CLOSE);
		}
	}

	@Test
	void theClockRunsOnBetweenMeasurements() {
		DataClock clock = Site.shared().bean(DataClock.class);
		long previous = 0;
		for (int i = 0; i < 1000; i++) {
			long now = Objects.requireNonNull(clock.millis().block());
			assertThat(now).isGreaterThanOrEqualTo(previous).isCloseTo(System.currentTimeMillis(), CLOSE);
			previous = now;
		}
	}

}
