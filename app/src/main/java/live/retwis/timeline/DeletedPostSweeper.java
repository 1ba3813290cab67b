package live.retwis.timeline;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import live.retwis.post.PostRepository;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Posts that were deleted while they were copied from their author's list into a home
 * timeline. Whoever deletes takes them out of the list first and out of the timelines
 * then; so a post that is in the list still when it has been copied is found there.
 */
@Component
class DeletedPostSweeper {

	private final PostRepository posts;

	private final HomeTimelines timelines;

	DeletedPostSweeper(PostRepository posts, HomeTimelines timelines) {
		this.posts = posts;
		this.timelines = timelines;
	}

	/**
	 * Takes out of a reader's timeline what was copied and is gone.
	 * @param copied what the list held before
	 * @param now what it holds afterwards; fewer when others are newer
	 */
	Mono<Void> takeOut(String reader, List<Cursor> copied, List<Cursor> now) {
		Set<String> there = now.stream().map(Cursor::member).collect(Collectors.toSet());
		return Flux.fromIterable(copied)
			.map(Cursor::member)
			.filter((postId) -> !there.contains(postId))
			.filterWhen((postId) -> this.posts.isThere(postId).map((is) -> !is))
			.collectList()
			.flatMap((gone) -> this.timelines.remove(reader, gone));
	}

}
