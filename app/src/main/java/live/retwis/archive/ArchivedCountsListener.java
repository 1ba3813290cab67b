package live.retwis.archive;

import reactor.core.publisher.Mono;

/** Tells all instances and open pages the new counts of an archived post. */
public interface ArchivedCountsListener {

	/**
	 * Called after a post was counted that could not be counted when it changed.
	 * @param post reads the post with its counts, each time that it is subscribed to
	 * @return whether it is told; if not, this is to be called again
	 */
	Mono<Boolean> counted(String postId, Mono<ArchivedPost> post);

}
