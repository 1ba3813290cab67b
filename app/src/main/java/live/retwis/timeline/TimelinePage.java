package live.retwis.timeline;

import java.util.Optional;

import live.retwis.post.PostPage;
import live.retwis.redis.Position;

/**
 * A page of a timeline.
 *
 * @param <T> what else the page shows
 * @param posts its posts
 * @param position what they are complete up to; empty when the log does not tell
 * @param beside what was read in the same round trip
 */
record TimelinePage<T>(PostPage posts, Optional<Position> position, T beside) {

	/** Address of the stream that goes on where the page ends. */
	String live(String stream) {
		return stream + this.position.map((position) -> "?after=" + position).orElse("");
	}

}
