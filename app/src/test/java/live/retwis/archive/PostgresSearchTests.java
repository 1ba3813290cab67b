package live.retwis.archive;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

import live.retwis.doctor.Doctor;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.LogPosition;
import live.retwis.post.Post;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.search.WordRepository;
import live.retwis.testing.AllPages;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.TestPostgres;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** The search in an archive on PostgreSQL, also for posts that have not moved yet. */
@ExtendWith(RedisExtension.class)
@EnabledIf("live.retwis.testing.TestPostgres#isPossible")
class PostgresSearchTests extends ArchiveScene {

	/** More posts than a search goes through by time. */
	private static final int MANY = 100_000;

	private static final List<String> WORDS = List.of("common", "former", "seldom", "rare");

	private static TestPostgres database;

	private static Site site;

	@BeforeAll
	static void start(@OwnRedis TestRedis redis) {
		database = TestPostgres.start();
		site = PostgresArchiveTests.start(redis, database);
	}

	@AfterAll
	static void stop() {
		site.close();
		database.close();
	}

	@Test
	void theSearchGoesOnIntoTheArchive() {
		String word = "w" + Visitor.freshName();
		long millis = daysAgo(200);
		List<String> found = new ArrayList<>();
		for (int i = 0; i < 45; i++) {
			Cursor place = new Cursor(millis - i * 1000L, newId());
			found.add(this.store.plant(this.author, place, Map.of("body", "Some " + word + " and 天气 here")));
		}
		move();
		assertThat(AllPages.idsOf(this.stranger, "/search?q=" + word)).containsExactlyElementsOf(found);
		assertThat(AllPages.idsOf(this.stranger, "/search?q=" + word + "+%E5%A4%A9%E6%B0%94")).hasSize(45);
		assertThat(AllPages.idsOf(this.stranger, "/search?q=" + word + "+nowhere")).isEmpty();
	}

	/** A fail-over can lose the first one. */
	@Test
	void aPostThatWasCommittedTwiceIsFoundOnce() {
		String word = "w" + Visitor.freshName();
		String post = this.store.plant(this.author, new Cursor(daysAgo(100), newId()), Map.of("body", word));
		move();
		tellOfWords(post, daysAgo(1), word);
		Answer page = this.stranger.get("/search?q=" + word);
		assertThat(page.status()).isEqualTo(200);
		assertThat(page.postIds()).containsExactly(post);
	}

	@Test
	void aPostThatIsTooYoungToMoveIsFoundByItsWords() {
		String word = "w" + Visitor.freshName();
		List<String> young = posted(word, 25);
		writeWords();
		assertThat(AllPages.idsOf(this.stranger, "/search?q=" + word)).containsExactlyElementsOf(young);
		assertThat(AllPages.idsOf(this.stranger, "/search?q=" + word + "+some")).hasSize(25);
		assertThat(AllPages.idsOf(this.stranger, "/search?q=" + word + "+nowhere")).isEmpty();
		String moving = this.store.plant(this.author, new Cursor(daysAgo(100), newId()), Map.of("body", word));
		tellOfWords(moving, daysAgo(100), word);
		writeWords();
		move();
		assertThat(AllPages.idsOf(this.stranger, "/search?q=" + word)).hasSize(26).endsWith(moving);
		assertThat(database.sql("select id from young_words")).containsAll(young).doesNotContain(moving);
	}

