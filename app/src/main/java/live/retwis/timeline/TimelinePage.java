package live.retwis.timeline;

import live.retwis.log.Position;
import live.retwis.post.PostPage;

/**
 * A page of a timeline.
 *
 * @param <T> what else the page shows
 * @param posts its posts
 * @param position what they are complete up to
 * @param beside what was read in the same round trip
 */
record TimelinePage<T>(PostPage posts, Position position, T beside) {

	/** Address of the stream that continues where the page ends. */
	String live(String stream) {
		return this.posts.live(stream, this.position);
	}

}
