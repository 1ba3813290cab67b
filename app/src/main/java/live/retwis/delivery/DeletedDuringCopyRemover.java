package live.retwis.delivery;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import live.retwis.post.PostRepository;
import live.retwis.redis.Cursor;
import live.retwis.timeline.HomeTimelineWriter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Removes posts from a home timeline that were deleted while they were copied there from
 * their author's list. A deletion removes a post from its author's list first, and from
 * home timelines later. So if the list still has the post after the copy, the deletion
 * will find the copy. If not, the copy is removed here.
 */
@Component
class DeletedDuringCopyRemover {

	private final PostRepository posts;

	private final HomeTimelineWriter timelines;

	DeletedDuringCopyRemover(PostRepository posts, HomeTimelineWriter timelines) {
		this.posts = posts;
		this.timelines = timelines;
	}

	/**
	 * Removes the posts that are deleted from a reader's timeline.
	 * @param copied places that were read from the author's list and copied
	 * @param now places that were read from the list after that; a post that is missing
	 * may also have made room for newer ones
	 */
	Mono<Void> sweep(String reader, List<Cursor> copied, List<Cursor> now) {
		Set<String> listed = now.stream().map(Cursor::member).collect(Collectors.toSet());
		return Flux.fromIterable(copied)
			.map(Cursor::member)
			.filter((postId) -> !listed.contains(postId))
			.filterWhen((postId) -> this.posts.isThere(postId).map((there) -> !there))
			.collectList()
			.flatMap((gone) -> this.timelines.remove(reader, gone));
	}

}
