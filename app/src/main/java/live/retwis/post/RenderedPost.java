package live.retwis.post;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import live.retwis.block.HiddenAuthors;
import live.retwis.web.Avatar;
import org.jspecify.annotations.Nullable;

/**
 * A post with its markup, which is the same on every page and in every stream.
 *
 * @param post the post that is shown
 * @param avatar picture of the author when it was rendered
 * @param counts how many replies it has, and so on
 * @param mentioned by name in lower case, the names of mentioned users who existed when
 * it was rendered
 * @param utf8 its {@code <article>} as bytes
 * @param repost the repost by which it is shown; null when it is shown itself
 */
public record RenderedPost(Post post, Avatar avatar, PostCounts counts, Map<String, String> mentioned, byte[] utf8,
		@Nullable Post repost) {

	/** Creates a rendered post from markup as text. */
	RenderedPost(Post post, Avatar avatar, PostCounts counts, Map<String, String> mentioned, String html) {
		this(post, avatar, counts, mentioned, html.getBytes(StandardCharsets.UTF_8), null);
	}

	/** The post that stands in a list: the repost, if there is one. */
	public Post listed() {
		return (this.repost != null) ? this.repost : this.post;
	}

	/** Whether it is by, or reposted by, somebody whose posts the viewer does not see. */
	public boolean isHidden(HiddenAuthors hidden) {
		return hidden.contains(this.post.authorId()) || hidden.contains(listed().authorId());
	}

	/** The markup as text. */
	public String html() {
		return new String(this.utf8, StandardCharsets.UTF_8);
	}

	/**
	 * This post as a repost shows it: a line that says who reposted it is the first in
	 * the article.
	 * @param repost the repost, whose markup is that line
	 */
	RenderedPost repostedBy(RenderedPost repost) {
		int begin = endOfFirstTag();
		byte[] markup = ByteBuffer.allocate(this.utf8.length + repost.utf8.length)
			.put(this.utf8, 0, begin)
			.put(repost.utf8)
			.put(this.utf8, begin, this.utf8.length - begin)
			.array();
		return new RenderedPost(this.post, this.avatar, this.counts, this.mentioned, markup, repost.post);
	}

	/** No value of an attribute of the article's tag has such a character. */
	private int endOfFirstTag() {
		int end = 0;
		while (this.utf8[end] != '>') {
			end++;
		}
		return end + 1;
	}

	/**
	 * Each post of a list once: a repost as the post that it shows, if that is there.
	 * @param listed posts and reposts
	 * @param reposted the posts that are reposted
	 */
	static List<RenderedPost> each(List<RenderedPost> listed, List<RenderedPost> reposted) {
		Map<String, RenderedPost> originals = reposted.stream()
			.collect(Collectors.toMap((post) -> post.post().id(), Function.identity(), (one, same) -> one));
		Set<String> shown = new HashSet<>();
		List<RenderedPost> each = new ArrayList<>(listed.size());
		for (RenderedPost post : listed) {
			String originalId = post.post().repostOf();
			RenderedPost original = (originalId != null) ? originals.get(originalId) : post;
			if (original != null && shown.add(original.post().id())) {
				each.add((originalId != null) ? original.repostedBy(post) : post);
			}
		}
		return each;
	}

}
