package live.retwis.archive;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import live.retwis.redis.Cursor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Repository;

/**
 * Stores the tags and words of posts, including posts that are still in Redis: the table
 * {@code tags}, and on PostgreSQL the table {@code young_words}.
 */
@Repository
public class ArchiveSearchIndexRepository {

	private final ArchiveDatabase database;

	ArchiveSearchIndexRepository(ArchiveDatabase database) {
		this.database = database;
	}

	/**
	 * Stores the tags of posts.
	 * @param deadline ms of the {@linkplain ArchiveDatabase#clock database's clock},
	 * after which nothing is stored
	 */
	Mono<Void> saveTags(Collection<ArchivedPost> posts, long deadline) {
		return this.database.inBackground((client) -> this.database.isPostgres()
				? client.inConnection((connection) -> ArchivedTagsInsert.atOnce(connection, posts, deadline).then())
				: ArchiveDatabase
					.inTransaction(client, deadline, (connection) -> ArchivedTagsInsert.oneByOne(connection, posts))
					.then())
			.then(Mono.defer(this.database::sync));
	}

	/**
	 * The same together with their words. A post that has moved meanwhile has its words
	 * with it.
	 */
	Mono<Void> save(Collection<ArchivedPost> posts, long deadline) {
		return saveTags(posts, deadline).then(Mono.defer(() -> !this.database.hasWords() ? Mono.empty()
				: this.database.inBackground((client) -> client
					.inConnection((connection) -> ArchivedPostsInsert.wordsAtOnce(connection, posts, deadline)
						.thenMany(ArchivedPostsInsert.removeYoungWords(connection, posts))
						.then()))));
	}

	/** The latest places of posts that have the tag, before a place, newest first. */
	Mono<List<Cursor>> tagged(String tag, Cursor before, int count) {
		return this.database.read((client) -> client
			.sql("select committed, id from tags where tag = :tag and committed <= :millis "
					+ "and (committed, id) < (:millis, :id) order by committed desc, id desc limit :count")
			.bind("tag", tag)
			.bind("millis", before.score())
			.bind("id", before.member())
			.bind("count", count)
			.map(ArchivedPostRepository::place)
			.all()
			.collectList());
	}

	/**
	 * How many posts each tag has, in the order of the tags. A statement for each, which
	 * reads no more posts than it counts.
	 * @param most where the counting of a tag ends
	 */
	Flux<Map.Entry<String, Long>> counts(int most) {
		return count("", most).expand((tag) -> count(tag.getKey(), most));
	}

	private Mono<Map.Entry<String, Long>> count(String after, int most) {
		return this.database.inBackground((client) -> client
			.sql("select tag, count(*) from (select tag from tags where tag = (select tag from tags "
					+ "where tag > :after order by tag limit 1) limit :most) as counted group by tag")
			.bind("after", after)
			.bind("most", most)
			.map((row) -> Map.entry(String.valueOf(row.get(0, String.class)),
					Objects.requireNonNull(row.get(1, Long.class))))
			.one());
	}

	/** The first ids after another one in the order of ids. */
	public Mono<List<String>> ids(String after, int count) {
		String tagged = some("tags");
		String all = "(" + tagged + ") union (" + some("young_words") + ") order by id limit :count";
		return this.database.inBackground((client) -> client.sql(this.database.hasWords() ? all : tagged)
			.bind("after", after)
			.bind("count", count)
			.map((row) -> String.valueOf(row.get(0, String.class)))
			.all()
			.collectList());
	}

	private static String some(String table) {
		return "select distinct id from " + table + " where id > :after order by id limit :count";
	}

}
