package live.retwis.post;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import live.retwis.log.LogPosition;
import live.retwis.web.RenderedMarkup;
import org.jspecify.annotations.Nullable;

/**
 * A post with its context.
 *
 * @param above the post that it replies to, what that replies to, and so on, nearest
 * first; ends at a post that is deleted or hidden
 * @param parentHidden whether it replies to a post that the viewer does not see
 * @param parentAway whether only the archive has the post that it replies to, and is away
 * @param replies one page of its replies
 * @param count number of all replies
 * @param position the page has every reply up to this position
 */
record Conversation(RenderedPost post, List<RenderedPost> above, boolean parentHidden, boolean parentAway,
		PostListPage replies, long count, LogPosition position) {

	/** Whether the post that it replies to is deleted. */
	boolean parentGone() {
		return this.post.post().replyTo() != null && this.above.isEmpty() && !this.parentHidden && !this.parentAway;
	}

	/** The article of the post. */
	RenderedMarkup markup() {
		return new RenderedMarkup(List.of(this.post.utf8()));
	}

	/** The articles of the posts above, first things first. */
	RenderedMarkup aboveMarkup() {
		return new RenderedMarkup(fromTheFirst().stream().map(RenderedPost::utf8).toList());
	}

	private List<RenderedPost> fromTheFirst() {
		List<RenderedPost> posts = new ArrayList<>(this.above);
		Collections.reverse(posts);
		return posts;
	}

	/**
	 * Address of the conversation around the first post above, if that replies to one
	 * that is not shown because the page is full; null otherwise.
	 */
	@Nullable String earlier() {
		if (this.above.size() < ReplyChain.MOST) {
			return null;
		}
		Post first = this.above.get(this.above.size() - 1).post();
		return (first.replyTo() != null) ? "/posts/" + first.id() : null;
	}

	private @Nullable RenderedPost parent() {
		return this.above.isEmpty() ? null : this.above.get(0);
	}

	Json json() {
		RenderedPost parent = parent();
		return new Json(List.of(PostDto.of(this.post)), (parent != null) ? PostDto.of(parent) : null,
				fromTheFirst().stream().map(PostDto::of).toList(), this.replies.json().posts(), this.replies.older());
	}

	/**
	 * A conversation for programs.
	 *
	 * @param parent what the post replies to
	 * @param above that, what that replies to, and so on, first things first
	 */
	record Json(List<PostDto> posts, @Nullable PostDto parent, List<PostDto> above, List<PostDto> replies,
			@Nullable String older) {
	}

}
