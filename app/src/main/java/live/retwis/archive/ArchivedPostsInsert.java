package live.retwis.archive;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Statement;
import live.retwis.text.SearchWords;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * The statements that store posts. A post that is there is replaced. PostgreSQL gets all
 * posts in one array for each column, because each post of a batch would be a round trip.
 * H2 runs in this process, and takes a batch.
 */
final class ArchivedPostsInsert {

	private static final Column<String> ID = new Column<>(String.class, ArchivedPost::id);

	private static final Column<Long> COMMITTED = new Column<>(Long.class, ArchivedPost::committed);

	/** In the order of {@link ArchivedPostRepository#COLUMNS}. */
	private static final List<Column<?>> COLUMNS = columns();

	private static final Column<String> WORDS = new Column<>(String.class, ArchivedPostsInsert::words);

	/** The types of parameters that H2 cannot find out. */
	private static final Map<Class<?>, String> TYPES = Map.of(String.class, "varchar", Long.class, "bigint",
			Boolean.class, "boolean");

	/** A post is found by so many words, as in Redis. */
	private static final int MOST_WORDS = 50;

	private ArchivedPostsInsert() {
	}

	private static List<Column<?>> columns() {
		List<Column<?>> columns = new ArrayList<>(List.of(ID, new Column<>(String.class, ArchivedPost::author),
				COMMITTED, new Column<>(Boolean.class, ArchivedPost::pulled)));
		ArchivedPostRepository.TEXTS
			.forEach((name) -> columns.add(new Column<>(String.class, (post) -> post.fields().get(name))));
		ArchivedPostRepository.NUMBERS.forEach((name) -> columns.add(new Column<>(Long.class,
				(post) -> Optional.ofNullable(post.fields().get(name)).map(Long::valueOf).orElse(null))));
		return columns;
	}

	/** The words by which the post is found. */
	private static String words(ArchivedPost post) {
		return SearchWords.of(post.fields().getOrDefault("body", ""))
			.stream()
			.filter(SearchWords::isTelling)
			.limit(MOST_WORDS)
			.collect(Collectors.joining(" "));
	}

	/**
	 * One statement for PostgreSQL. The server looks at its clock when it stores a post,
	 * so a statement that was held up on the way stores nothing.
	 * @param deadline ms of the server's clock
	 */
	static Flux<Long> atOnce(Connection connection, Collection<ArchivedPost> posts, long deadline) {
		Statement insert = connection.createStatement("insert into posts (" + ArchivedPostRepository.COLUMNS
				+ ", words) select " + ArchivedPostRepository.COLUMNS + ", string_to_array(words, ' ') from unnest("
				+ markers((i) -> "$" + (i + 1), COLUMNS.size() + 1) + ") as post (" + ArchivedPostRepository.COLUMNS
				+ ", words) where extract(epoch from clock_timestamp()) * 1000 < $" + (COLUMNS.size() + 2)
				+ " on conflict (id) do update set " + replaced(ArchivedPostRepository.COLUMNS + ", words"));
		for (int i = 0; i < COLUMNS.size(); i++) {
			COLUMNS.get(i).bindAll(insert, i, posts);
		}
		WORDS.bindAll(insert, COLUMNS.size(), posts);
		insert.bind(COLUMNS.size() + 1, deadline);
		return ArchiveDatabase.updated(insert);
	}

	/**
	 * Stores only the words of posts, in PostgreSQL.
	 * @param deadline ms of the server's clock
	 */
	static Flux<Long> wordsAtOnce(Connection connection, Collection<ArchivedPost> posts, long deadline) {
		Statement insert = connection.createStatement("""
				insert into young_words (id, committed, words)
				select id, committed, string_to_array(words, ' ') from unnest($1, $2, $3) as post (id, committed, words)
				where words <> '' and extract(epoch from clock_timestamp()) * 1000 < $4
				order by id
				on conflict do nothing""");
		ID.bindAll(insert, 0, posts);
		COMMITTED.bindAll(insert, 1, posts);
		WORDS.bindAll(insert, 2, posts);
		return ArchiveDatabase.updated(insert.bind(3, deadline));
	}

	/**
	 * Removes the words of these posts that are stored apart, because the posts have them
	 * now.
	 */
	static Flux<Long> removeYoungWords(Connection connection, Collection<ArchivedPost> posts) {
		Statement delete = connection.createStatement(
				"delete from young_words where id = any($1) and exists (select 1 from posts where posts.id = young_words.id)");
		ID.bindAll(delete, 0, posts);
		return ArchiveDatabase.updated(delete);
	}

	/**
	 * The new value of each column. A post that was pulled stays one: when it moves
	 * again, an earlier try may have removed it from the list that says so.
	 */
	private static String replaced(String columns) {
		return Stream.of(columns.split(", "))
			.map((name) -> name + " = " + (name.equals("pulled") ? "posts.pulled or " : "") + "excluded." + name)
			.collect(Collectors.joining(", "));
	}

	/** The statement for H2, to be run in a transaction. */
	static Flux<Long> oneByOne(Connection connection, Collection<ArchivedPost> posts) {
		Statement merge = connection.createStatement("merge into posts using (values ("
				+ markers((i) -> "cast(? as " + TYPES.get(COLUMNS.get(i).type()) + ")", COLUMNS.size())
				+ ")) as excluded (" + ArchivedPostRepository.COLUMNS + ") on posts.id = excluded.id"
				+ " when matched then update set " + replaced(ArchivedPostRepository.COLUMNS)
				+ " when not matched then insert (" + ArchivedPostRepository.COLUMNS + ") values (excluded."
				+ ArchivedPostRepository.COLUMNS.replace(", ", ", excluded.") + ")");
		boolean more = false;
		for (ArchivedPost post : posts) {
			if (more) {
				merge.add();
			}
			for (int i = 0; i < COLUMNS.size(); i++) {
				COLUMNS.get(i).bind(merge, i, post);
			}
			more = true;
		}
		return ArchiveDatabase.updated(merge);
	}

	private static String markers(IntFunction<String> marker, int count) {
		return IntStream.range(0, count).mapToObj(marker).collect(Collectors.joining(", "));
	}

	/** A column, with its value of a post. */
	private record Column<T>(Class<T> type, Function<ArchivedPost, @Nullable T> value) {

		void bind(Statement statement, int index, ArchivedPost post) {
			T bound = this.value.apply(post);
			if (bound != null) {
				statement.bind(index, bound);
			}
			else {
				statement.bindNull(index, this.type);
			}
		}

		void bindAll(Statement statement, int index, Collection<ArchivedPost> posts) {
			Object values = Array.newInstance(this.type, posts.size());
			int i = 0;
			for (ArchivedPost post : posts) {
				Array.set(values, i, this.value.apply(post));
				i++;
			}
			statement.bind(index, values);
		}

	}

}
