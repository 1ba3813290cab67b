package live.retwis.archive;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Cursor;
import live.retwis.testing.Site;
import live.retwis.testing.TestPostgres;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Range;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a connection keeps of the statements that were made on it. From the sixth time on
 * PostgreSQL may plan a statement without its values. The instance has one connection, so
 * that a test sees what it keeps.
 */
@ExtendWith(RedisExtension.class)
@EnabledIf("isPossible")
class ArchiveStatementsTests {

	private static final Duration BOUND = Duration.ofSeconds(30);

	private static final String AUTHOR = "0Aauthor";

	/** After so many times PostgreSQL no longer plans a statement with its values. */
	private static final int PLANNED_WITH_VALUES = 5;

	private static final int YEARS = 20;

	private static TestPostgres database;

	private static Site site;

	static boolean isPossible() {
		return TestPostgres.isPossible();
	}

	@BeforeAll
	static void start(@OwnRedis TestRedis redis) {
		database = TestPostgres.start();
		site = Site.start(redis,
				Stream
					.concat(database.settings().stream(),
							Stream.of("--retwis.archive.every=1h", "--retwis.archive.connections=1"))
					.toArray(String[]::new));
		Awaitility.await("the last index is made")
			.atMost(BOUND)
			.until(() -> !database
				.sql("select 1 from pg_index where indexrelid = to_regclass('pulled_posts_of_author') and indisvalid")
				.isEmpty());
		plant("0S", "'" + AUTHOR + "'");
		plant("0T", "'0B' || i / 20");
		database.sql("analyze posts");
	}

	/** Without its values, a statement is planned for the author of the usual number. */
	private static void plant(String prefix, String author) {
		database.sql("insert into posts (id, author, committed, pulled, username, created, body) select '" + prefix
				+ "' || lpad(i::text, 11, '0'), " + author
				+ ", i, false, 'name', 1, 'text' from generate_series(1, 20000) i");
	}

	@AfterAll
	static void stop() {
		site.close();
		database.close();
	}

	private static ArchivedPostRepository archive() {
		return site.bean(ArchivedPostRepository.class);
	}

	private static List<String> ids(int count) {
		return IntStream.rangeClosed(1, count).mapToObj("0S%011d"::formatted).toList();
	}

	private static List<String> ask(String sql) {
		return site.bean(ArchiveDatabase.class)
			.inBackground((client) -> client.sql(sql).map((row) -> row.get(0, String.class)).all().collectList())
			.blockOptional(BOUND)
			.orElseThrow();
	}

	/** What the statement does when it is made again with these values. */
	private static String plan(String part, String values) {
		List<String> names = ask("select name from pg_prepared_statements where statement like '%" + part + "%'");
		assertThat(names).hasSize(1);
		return String.join("\n",
				ask("explain (analyze, timing off) execute \"" + names.get(0) + "\" (" + values + ")"));
	}

	private static void repeat(Mono<?> statement) {
		for (int i = 0; i < PLANNED_WITH_VALUES; i++) {
			statement.block(BOUND);
		}
	}

	@Test
	void postsThatDoNotCountAreLookedUpInATableHoweverOftenPostsAreCounted() {
		Mono<Long> counted = archive().count(AUTHOR, ids(1_000));
		repeat(counted);
		assertThat(counted.block(BOUND)).isEqualTo(19_000L);
		assertThat(plan("count(*) from posts where author", "'" + AUTHOR + "', array['x']")).contains("hashed");
	}

	@Test
	void onlyPostsOfTheDaysAreReadHoweverOftenTheyAreAskedFor() {
		List<Range<Long>> days = IntStream.rangeClosed(1, YEARS)
			.mapToObj((i) -> Range.closed(i * 900L, i * 900L + 2))
			.toList();
		Mono<List<Long>> found = archive().within(AUTHOR, days, 4)
			.map((places) -> places.stream().map(Cursor::score).toList());
		repeat(found);
		assertThat(found.block(BOUND)).containsExactly(18_002L, 18_001L, 18_000L, 17_102L);
		assertThat(plan("between", "'" + AUTHOR + "'" + ", 1".repeat(2 * YEARS + 1)))
			.doesNotContain("Removed by Filter");
	}

	@Test
	void aConnectionKeepsOnlySomeOfTheStatementsThatWereMadeOnIt() {
		IntStream.rangeClosed(1, 100)
			.mapToObj(ArchiveStatementsTests::ids)
			.forEach((ids) -> assertThat(archive().readBack(ids).block(BOUND)).hasSameSizeAs(ids));
		assertThat(Integer.parseInt(ask("select count(*)::text from pg_prepared_statements").get(0))).isBetween(10, 70);
	}

	/** One statement for all of them may take longer than any may. */
	@Test
	void manyCountsAreForgottenWithSeveralStatements() {
		database.sql("""
				create table updated (posts bigint);
				create function note_updated() returns trigger language plpgsql as $$
				begin
				  insert into updated select count(*) from changed;
				  return null;
				end $$;
				update posts set likes = 1, replies = 1, reposts = 1 where author = '%s';
				insert into lists (name, members, used) values ('likes:0S00000000001', '0A 1', 1);
				create trigger note_updated after update on posts referencing new table as changed
				  for each statement execute function note_updated()""".formatted(AUTHOR));
		try {
			archive().forgetCountsWithoutLists(AUTHOR).block(BOUND);
			assertThat(database.sql("select max(posts) < 10000 from updated")).containsExactly("t");
			assertThat(database.sql("select id from posts where likes > 0 or replies > 0 or reposts > 0"))
				.containsExactly("0S00000000001");
			assertThat(database.sql("select sum(likes) from posts")).containsExactly("1");
		}
		finally {
			database.sql("drop trigger note_updated on posts; delete from lists");
		}
	}

}
