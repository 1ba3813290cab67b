package live.retwis.timeline;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonProperty;
import live.retwis.export.ExportPart;
import live.retwis.post.Post;
import live.retwis.post.RenderedPost;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Cursor;
import live.retwis.web.TimeFormat;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * What a user has reposted, the oldest first: the ids of the posts, because their texts
 * are those of others. While the archive is away, the file breaks off as in
 * {@link PostsExport}.
 */
@Component
class RepostsExport implements ExportPart {

	private final TimelineRepository timelines;

	private final RenderedPosts posts;

	RepostsExport(TimelineRepository timelines, RenderedPosts posts) {
		this.timelines = timelines;
		this.posts = posts;
	}

	@Override
	public String name() {
		return "reposts";
	}

	@Override
	public Mono<List<Cursor>> places(String userId, Optional<Cursor> after) {
		return this.timelines.oldestOf(userId, after.orElse(Cursor.START), PAGE);
	}

	@Override
	public Mono<List<RepostJson>> items(List<Cursor> places) {
		return this.posts.findUnreplaced(places.stream().map(Cursor::member).toList())
			.map((own) -> own.stream()
				.filter(RenderedPost::isRepost)
				.map(RenderedPost::post)
				.map(RepostJson::of)
				.toList());
	}

	/**
	 * A repost as JSON.
	 *
	 * @param post id of the post that it shows
	 * @param repostedAt ISO 8601 UTC
	 */
	record RepostJson(@Nullable String post, @JsonProperty("reposted_at") String repostedAt) {

		static RepostJson of(Post repost) {
			return new RepostJson(repost.repostOf(), TimeFormat.iso(repost.created()));
		}

	}

}
