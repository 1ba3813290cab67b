package live.retwis.timeline;

import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Takes the posts of an author out of the home timeline of somebody who does not follow
 * that one any more.
 */
@Component
public class UnfollowedPosts {

	private final TimelineRepository timelines;

	private final HomeTimelines homes;

	UnfollowedPosts(TimelineRepository timelines, HomeTimelines homes) {
		this.timelines = timelines;
		this.homes = homes;
	}

	/**
	 * A timeline that is being made may get any of the author's posts, so it is cancelled
	 * first. Who makes one later finds that the author is not followed. The posts are
	 * found from the timeline's side, for the author may have made many more since.
	 */
	public Mono<Void> takeOut(String reader, String author) {
		return this.homes.cancel(reader)
			.then(this.timelines.inTimeline(reader, author))
			.flatMap((postIds) -> this.homes.remove(reader, postIds));
	}

}
