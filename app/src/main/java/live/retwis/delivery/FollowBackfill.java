package live.retwis.delivery;

import java.util.List;

import live.retwis.redis.Cursor;
import live.retwis.timeline.HomeTimelineWriter;
import live.retwis.timeline.TimelineRebuild;
import live.retwis.timeline.TimelineRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Adds an author's posts to the home timeline of a new follower. Posts that readers pull
 * are not added.
 */
@Component
class FollowBackfill {

	private final TimelineRepository timelines;

	private final HomeTimelineWriter homes;

	private final TimelineRebuild rebuild;

	private final DeletedDuringCopyRemover deletedPostSweeper;

	FollowBackfill(TimelineRepository timelines, HomeTimelineWriter homes, TimelineRebuild rebuild,
			DeletedDuringCopyRemover deletedPostSweeper) {
		this.timelines = timelines;
		this.homes = homes;
		this.rebuild = rebuild;
		this.deletedPostSweeper = deletedPostSweeper;
	}

	/**
	 * Adds the author's newest pushed posts to the reader's timeline. If there is no
	 * timeline, it is built, and the new one has these posts. If it was built by somebody
	 * else meanwhile, the posts are added again.
	 */
	Mono<Void> putIn(String reader, String author) {
		return this.timelines.latestPushedOf(author)
			.flatMap((posts) -> this.homes.merge(reader, posts)
				.flatMap((merged) -> merged ? sweep(reader, author, posts.places()) : this.rebuild.run(reader)
					.flatMap((existsNow) -> existsNow ? putIn(reader, author) : Mono.empty())));
	}

	/** Removes posts that were deleted while they were added. */
	private Mono<Void> sweep(String reader, String author, List<Cursor> merged) {
		return this.timelines.latestPushedOf(author)
			.flatMap((posts) -> this.deletedPostSweeper.sweep(reader, merged, posts.places()));
	}

}
