package live.retwis.timeline;

import live.retwis.background.BackgroundQueue;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Makes the home timelines of those who come back, while they read what their page found
 * for them otherwise. What is too much, or fails, is done at the next page.
 */
@Component
class RebuildQueue extends BackgroundQueue<String> {

	private static final int CONCURRENCY = 4;

	private final TimelineRebuild rebuild;

	RebuildQueue(TimelineRebuild rebuild) {
		super(CONCURRENCY);
		this.rebuild = rebuild;
	}

	/** A user without a timeline is here, and follows somebody who has posted. */
	void rebuild(String userId) {
		offer(userId);
	}

	@Override
	protected Mono<Void> work(String userId) {
		return this.rebuild.run(userId).then();
	}

}
