package live.retwis.timeline;

import java.time.Duration;

import live.retwis.account.VisitListener;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Keeps the home timelines of readers who visit the site. The timeline of a reader who is
 * away for longer expires, and fan-out no longer writes to it.
 */
@Component
class TimelineExpiry implements VisitListener {

	/** A timeline's life is prolonged at most this many times while it lasts. */
	private static final int TIMES = 30;

	private final HomeTimelineWriter timelines;

	TimelineExpiry(HomeTimelineWriter timelines) {
		this.timelines = timelines;
	}

	@Override
	public Duration pause() {
		return this.timelines.life().dividedBy(TIMES);
	}

	@Override
	public Mono<Void> visited(String userId) {
		return this.timelines.prolong(userId);
	}

}
