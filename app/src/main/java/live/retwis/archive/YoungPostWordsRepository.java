package live.retwis.archive;

import java.util.Collection;
import java.util.List;

import reactor.core.publisher.Mono;

import org.springframework.stereotype.Repository;

/**
 * The words of posts that have not moved to the archive yet: the table
 * {@code young_words}, which only PostgreSQL has.
 */
@Repository
public class YoungPostWordsRepository {

	private final ArchiveDatabase database;

	YoungPostWordsRepository(ArchiveDatabase database) {
		this.database = database;
	}

	/** Whether the archive has words of young posts. */
	public boolean isUsed() {
		return this.database.hasWords();
	}

	/**
	 * Stores the words of posts.
	 * @param deadline ms of the {@linkplain ArchiveDatabase#clock database's clock},
	 * after which nothing is stored
	 * @return of how many posts they are stored
	 */
	Mono<Long> save(Collection<ArchivedPost> posts, long deadline) {
		return posts.isEmpty() ? Mono.just(0L) : this.database.inBackground((client) -> client.inConnection(
				(connection) -> ArchivedPostsInsert.wordsAtOnce(connection, posts, deadline).reduce(0L, Long::sum)));
	}

	/** Whether {@link #setComplete} was ever called. */
	Mono<Boolean> isComplete() {
		return this.database.inBackground((client) -> client.sql("select young_words from site")
			.map((row) -> Boolean.TRUE.equals(row.get(0, Boolean.class)))
			.one());
	}

	/** Notes that posts from before there was an archive have their words here, too. */
	Mono<Void> setComplete() {
		return this.database
			.inBackground((client) -> client.sql("update site set young_words = true").fetch().rowsUpdated())
			.then();
	}

	/** The first ids after another one in the order of ids. */
	public Mono<List<String>> ids(String after, int count) {
		return this.database.inBackground(
				(client) -> client.sql("select id from young_words where id > :after order by id limit :count")
					.bind("after", after)
					.bind("count", count)
					.map((row) -> String.valueOf(row.get(0, String.class)))
					.all()
					.collectList());
	}

}
