package live.retwis.timeline;

import java.util.List;

import live.retwis.redis.Cursor;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Puts the posts of an author into the home timeline of somebody who follows that author
 * now. What is pulled needs no place there.
 */
@Component
class FollowedPosts {

	private final TimelineRepository timelines;

	private final HomeTimelines homes;

	private final TimelineRebuild rebuild;

	private final DeletedPostSweeper deletedPostSweeper;

	FollowedPosts(TimelineRepository timelines, HomeTimelines homes, TimelineRebuild rebuild,
			DeletedPostSweeper deletedPostSweeper) {
		this.timelines = timelines;
		this.homes = homes;
		this.rebuild = rebuild;
		this.deletedPostSweeper = deletedPostSweeper;
	}

	/**
	 * Puts the author's newest pushed posts into the reader's timeline, and makes the
	 * timeline when there is none. A post may have begun it meanwhile: then they are put
	 * in once more.
	 */
	Mono<Void> putIn(String reader, String author) {
		return this.timelines.latestPushedOf(author)
			.flatMap((posts) -> this.homes.merge(reader, posts)
				.flatMap((merged) -> merged ? settle(reader, author, posts.places()) : this.rebuild.run(reader)
					.flatMap((thereByNow) -> thereByNow ? putIn(reader, author) : Mono.empty())));
	}

	private Mono<Void> settle(String reader, String author, List<Cursor> merged) {
		return this.timelines.latestPushedOf(author)
			.flatMap((posts) -> this.deletedPostSweeper.takeOut(reader, merged, posts.places()));
	}

}
