package live.retwis.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

import io.lettuce.core.XAddArgs;
import live.retwis.locks.nodes.proxy.CommandFailpoint;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.assertj.core.data.Offset;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

import static live.retwis.locks.nodes.proxy.SentCommand.named;
import static live.retwis.locks.nodes.proxy.SentCommand.with;
import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(RedisExtension.class)
class DataClockTests {

	private static final Pattern TIME = Pattern.compile("(\\*2\r\n\\$10\r\n)(\\d{10})(\r\n.*)", Pattern.DOTALL);

	private static final Duration SOON = Duration.ofSeconds(10);

	private static final Offset<Long> CLOSE = Offset.offset(5_000L);

	@Test
	void theSiteUsesTheDataNodesClockInsteadOfItsOwn(@OwnRedis TestRedis redis) {
		Duration ahead = Duration.ofHours(3);
		try (FaultProxy node = redis.proxy();
				Interception skewed = node.at(named("EVALSHA", "EVAL").and(with(Keys.LOG)))
					.rewriteReply((answer) -> later(answer, ahead));
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

	@Test
	void theTimeOfTheLogIsAfterItsEntries(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			DataClock clock = site.bean(DataClock.class);
			assertThat(clock.logMillis().block(SOON)).isNotNull().isCloseTo(System.currentTimeMillis(), CLOSE);
			long ahead = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
			site.redis().xadd(Keys.LOG, new XAddArgs().id(ahead + "-0"), Map.of("type", "start", "nonce", "ahead"));
			assertThat(clock.logMillis().block(SOON)).isEqualTo(ahead + 1);
		}
	}

	@Test
	void aSlowRoundTripDoesNotMoveTheClockAndAClockThatWasSetDoes(@OwnRedis TestRedis redis) {
		try (FaultProxy node = redis.proxy(); Site site = Site.startAt("127.0.0.1", node.port())) {
			DataClock clock = site.bean(DataClock.class);
			CommandFailpoint time = node.at(named("EVALSHA", "EVAL").and(with(Keys.LOG)));
			clock.run().block(SOON);
			long offset = offset(clock);
			try (Interception slow = time.delayCommand(Duration.ofSeconds(1))) {
				clock.run().block(SOON);
				assertThat(slow.met()).isPositive();
			}
			assertThat(offset(clock)).as("half a second wrong before").isCloseTo(offset, Offset.offset(100_000L));
			Duration ahead = Duration.ofHours(3);
			try (Interception set = time.rewriteReply((answer) -> later(answer, ahead))) {
				clock.run().block(SOON);
				assertThat(set.met()).isPositive();
			}
			assertThat(offset(clock)).isCloseTo(offset + ahead.toMillis() * 1000, Offset.offset(1_000_000L));
		}
	}

	@Test
	void theEarliestTimeIsNotAheadOfTheDataNodeHoweverWrongTheClockIs(@OwnRedis TestRedis redis) {
		try (FaultProxy node = redis.proxy(); Site site = Site.startAt("127.0.0.1", node.port())) {
			DataClock clock = new DataClock(site.bean(ReactiveStringRedisTemplate.class));
			try (Interception slow = node.at(named("EVALSHA", "EVAL").and(with(Keys.LOG)))
				.delayCommand(Duration.ofSeconds(1))) {
				clock.run().block(SOON);
				assertThat(slow.met()).isPositive();
			}
			long earliest = Objects.requireNonNull(clock.earliestMillis().block(SOON));
			long measured = Objects.requireNonNull(clock.millis().block(SOON));
			assertThat(measured - earliest).as("the error is half a second").isGreaterThan(450);
			assertThat(earliest).isLessThanOrEqualTo(millis(site.redis().time()));
		}
	}

	private static long millis(List<String> time) {
		return Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
	}

	/**
	 * In µs. The thread may have to wait between the two readings, so the least of many.
	 */
	private static long offset(DataClock clock) {
		return LongStream.generate(() -> clock.knownMicros().getAsLong() - System.nanoTime() / 1000)
			.limit(100)
			.max()
			.getAsLong();
	}

	/** Adds to an answer that is a time. Other answers stay as they are. */
	private static String later(String answer, Duration ahead) {
		Matcher matcher = TIME.matcher(answer);
		return !matcher.matches() ? answer
				: matcher.group(1) + (Long.parseLong(matcher.group(2)) + ahead.toSeconds()) + matcher.group(3);
	}

	@Test
	void theClockAdvancesBetweenMeasurements() {
		DataClock clock = Site.shared().bean(DataClock.class);
		long previous = 0;
		for (int i = 0; i < 1000; i++) {
			long now = Objects.requireNonNull(clock.millis().block());
			assertThat(now).isGreaterThanOrEqualTo(previous).isCloseTo(System.currentTimeMillis(), CLOSE);
			previous = now;
		}
	}

}
