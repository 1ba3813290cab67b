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

	/**
	 * Address of the stream that goes on where the page ends. The position may be older
	 * than the page, and what came after it be on the next page already.
	 */
	String live(String stream) {
		String since = (this.posts.since() > 0) ? "&since=" + this.posts.since() : "";
		return stream + "?after=" + this.position + since;
	}

}
