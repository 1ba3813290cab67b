package live.retwis.post;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import live.retwis.restriction.HiddenAuthors;
import org.jspecify.annotations.Nullable;

/**
 * A post with its markup, which is the same on every page and in every stream.
 *
 * @param post the post that is shown
 * @param author name and picture of the author when it was rendered
 * @param counts how many replies it has, and so on
 * @param mentioned by name in lower case, the names of mentioned users who existed when
 * it was rendered
 * @param utf8 its {@code <article>} as bytes; in a list, a template may follow it
 * @param repost the repost by which it is shown; null when it is shown itself
 */
public record RenderedPost(Post post, AuthorView author, EngagementCounts counts, Map<String, String> mentioned,
		byte[] utf8, @Nullable Post repost) {

	private static final byte[] NOTHING = new byte[0];

	private static final byte[] OTHERS_BEGIN = "<template data-also-listed>".getBytes(StandardCharsets.UTF_8);

	/** Says that the list has the post itself, too. */
	private static final byte[] ITSELF = "<p class=\"itself\"></p>".getBytes(StandardCharsets.UTF_8);

	private static final byte[] OTHERS_END = "</template>\n".getBytes(StandardCharsets.UTF_8);

	/** Creates a rendered post from markup as text. */
	RenderedPost(Post post, AuthorView author, EngagementCounts counts, Map<String, String> mentioned, String html) {
		this(post, author, counts, mentioned, html.getBytes(StandardCharsets.UTF_8), null);
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
	 * the article. If other entries of the list show the same post, a template after the
	 * article tells open pages of them. So the post stays when the repost is taken back.
	 * @param repost the repost, whose markup is that line
	 * @param others the other entries of the list that show this post: further reposts,
	 * and the post itself
	 */
	RenderedPost repostedBy(RenderedPost repost, List<RenderedPost> others) {
		int begin = endOfFirstTag();
		byte[] line = repost.utf8;
		byte[] after = others.isEmpty() ? NOTHING : alsoListed(others);
		byte[] markup = Arrays.copyOf(this.utf8, this.utf8.length + line.length + after.length);
		System.arraycopy(line, 0, markup, begin, line.length);
		System.arraycopy(this.utf8, begin, markup, begin + line.length, this.utf8.length - begin);
		System.arraycopy(after, 0, markup, this.utf8.length + line.length, after.length);
		return new RenderedPost(this.post, this.author, this.counts, this.mentioned, markup, repost.post);
	}

	private static byte[] alsoListed(List<RenderedPost> others) {
		ByteArrayOutputStream markup = new ByteArrayOutputStream();
		markup.writeBytes(OTHERS_BEGIN);
		others.forEach((other) -> markup.writeBytes(other.isRepost() ? other.utf8 : ITSELF));
		markup.writeBytes(OTHERS_END);
		return markup.toByteArray();
	}

	/** Whether it is a repost, without a text of its own. */
	public boolean isRepost() {
		return this.post.repostOf() != null;
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
		Map<String, RenderedPost> originals = new HashMap<>();
		reposted.forEach((post) -> originals.putIfAbsent(post.post().id(), post));
		Map<String, List<RenderedPost>> entries = new LinkedHashMap<>();
		for (RenderedPost post : listed) {
			if (!post.isRepost()) {
				originals.putIfAbsent(post.post().id(), post);
			}
			entries.computeIfAbsent(post.shownId(), (shown) -> new ArrayList<>(1)).add(post);
		}
		List<RenderedPost> each = new ArrayList<>(entries.size());
		entries.forEach((shown, same) -> {
			RenderedPost original = originals.get(shown);
			if (original != null) {
				each.add(original.shownBy(same));
			}
		});
		return each;
	}

	/** The id of the post that an entry of a list shows. */
	private String shownId() {
		String original = this.post.repostOf();
		return (original != null) ? original : this.post.id();
	}

	/** This post in the place of the first of the entries of a list that show it. */
	private RenderedPost shownBy(List<RenderedPost> entries) {
		RenderedPost first = entries.get(0);
		return first.isRepost() ? repostedBy(first, entries.subList(1, entries.size())) : this;
	}

}