	@Test
	void aDeletedPostThatIsTooYoungToMoveIsFoundNoMore() {
		String word = "w" + Visitor.freshName();
		List<String> young = posted(word, 3);
		assertThat(this.author.submit("/posts/" + young.get(0) + "/delete").status()).isEqualTo(303);
		writeWords();
		assertThat(database.sql("select id from young_words")).contains(young.get(1)).doesNotContain(young.get(0));
		assertThat(this.author.submit("/posts/" + young.get(1) + "/delete").status()).isEqualTo(303);
		assertThat(AllPages.idsOf(this.stranger, "/search?q=" + word)).containsExactly(young.get(2));
		FanOutWait.settle(site);
		sweep();
		assertThat(database.sql("select id from young_words")).contains(young.get(2)).doesNotContain(young.get(1));
		this.author.get("/settings");
		assertThat(this.author.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		assertThat(this.stranger.get("/search?q=" + word).postIds()).isEmpty();
		FanOutWait.settle(site);
		sweep();
		assertThat(database.sql("select id from young_words")).doesNotContainAnyElementsOf(young);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void postsFromBeforeThereWasAnArchiveAreFoundByTheirWords() {
		String word = "w" + Visitor.freshName();
		Cursor place = new Cursor(daysAgo(60), newId());
		String post = this.store.plant(this.author, place, Map.of("body", "Some " + word));
		assertThat(this.stranger.get("/search?q=" + word).postIds()).isEmpty();
		String tag = "t" + Visitor.freshName();
		String moved = this.store.plant(this.author, new Cursor(daysAgo(100), newId()), Map.of("body", "#" + tag));
		move();
		database.sql("delete from tags where id = '" + moved + "'");
		site.bean(ArchiveSearchIndex.class).hasMoreOf(tag).block(BOUND);
		assertThat(this.stranger.get("/tags/" + tag).postIds()).isEmpty();
		site.redis().del(Keys.ARCHIVE_INDEXED);
		site.bean(ArchiveSearchIndexer.class).catchUp(System.currentTimeMillis()).block(BOUND);
		assertThat(this.stranger.get("/search?q=" + word).postIds()).containsExactly(post);
		assertThat(this.stranger.get("/tags/" + tag).postIds()).containsExactly(moved);
	}

	/** The mover wrote the post after its text was read here. */
	@Test
	void theWordsOfAPostThatHasMovedMeanwhileAreNotStoredApart() {
		String post = this.store.plant(this.author, new Cursor(daysAgo(100), newId()), Map.of("body", "some words"));
		copy(post);
		ArchivedPost read = new ArchivedPost(post, daysAgo(100), false, Map.of("body", "some words"));
		site.bean(ArchiveSearchIndexRepository.class).save(List.of(read), Long.MAX_VALUE).block(BOUND);
		assertThat(database.sql("select id from young_words")).doesNotContain(post);
	}

	/** Those who wrote the word have stopped, so it is in none of the newest posts. */
	@Test
	@Tag("slow")
	@Tag("long")
	void aSearchForAWordThatOnlyOldPostsHaveReadsFewOtherPosts() {
		plantManyPosts();
		try {
			assertRowsRead("posts", 500, () -> assertThat(search(new Cursor(MANY, ""), 40, "common")).hasSize(40));
			assertRowsRead("posts", 500, () -> assertThat(search(new Cursor(10, ""), 40, "common")).isNotEmpty());
			assertRowsRead("posts", 30_000, () -> assertThat(search(new Cursor(MANY, ""), 40, "former")).hasSize(40));
		}
		finally {
			removeManyPosts();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aSearchFindsTheNewestPostsBeforeAnyPlaceWhereverTheWordIs() {
		plantManyPosts();
		try {
			long seed = System.nanoTime();
			Random random = new Random(seed);
			for (int i = 0; i < 100; i++) {
				Cursor before = new Cursor(random.nextInt(MANY / 3 + 10), "0S%011d".formatted(random.nextInt(MANY)));
				int count = 1 + random.nextInt(100);
				String words = random.ints(1 + random.nextInt(2), 0, WORDS.size())
					.mapToObj(WORDS::get)
					.collect(Collectors.joining(","));
				String found = " where words @> '{" + words + "}' and (committed, id) < (" + before.score() + ", '"
						+ before.member() + "')";
				assertThat(search(before, count, words.split(",")).stream().map(Cursor::member))
					.as("%s of %s before %s, seed %s", count, words, before, seed)
					.containsExactlyElementsOf(database.sql("select id from (select committed, id from posts" + found
							+ " union select committed, id " + "from young_words" + found
							+ ") found order by committed desc, id desc limit " + count));
			}
		}
		finally {
			removeManyPosts();
		}
	}

	/** To compile a statement and to start processes takes longer than most searches. */
	@Test
	void theDatabaseNeitherCompilesSearchesNorStartsProcessesForThem() {
		assertThat(site.bean(ArchiveDatabase.class)
			.search((client) -> client
				.sql("select current_setting('jit') || ' ' || current_setting('max_parallel_workers_per_gather')")
				.map((row) -> row.get(0, String.class))
				.one())
			.block(BOUND)).isEqualTo("off 0");
	}

	private static List<Cursor> search(Cursor before, int count, String... words) {
		return site.bean(ArchivedPostRepository.class)
			.search(List.of(words), before, count)
			.blockOptional(BOUND)
			.orElseThrow();
	}

	/**
	 * Posts of 1970, three of each ms, so that no other test comes upon them. Some of the
	 * young ones are just moving, so they are in both tables.
	 */
	@Test
	@Tag("slow")
	@Tag("long")
	void aSearchLooksItsWordsUpAsLongAsTheIndexesByTimeAreBeingMade() {
		plantManyPosts();
		database.sql("drop index posts_by_time");
		try {
			ArchivedPostRepository posts = new ArchivedPostRepository(site.bean(ArchiveDatabase.class),
					site.bean(SharedArchivedPostCache.class));
			assertRowsRead("posts", 500,
					() -> assertThat(posts.search(List.of("rare"), new Cursor(MANY, ""), 40).block(BOUND))
						.isNotEmpty());
		}
		finally {
			database.sql("create index posts_by_time on posts (committed desc, id desc)");
			removeManyPosts();
		}
	}

	private void plantManyPosts() {
		String words = "array_remove(array[case when i % 2 = 0 then 'common' end, case when i < 6000 then 'former' end, "
				+ "case when i % 1000 = 0 then 'seldom' end, case when i % 40000 = 7 then 'rare' end], null)::varchar[]";
		database.sql("insert into posts (id, author, committed, pulled, username, created, body, words) select '0S' || "
				+ "lpad(i::text, 11, '0'), '" + this.author.id() + "', i / 3, false, 'name', 1, 'text', " + words
				+ " from generate_series(1, " + MANY + ") i; "
				+ "insert into young_words (id, committed, words) select '0S' || lpad(i::text, 11, '0'), i / 3, "
				+ words + " from generate_series(" + (MANY - 10) + ", " + (MANY + 30_000) + ") i; "
				+ "analyze posts; analyze young_words");
	}

	private static void removeManyPosts() {
		database.sql("delete from posts where id like '0S%'; delete from young_words where id like '0S%'; "
				+ "analyze posts; analyze young_words");
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void theDoctorKeepsTheWordsOfAPostThatABackupMayHave() {
		String gone = newId();
		String there = posted("w" + Visitor.freshName(), 1).get(0);
		writeWords();
		database.sql("insert into young_words (id, committed, words) values ('" + gone + "', 1, '{gone}')");
		List<String> lines = site.bean(Doctor.class).examine(true, false, (progress) -> {
		}).map(Doctor.Line::text).collectList().blockOptional(BOUND).orElseThrow();
		assertThat(lines).anyMatch((line) -> line.equals("archived index of " + gone + ": its post does not exist; "
				+ "restore the post or delete its tags and words in the database by hand"));
		assertThat(lines).noneMatch((line) -> line.contains("index of " + there));
		assertThat(database.sql("select id from young_words")).contains(there, gone);
		database.sql("delete from young_words where id = '" + gone + "'");
	}

	/** Posts of 30 days ago and earlier, the newest first. */
	private List<String> posted(String word, int count) {
		List<String> posts = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			String text = "Some " + word + " of old";
			long committed = daysAgo(30) - i * 1000L;
			posts.add(this.store.plant(this.author, new Cursor(committed, newId()), Map.of("body", text)));
			tellOfWords(posts.get(i), committed, text);
		}
		return posts;
	}

	private void tellOfWords(String id, long committed, String text) {
		site.bean(WordRepository.class)
			.posted(new Post(id, this.author.id(), this.author.name(), committed, text, null, null, null),
					LogPosition.of(committed + "-0", "nonce"))
			.block(BOUND);
	}

	private static void writeWords() {
		site.bean(ArchiveSearchIndexer.class).writeNoted(Long.MAX_VALUE).block(BOUND);
	}

	private static void assertRowsRead(String table, long most, Runnable reading) {
		PostgresArchiveTests.assertRowsRead(database, table, most, reading);
	}

	@Override
	Site site() {
		return site;
	}

}
