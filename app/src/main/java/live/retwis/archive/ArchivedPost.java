package live.retwis.archive;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A post as the archive has it.
 *
 * @param id the post's id
 * @param committed ms of its commit: its place in every list
 * @param pulled whether readers pull it
 * @param fields what {@code post:{id}} had
 */
public record ArchivedPost(String id, long committed, boolean pulled, Map<String, String> fields) {

	/** User id of the author. */
	public String author() {
		return this.fields.getOrDefault("author", "");
	}

	/**
	 * Whether the archive has it as it is here. Once a post was pulled, it stays that
	 * there.
	 */
	boolean isStoredAs(@Nullable ArchivedPost stored) {
		return stored != null
				&& stored.equals(new ArchivedPost(this.id, this.committed, this.pulled || stored.pulled, this.fields));
	}

	/** One of its counts, such as {@code likes}. */
	long count(String field) {
		return Long.parseLong(this.fields.getOrDefault(field, "0"));
	}

}
