package live.retwis.timeline;

import live.retwis.removal.RemovalStep;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Removes the user's home timeline, and the user from the authors whose posts are pulled.
 */
@Component
@Order(RemovalStep.LAST)
class HomeTimelineRemovalStep implements RemovalStep {

	private final HomeTimelineWriter homes;

	private final TimelineRepository timelines;

	HomeTimelineRemovalStep(HomeTimelineWriter homes, TimelineRepository timelines) {
		this.homes = homes;
		this.timelines = timelines;
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return Mono.when(this.homes.remove(userId), this.timelines.removePulledAuthor(userId)).thenReturn(true);
	}

}
