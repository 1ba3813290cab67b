package live.retwis.timeline;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import live.retwis.export.ExportPart;
import live.retwis.post.PostDto;
import live.retwis.post.RenderedPost;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * A user's own posts, the oldest first, without the reposts. While the archive is away,
 * the file breaks off rather than lack a post.
 */
@Component
class PostsExport implements ExportPart {

	private final TimelineRepository timelines;

	private final RenderedPosts posts;

	PostsExport(TimelineRepository timelines, RenderedPosts posts) {
		this.timelines = timelines;
		this.posts = posts;
	}

	@Override
	public String name() {
		return "posts";
	}

	@Override
	public Mono<List<Cursor>> places(String userId, Optional<Cursor> after) {
		return this.timelines.oldestOf(userId, after.orElse(Cursor.START), PAGE);
	}

	@Override
	public Mono<List<PostDto>> items(List<Cursor> places) {
		return this.posts.findUnreplaced(places.stream().map(Cursor::member).toList())
			.map((own) -> own.stream().filter(Predicate.not(RenderedPost::isRepost)).map(PostDto::of).toList());
	}

}
