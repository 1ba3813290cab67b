package live.retwis.timeline;

import live.retwis.log.Position;
import live.retwis.post.PostPage;

/**
 * A page of a timeline.
 *
 * @param <T> type of what the page shows beside the posts
 * @param posts its posts
 * @param position position in the log up to which they are complete
 * @param beside what the page shows beside the posts
 */
record TimelinePage<T>(PostPage posts, Position position, T beside) {

	/**
	 * Address of the stream that continues this page. The position may be older than the
	 * page. Then the stream may begin with posts that belong to an older page. So the
	 * address also has the commit time of the page's last post.
	 */
	String live(String stream) {
		String since = (this.posts.since() > 0) ? "&since=" + this.posts.since() : "";
		return stream + "?after=" + this.position + since;
	}

}
