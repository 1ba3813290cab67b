package live.retwis.redis;

import java.time.Duration;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import live.retwis.locks.nodes.testing.FaultProxy;
import live.retwis.locks.nodes.testing.Interception;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.assertj.core.data.Offset;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static live.retwis.locks.nodes.testing.SentCommand.named;
import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(RedisExtension.class)
class DataClockTests {

	private static final Pattern TIME = Pattern.compile("(\\*2\r\n\\$10\r\n)(\\d{10})(\r\n.*)", Pattern.DOTALL);

	private static final Duration SOON = Duration.ofSeconds(10);

	private static final Offset<Long> CLOSE = Offset.offset(5_000L);

	@Test
	void theSiteGoesByTheDataNodesClockNotByItsOwn(@OwnRedis TestRedis redis) {
		Duration ahead = Duration.ofHours(3);
		try (FaultProxy node = FaultProxy.to(redis);
				Interception skewed = node.at(named("TIME")).rewriteReply((time) -> later(time, ahead));
				Site site = Site.startAt("127.0.0.1", node.port())) {
			long expected = System.currentTimeMillis() + ahead.toMillis();
			assertThat(Objects.requireNonNull(site.bean(DataClock.class).millis().block())).isCloseTo(expected, CLOSE);
			Visitor visitor = Visitor.registered(site);
			assertThat(Long.parseLong(Objects.requireNonNull(site.redis().hget("user:" + visitor.id(), "created"))))
				.isCloseTo(expected, CLOSE);
			String post = visitor.post("from the future");
			assertThat(Long.parseLong(Objects.requireNonNull(site.redis().hget("post:" + post, "created"))))
				.isCloseTo(expected, CLOSE);
			site.redis().hdel("user:" + visitor.id(), "active");
			visitor.get("/home");
			Awaitility.await().atMost(SOON).until(() -> site.redis().hexists("user:" + visitor.id(), "active"));
			assertThat(Long.parseLong(Objects.requireNonNull(site.redis().hget("user:" + visitor.id(), "active"))))
				.isCloseTo(expected, CLOSE);
			assertThat(skewed.met()).isPositive();
		}
	}

	/** Seconds and microseconds. */
	private static String later(String time, Duration ahead) {
		Matcher matcher = TIME.matcher(time);
		assertThat(matcher.matches()).as(time).isTrue();
		return matcher.group(1) + (Long.parseLong(matcher.group(2)) + ahead.toSeconds()) + matcher.group(3);
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
