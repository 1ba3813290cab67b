package live.retwis.post;

import java.util.List;
import java.util.function.Predicate;

import live.retwis.archive.ArchiveAwayException;
import org.jspecify.annotations.Nullable;

/**
 * The posts of a part of a list.
 *
 * @param ids the part of the list
 * @param posts those that exist, in the same order, each of them once
 * @param away why the part ends here; null when it does not end before a post that only
 * the archive has
 */
public record PostListSlice(List<String> ids, List<RenderedPost> posts, @Nullable ArchiveAwayException away) {

	/** The same part without some of its posts. */
	public PostListSlice without(Predicate<RenderedPost> some) {
		return new PostListSlice(this.ids, this.posts.stream().filter(some.negate()).toList(), this.away);
	}

	/** Whether the part ends before a post that only the archive has, which is away. */
	public boolean isCut() {
		return this.away != null;
	}

	/**
	 * All posts of the list.
	 * @throws ArchiveAwayException when one cannot be read
	 */
	public List<RenderedPost> whole() {
		if (this.away != null) {
			throw this.away;
		}
		return this.posts;
	}

}
