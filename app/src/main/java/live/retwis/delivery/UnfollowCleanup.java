package live.retwis.delivery;

import live.retwis.timeline.HomeTimelineWriter;
import live.retwis.timeline.TimelineRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Removes an author's posts from the home timeline of a reader who no longer follows the
 * author.
 */
@Component
public class UnfollowCleanup {

	private final TimelineRepository timelines;

	private final HomeTimelineWriter homes;

	UnfollowCleanup(TimelineRepository timelines, HomeTimelineWriter homes) {
		this.timelines = timelines;
		this.homes = homes;
	}

	/**
	 * Removes the posts. A timeline that is being built may get any of the author's
	 * posts, so its build is cancelled first. A later build finds that the author is not
	 * followed. The timeline's posts are looked up in the author's list, and not the
	 * other way round, because the author's list may be much longer. While the archive is
	 * away that has the author's old posts, the whole timeline is removed. The reader's
	 * next page builds a new one.
	 */
	public Mono<Void> takeOut(String reader, String author) {
		return this.homes.cancel(reader)
			.then(this.timelines.inTimeline(reader, author).singleOptional())
			.flatMap((postIds) -> postIds.isPresent() ? this.homes.remove(reader, postIds.get())
					: this.homes.remove(reader));
	}

}
