package live.retwis.archive;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;

/**
 * Places of archived posts of one author.
 *
 * @param places newest first
 * @param end whether the author has no older ones
 */
public record ArchivedPostCursors(List<Cursor> places, boolean end) {

	/** The places of an author who has no archived posts. */
	public static final ArchivedPostCursors NONE = new ArchivedPostCursors(List.of(), true);

	static ArchivedPostCursors of(List<Row> rows) {
		return new ArchivedPostCursors(rows.stream().map(Row::place).toList(), rows.size() < rows.get(0).most());
	}

	/**
	 * The authors who may have more places among the newest of all.
	 * @param count how many of the newest places are wanted
	 */
	static Map<String, Cursor> unfinished(Map<String, ArchivedPostCursors> found, Map<String, Cursor> authors,
			int count) {
		List<Cursor> newest = CursorOrder.newest(found.values().stream().map(ArchivedPostCursors::places).toList(),
				count);
		long last = (newest.size() < count) ? Long.MIN_VALUE : newest.get(count - 1).score();
		Map<String, Cursor> unfinished = new HashMap<>(authors);
		unfinished.keySet().removeIf((author) -> {
			ArchivedPostCursors of = found.getOrDefault(author, NONE);
			return of.end() || of.places().get(of.places().size() - 1).score() < last;
		});
		return unfinished;
	}

	/**
	 * A row of a statement for several authors.
	 *
	 * @param most most rows of this author
	 */
	record Row(String author, Cursor place, long most) {
	}

}
