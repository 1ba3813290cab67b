package live.retwis.post;

import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import live.retwis.web.TimeFormat;
import org.jspecify.annotations.Nullable;

/**
 * A post as JSON.
 *
 * @param id post id
 * @param author username
 * @param body text
 * @param createdAt ISO 8601 UTC
 * @param replyTo id of the post that it replies to; null for none
 * @param repostedBy username of who reposted it; null for none
 * @param counts how many {@code replies}, {@code likes} and {@code reposts} it has
 */
public record PostDto(String id, String author, String body, @JsonProperty("created_at") String createdAt,
		@JsonProperty("reply_to") @Nullable String replyTo, @JsonProperty("reposted_by") @Nullable String repostedBy,
		Map<String, Long> counts) {

	public static PostDto of(RenderedPost rendered) {
		Post post = rendered.post();
		Post repost = rendered.repost();
		return new PostDto(post.id(), post.author(), post.body(), TimeFormat.iso(post.created()), post.replyTo(),
				(repost != null) ? repost.author() : null, rendered.counts().byName());
	}

}
