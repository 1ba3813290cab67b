package live.retwis.post;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A post with its context.
 *
 * @param parent the post that it replies to; null for none, or when that post is deleted
 * @param replies one page of its replies
 * @param count number of all replies
 */
record Conversation(RenderedPost post, @Nullable RenderedPost parent, PostPage replies, long count) {

	@Nullable String parentHtml() {
		return (this.parent != null) ? this.parent.html() : null;
	}

	Json json() {
		return new Json(List.of(PostJson.of(this.post)), (this.parent != null) ? PostJson.of(this.parent) : null,
				this.replies.json().posts(), this.replies.older());
	}

	record Json(List<PostJson> posts, @Nullable PostJson parent, List<PostJson> replies, @Nullable String older) {
	}

}
