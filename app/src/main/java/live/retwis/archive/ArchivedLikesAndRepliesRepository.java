package live.retwis.archive;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Statement;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/**
 * The lists of archived posts: the table {@code lists}. A list has the name of its key in
 * Redis, and its members, each before its score, with a space between all of them.
 */
@Repository
public class ArchivedLikesAndRepliesRepository {

	private final ArchiveDatabase database;

	ArchivedLikesAndRepliesRepository(ArchiveDatabase database) {
		this.database = database;
	}

	/** The members of a list; empty when the archive does not have it. */
	Mono<String> find(String name) {
		return this.database
			.read((client) -> find(client, List.of(name)).flatMap((found) -> Mono.justOrEmpty(found.get(name))));
	}

	/** Those of the lists that are there. No page waits for it. */
	Mono<Map<String, String>> readBack(Collection<String> names) {
		return names.isEmpty() ? Mono.just(Map.of()) : this.database.inBackground((client) -> find(client, names));
	}

	private static Mono<Map<String, String>> find(DatabaseClient client, Collection<String> names) {
		return client.sql("select name, members from lists where name in (:names)")
			.bind("names", names)
			.map((row) -> Map.entry(String.valueOf(row.get("name", String.class)),
					String.valueOf(row.get("members", String.class))))
			.all()
			.collectMap(Map.Entry::getKey, Map.Entry::getValue);
	}

	/**
	 * Stores lists. One that is there is replaced, unless it was used later. One without
	 * members is removed.
	 * @param deadline ms of the {@linkplain ArchiveDatabase#clock database's clock},
	 * after which nothing is changed
	 */
	Mono<Void> save(Collection<ArchivedList> lists, long deadline) {
		return lists.isEmpty() ? Mono.empty() : this.database.inBackground((client) -> this.database.isPostgres()
				? client.inConnection((connection) -> replaceEach(connection, lists, deadline).then())
				: ArchiveDatabase.inTransaction(client, deadline, (connection) -> replace(connection, lists)).then())
			.then(Mono.defer(this.database::sync));
	}

	/**
	 * For PostgreSQL, each list by a statement of its own. The server looks at its clock
	 * when it changes a list, so a statement that was held up on the way changes nothing.
	 */
	private static Flux<Long> replaceEach(Connection connection, Collection<ArchivedList> lists, long deadline) {
		String inTime = "extract(epoch from clock_timestamp()) * 1000 < ";
		List<List<Object>> empty = new ArrayList<>();
		List<List<Object>> stored = new ArrayList<>();
		lists.forEach((list) -> {
			if (list.members().isEmpty()) {
				empty.add(List.of(list.name(), list.used(), deadline));
			}
			else {
				stored.add(List.of(list.name(), list.members(), list.used(), deadline));
			}
		});
		return run(connection, "delete from lists where name = $1 and used <= $2 and " + inTime + "$3", empty)
			.concatWith(run(connection,
					"insert into lists (name, members, used) select cast($1 as varchar), cast($2 as varchar), "
							+ "cast($3 as bigint) where " + inTime + "$4 on conflict (name) do update set "
							+ "members = excluded.members, used = excluded.used where lists.used <= excluded.used",
					stored));
	}

	/** For H2, to be run in a transaction. */
	private static Flux<Long> replace(Connection connection, Collection<ArchivedList> lists) {
		return run(connection, "delete from lists where name = ? and used <= ?",
				lists.stream().map((list) -> List.<Object>of(list.name(), list.used())).toList())
			.concatWith(run(connection,
					"insert into lists (name, members, used) select cast(? as varchar), cast(? as varchar), "
							+ "cast(? as bigint) where not exists (select 1 from lists where name = cast(? as varchar))",
					lists.stream()
						.filter((list) -> !list.members().isEmpty())
						.map((list) -> List.<Object>of(list.name(), list.members(), list.used(), list.name()))
						.toList()));
	}

	/** Runs a statement for each row of values. */
	private static Flux<Long> run(Connection connection, String sql, List<List<Object>> rows) {
		if (rows.isEmpty()) {
			return Flux.empty();
		}
		Statement statement = connection.createStatement(sql);
		for (int row = 0; row < rows.size(); row++) {
			if (row > 0) {
				statement.add();
			}
			for (int i = 0; i < rows.get(row).size(); i++) {
				statement.bind(i, rows.get(row).get(i));
			}
		}
		return ArchiveDatabase.updated(statement);
	}

	/** Removes lists. */
	Mono<Void> remove(Collection<String> names) {
		return removeUnused(names, Long.MAX_VALUE);
	}

	/**
	 * Removes lists, in one statement.
	 * @param used ms; those that were used later stay
	 */
	Mono<Void> removeUnused(Collection<String> names, long used) {
		return names.isEmpty() ? Mono.empty()
				: this.database
					.inBackground((client) -> client.sql("delete from lists where name in (:names) and used <= :used")
						.bind("names", names)
						.bind("used", used)
						.fetch()
						.rowsUpdated())
					.then();
	}

	/** Names of lists after a name, in their order. */
	public Mono<List<String>> names(String after, int count) {
		return this.database.inBackground(
				(client) -> client.sql("select name from lists where name > :after order by name limit :count")
					.bind("after", after)
					.bind("count", count)
					.map((row) -> String.valueOf(row.get("name", String.class)))
					.all()
					.collectList());
	}

	/**
	 * A list of an archived post.
	 *
	 * @param name its key in Redis
	 * @param members each before its score, with a space between all of them
	 * @param used ms of its last use
	 */
	record ArchivedList(String name, String members, long used) {
	}

}
