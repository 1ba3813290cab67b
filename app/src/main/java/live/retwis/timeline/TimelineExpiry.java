package live.retwis.timeline;

import java.time.Duration;

import live.retwis.account.VisitListener;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Keeps the home timelines of users who visit the site. The others expire, and nothing is
 * pushed to them any more.
 */
@Component
class TimelineExpiry implements VisitListener {

	/**
	 * Most visits that are recorded during a timeline's life. A visit that follows the
	 * last one sooner is ignored.
	 */
	private static final int VISITS = 30;

	private final ReactiveStringRedisTemplate redis;

	private final HomeTimelines timelines;

	TimelineExpiry(ReactiveStringRedisTemplate redis, HomeTimelines timelines) {
		this.redis = redis;
		this.timelines = timelines;
	}

	@Override
	public Duration pause() {
		return this.timelines.life().dividedBy(VISITS);
	}

	/** EXPIRE: begins the life of the reader's timeline again. */
	@Override
	public Mono<Void> visited(String userId) {
		return Mono.when(this.redis.expire(Keys.homeTimeline(userId), this.timelines.life()),
				this.redis.expire(Keys.homeCompleteFrom(userId), this.timelines.longer()));
	}

}
