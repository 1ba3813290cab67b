package live.retwis.timeline;

import live.retwis.log.LogPosition;
import live.retwis.post.PostListPage;

/**
 * A page of a timeline.
 *
 * @param <T> type of {@code beside}
 * @param posts its posts
 * @param position position in the log up to which they are complete
 * @param beside what else the page shows
 */
public record TimelinePage<T>(PostListPage posts, LogPosition position, T beside) {

	/** Address of the stream that continues where the page ends. */
	public String live(String stream) {
		return this.posts.live(stream, this.position);
	}

}
