package live.retwis.timeline;

import java.time.Duration;

import live.retwis.account.VisitListener;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Keeps the home timelines of those who are here. Those of the others go by themselves,
 * and nothing is written for them any more.
 */
@Component
class TimelineExpiry implements VisitListener {

	/** A visit is noted when the last one is longer ago than this part of a life. */
	private static final int NOTED = 30;

	private final ReactiveStringRedisTemplate redis;

	private final HomeTimelines timelines;

	TimelineExpiry(ReactiveStringRedisTemplate redis, HomeTimelines timelines) {
		this.redis = redis;
		this.timelines = timelines;
	}

	@Override
	public Duration pause() {
		return this.timelines.life().dividedBy(NOTED);
	}

	/** EXPIRE: the reader's timeline lives on. */
	@Override
	public Mono<Void> visited(String userId) {
		return Mono.when(this.redis.expire(Keys.homeTimeline(userId), this.timelines.life()),
				this.redis.expire(Keys.homeCompleteFrom(userId), this.timelines.longer()));
	}

}
