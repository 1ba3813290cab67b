package live.retwis.timeline;

import live.retwis.background.BackgroundQueue;
import live.retwis.redis.DataNodeMemory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Builds home timelines in the background for readers who come back. Meanwhile their
 * pages are read from the authors' lists. If the queue is full or a build fails, the
 * reader's next page asks again.
 */
@Component
class TimelineRebuildQueue extends BackgroundQueue<String> {

	private static final int CONCURRENCY = 4;

	private final TimelineRebuild rebuild;

	private final DataNodeMemory memory;

	TimelineRebuildQueue(TimelineRebuild rebuild, DataNodeMemory memory) {
		super(CONCURRENCY);
		this.rebuild = rebuild;
		this.memory = memory;
	}

	/**
	 * Adds a user who reads a page and has no timeline. While a data node is nearly full,
	 * pages do without.
	 */
	void rebuild(String userId) {
		if (!this.memory.isNearlyFull()) {
			offer(userId);
		}
	}

	@Override
	protected Mono<Void> work(String userId) {
		return this.rebuild.run(userId).then();
	}

}
