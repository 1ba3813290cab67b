package live.retwis.live;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.LogEntry.Announcement;
import live.retwis.redis.Keys;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.test.StepVerifier;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is heard from the bus, whatever happens to the connection and whoever else sends.
 */
@ExtendWith(RedisExtension.class)
class PubSubSubscriptionTests {

	private static final Duration BOUND = Duration.ofSeconds(60);

	@Test
	void announcementsAreHeardAgainAfterTheServerWasAwayAndAfterARenewalUntilACancel(@OwnRedis TestRedis redis) {
		LettuceConnectionFactory connections = new LettuceConnectionFactory(redis.host(), redis.port());
		connections.start();
		ReactiveStringRedisTemplate template = new ReactiveStringRedisTemplate(connections);
		PubSubSubscription bus = new PubSubSubscription(template);
		Set<String> heard = ConcurrentHashMap.newKeySet();
		try {
			StepVerifier
				.create(bus.announcements().map(Announcement::previous).doOnNext(heard::add).distinctUntilChanged())
				.then(() -> announceUntilHeard("1-0", template, heard))
				.expectNext("1-0")
				.then(redis::kill)
				.then(redis::restart)
				.then(() -> announceUntilHeard("2-0", template, heard))
				.expectNext("2-0")
				.then(bus::renew)
				.then(() -> announceUntilHeard("3-0", template, heard))
				.expectNext("3-0")
				.thenCancel()
				.verify(BOUND);
			Awaitility.await()
				.atMost(BOUND)
				.until(() -> announce("4-0", template), (subscriptions) -> subscriptions == 0);
			assertThat(heard).containsExactlyInAnyOrder("1-0", "2-0", "3-0");
		}
		finally {
			connections.destroy();
		}
	}

	/** A message that comes while the subscription is replaced may be lost. */
	private static void announceUntilHeard(String previous, ReactiveStringRedisTemplate template, Set<String> heard) {
		Awaitility.await().atMost(BOUND).until(() -> {
			announce(previous, template);
			return heard.contains(previous);
		});
	}

	/** The number of subscriptions that got it. */
	private static long announce(String previous, ReactiveStringRedisTemplate template) {
		return Objects
			.requireNonNull(template.convertAndSend(Keys.BUS, previous + " 9-0 type start nonce a").block(BOUND));
	}

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
