package live.retwis.post;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import live.retwis.log.LogPosition;
import live.retwis.web.RenderedMarkup;
import org.jspecify.annotations.Nullable;

/**
 * A post with its context.
 *
 * @param above the post that it replies to, what that replies to, and so on, nearest
 * first; ends at a post that is hidden
 * @param parentHidden whether it replies to a post that the viewer does not see
 * @param parentAway whether only the archive has the post that it replies to, and is away
 * @param replies one page of its replies
 * @param count number of all replies
 * @param position the page has every reply up to this position
 */
record Conversation(RenderedPost post, List<ReplyChainReader.Link> above, boolean parentHidden, boolean parentAway,
		PostListPage replies, long count, LogPosition position) {

	/** Whether nothing stands above because the post that it replies to is deleted. */
	boolean parentGone() {
		return this.post.post().replyTo() != null && fromTheFirst().isEmpty() && !this.parentHidden && !this.parentAway;
	}

	/** The article of the post. */
	RenderedMarkup markup() {
		return new RenderedMarkup(List.of(this.post.utf8()));
	}

	/**
	 * The articles of the posts above, first things first, in groups. Between two groups
	 * is a deleted post.
	 */
	List<RenderedMarkup> aboveMarkup() {
		List<RenderedMarkup> groups = new ArrayList<>();
		List<byte[]> group = new ArrayList<>();
		for (ReplyChainReader.Link link : fromTheFirst()) {
			if (link.post() != null) {
				group.add(link.post().utf8());
			}
			else {
				groups.add(new RenderedMarkup(List.copyOf(group)));
				group.clear();
			}
		}
		groups.add(new RenderedMarkup(group));
		return groups;
	}

	/** The posts above, from the first that is not deleted. */
	private List<ReplyChainReader.Link> fromTheFirst() {
		List<ReplyChainReader.Link> links = new ArrayList<>(this.above);
		Collections.reverse(links);
		return links.stream().dropWhile((link) -> link.post() == null).toList();
	}

	private List<RenderedPost> postsAbove() {
		return fromTheFirst().stream().flatMap((link) -> Stream.ofNullable(link.post())).toList();
	}

	/**
	 * Address of the conversation around the first post above, if that replies to one
	 * that is not shown because the page is full; null otherwise.
	 */
	@Nullable String earlier() {
		return (this.above.size() < ReplyChainReader.MOST) ? null
				: postsAbove().stream()
					.map(RenderedPost::post)
					.findFirst()
					.filter((first) -> first.replyTo() != null)
					.map((first) -> "/posts/" + first.id())
					.orElse(null);
	}

	private @Nullable RenderedPost parent() {
		return this.above.isEmpty() ? null : this.above.get(0).post();
	}

	Json json() {
		RenderedPost parent = parent();
		List<@Nullable PostDto> above = new ArrayList<>();
		fromTheFirst().forEach((link) -> above.add((link.post() != null) ? PostDto.of(link.post()) : null));
		return new Json(List.of(PostDto.of(this.post)), (parent != null) ? PostDto.of(parent) : null, above,
				this.replies.json().posts(), this.replies.older());
	}

	/**
	 * A conversation for programs.
	 *
	 * @param parent what the post replies to; null when that cannot be shown, or it
	 * replies to nothing
	 * @param above that, what that replies to, and so on, first things first; null stands
	 * for one that cannot be shown: it is deleted, or its author is suspended or unknown
	 */
	record Json(List<PostDto> posts, @Nullable PostDto parent, List<@Nullable PostDto> above, List<PostDto> replies,
			@Nullable String older) {
	}

}
