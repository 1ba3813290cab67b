package live.retwis.archive;

import java.util.Collection;
import java.util.List;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Statement;
import live.retwis.text.ParsedPostText;
import reactor.core.publisher.Flux;

/**
 * The statements that store the tags of posts, as {@link ArchivedPostsInsert} does the
 * posts. What is there stays. They come in one order, so that two statements do not wait
 * for each other.
 */
final class ArchivedTagsInsert {

	private ArchivedTagsInsert() {
	}

	private static List<Row> rows(Collection<ArchivedPost> posts) {
		return posts.stream()
			.flatMap((post) -> ParsedPostText.of(post.fields().getOrDefault("body", ""))
				.tags()
				.stream()
				.map((tag) -> new Row(tag, post.committed(), post.id())))
			.toList();
	}

	/**
	 * One statement for PostgreSQL.
	 * @param deadline ms of the server's clock
	 */
	static Flux<Long> atOnce(Connection connection, Collection<ArchivedPost> posts, long deadline) {
		List<Row> rows = rows(posts);
		return ArchiveDatabase.updated(connection.createStatement("""
				insert into tags (tag, committed, id)
				select tag, committed, id from unnest($1, $2, $3) as row (tag, committed, id)
				where extract(epoch from clock_timestamp()) * 1000 < $4
				order by tag, committed, id
				on conflict do nothing""")
			.bind(0, rows.stream().map(Row::tag).toArray(String[]::new))
			.bind(1, rows.stream().map(Row::committed).toArray(Long[]::new))
			.bind(2, rows.stream().map(Row::id).toArray(String[]::new))
			.bind(3, deadline));
	}

	/** The statement for H2, to be run in a transaction. */
	static Flux<Long> oneByOne(Connection connection, Collection<ArchivedPost> posts) {
		Statement merge = connection.createStatement("merge into tags (tag, committed, id) values (?, ?, ?)");
		boolean more = false;
		for (Row row : rows(posts)) {
			if (more) {
				merge.add();
			}
			merge.bind(0, row.tag()).bind(1, row.committed()).bind(2, row.id());
			more = true;
		}
		return more ? ArchiveDatabase.updated(merge) : Flux.just(0L);
	}

	private record Row(String tag, long committed, String id) {
	}

}
