package live.retwis.live;

import java.time.Duration;

import live.retwis.log.LogEntry.Announcement;
import live.retwis.redis.Keys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;

import org.springframework.data.redis.connection.ReactiveSubscription;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * The single subscription of this instance to {@code {live}:bus}. Messages that are
 * published while it is broken are lost, and the receiver has to notice the gap.
 */
@Component
class PubSubSubscription {

	private static final Logger log = LoggerFactory.getLogger(PubSubSubscription.class);

	private static final Duration RETRY = Duration.ofMillis(500);

	private final ReactiveStringRedisTemplate redis;

	private final Sinks.Many<Boolean> renewals = Sinks.many().multicast().directBestEffort();

	PubSubSubscription(ReactiveStringRedisTemplate redis) {
		this.redis = redis;
	}

	/** SUBSCRIBE, repeated until cancelled. */
	Flux<Announcement> announcements() {
		return this.renewals.asFlux()
			.startWith(true)
			.switchMap((renewal) -> Flux.defer(() -> this.redis.listenToChannel(Keys.BUS))
				.doOnError((error) -> log.debug("Not subscribed to the bus: {}", error.toString()))
				.retryWhen(Retry.fixedDelay(Long.MAX_VALUE, RETRY)))
			.map(ReactiveSubscription.Message::getMessage)
			.mapNotNull(PubSubSubscription::parse);
	}

	/**
	 * Reads a message. Anything that is not an announcement is skipped: anyone with
	 * access to Redis can publish, and a missed entry is still found in the log.
	 */
	private static @Nullable Announcement parse(String message) {
		try {
			return Announcement.parse(message);
		}
		catch (IndexOutOfBoundsException | NumberFormatException ex) {
			log.warn("The bus carries something that is no announcement: {}", ex.toString());
			return null;
		}
	}

	/** Replaces a subscription that turned out to be dead. */
	void renew() {
		this.renewals.tryEmitNext(true);
	}

}
