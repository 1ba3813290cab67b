package live.retwis.archive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.AllPages;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.TestPostgres;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** The archive on PostgreSQL. */
@ExtendWith(RedisExtension.class)
@EnabledIf("isPossible")
class PostgresArchiveTests extends PageStatementsContract {

	/**
	 * Commands for a page: 30 posts are looked for, each with up to six commands, and the
	 * lists of those whom a reader follows.
	 */
	private static final int MOST_COMMANDS = 30 * 6 + 120;

	/** Authors of whom the archive is asked for fewer places than a page needs. */
	private static final int FOLLOWED = 40;

	private static TestPostgres database;

	private static Site site;

	private static TestRedis redis;

	static boolean isPossible() {
		return TestPostgres.isPossible();
	}

	@BeforeAll
	static void start(@OwnRedis TestRedis own) {
		database = TestPostgres.start();
		redis = own;
		site = start(redis, database);
	}

	/** Starts a site with this archive, which has made all its indexes. */
	static Site start(TestRedis redis, TestPostgres database) {
		Site site = Site.start(redis, settings(database));
		Awaitility.await("the last index is made")
			.atMost(BOUND)
			.until(() -> !database
				.sql("select 1 from pg_index where indexrelid = to_regclass('pulled_posts_of_author') and indisvalid")
				.isEmpty());
		return site;
	}

	static String[] settings(TestPostgres database) {
		return Stream
			.concat(database.settings().stream(),
					Stream.of("--retwis.archive.every=1h", "--retwis.timeline.own-size=50"))
			.toArray(String[]::new);
	}

	@AfterAll
	static void stop() {
		site.close();
		database.close();
	}

	/** SCAN may name an author twice. */
	@Test
	void aPostMayBeWrittenTwiceAtOnce() {
		String post = this.store.plant(this.author, new Cursor(daysAgo(30), newId()), Map.of("body", "some words"));
		ArchivedPost read = new ArchivedPost(post, daysAgo(30), false, Map.of("body", "some words #twice"));
		site.bean(ArchiveSearchIndexRepository.class).save(List.of(read, read), Long.MAX_VALUE).block(BOUND);
		assertThat(database.sql("select id from young_words")).containsOnlyOnce(post);
	}

	@Test
	void anIndexMayTakeAsLongAsItLikes() {
		database.sql("alter role retwis set statement_timeout = '7s'");
		try {
			List<String> limit = new ArrayList<>();
			site.bean(ArchiveDatabase.class)
				.atLength((client) -> client.sql("show statement_timeout")
					.map((row) -> String.valueOf(row.get(0, String.class)))
					.one()
					.doOnNext(limit::add)
					.then())
				.block(BOUND);
			assertThat(limit).containsExactly("0");
		}
		finally {
			database.sql("alter role retwis reset statement_timeout");
		}
	}

	/** The posts of page 5,000 are those of a long-time author. */
	@Test
	@Tag("slow")
	@Tag("long")
	void aPageOfAProfilePastTheBoundaryCostsTwoStatementsAtMost() {
		long millis = System.currentTimeMillis() - Duration.ofDays(200).toMillis();
		int posts = 5_010 * PAGE;
		database.sql("insert into posts (id, author, committed, pulled, username, created, body) select '0W' || "
				+ "lpad(i::text, 11, '0'), '" + this.author.id() + "', " + millis + " - i * 1000, false, '"
				+ this.author.name() + "', 1, 'text' from generate_series(0, " + (posts - 1) + ") i; analyze posts");
		site.redis().zadd(Keys.postsOf(this.author.id()), (double) millis, ArchiveMarkers.MARK);
		site.redis().zadd(Keys.postsOf(this.author.id()), (double) posts, ArchiveMarkers.COUNT);
		String first = "/@" + this.author.name();
		assertThat(statementsOf(site, () -> assertThat(this.stranger.get(first).postIds()).hasSize(PAGE)))
			.isLessThanOrEqualTo(2);
		for (int page : List.of(2, 50, 5_000)) {
			int last = (page - 1) * PAGE - 1;
			String path = first + "?before="
					+ new Cursor(millis - last * 1000L, "0W%011d".formatted(last)).text(Keys.postsOf(this.author.id()));
			assertThat(statementsOf(site, () -> assertThat(this.stranger.get(path).postIds()).hasSize(PAGE)
				.startsWith("0W%011d".formatted(last + 1)))).as(path).isLessThanOrEqualTo(2);
		}
	}

	/**
	 * The rest are posts that were pushed, from before the author had so many followers.
	 */
	@Test
	@Tag("slow")
	void onlyPulledPostsAreReadForPagesOfPulledPosts() {
		String author = this.author.id();
		database.sql("insert into posts (id, author, committed, pulled, username, created, body) select '0T' || "
				+ "lpad(i::text, 11, '0'), '" + author
				+ "', i, i < 3, 'name', 1, 'text' from generate_series(1, 5000) i; " + "analyze posts");
		assertFewRowsAreRead("posts",
				() -> assertThat(site.bean(ArchivedPostRepository.class)
					.latest(Map.of(author, new Cursor(Long.MAX_VALUE, "")), PAGE, true)
					.flatMapIterable(Map::values)
					.flatMapIterable(ArchivedPostCursors::places)
					.collectList()
					.block(BOUND)).hasSize(2));
	}

	@Test
	@Tag("slow")
	void onlyTheListsOfAnAuthorAreReadToForgetCountsWithoutLists() {
		String author = this.author.id();
		String id = newId();
		database.sql("insert into posts (id, author, committed, pulled, username, created, body, likes) values ('" + id
				+ "', '" + author + "', 1, false, 'name', 1, 'text', 1); "
				+ "insert into lists (name, members, used) select 'likes:' || i, '', 1 from generate_series(1, 5000) i; "
				+ "insert into lists (name, members, used) values ('likes:" + id + "', '', 1); analyze lists");
		try {
			assertFewRowsAreRead("lists",
					() -> site.bean(ArchivedPostRepository.class).forgetCountsWithoutLists(author).block(BOUND));
			assertThat(database.sql("select likes from posts where id = '" + id + "'")).containsExactly("1");
		}
		finally {
			database.sql("delete from lists where name like 'likes:%' and members = ''");
		}
	}

	/**
	 * The server tells of reads up to a second later, also of those of earlier tests. So
	 * the reading goes on for longer than that.
	 */
	private static void assertFewRowsAreRead(String table, Runnable reading) {
		assertRowsRead(database, table, 500, reading);
	}

	static void assertRowsRead(TestPostgres database, String table, long most, Runnable reading) {
		long before = rowsRead(database, table);
		long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
		AtomicInteger readings = new AtomicInteger();
		Awaitility.await().atMost(BOUND).until(() -> {
			reading.run();
			readings.incrementAndGet();
			return System.nanoTime() - end > 0 && rowsRead(database, table) > before;
		});
		assertThat((rowsRead(database, table) - before) / readings.get()).as("rows of one reading").isLessThan(most);
	}

	private static long rowsRead(TestPostgres database, String table) {
		return Long.parseLong(database.sql(
				"select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) from pg_stat_user_tables where relname = '"
						+ table + "'")
			.get(0));
	}

	/** Every post is by another author than the next one. */
	@Test
	@Tag("slow")
	@Tag("long")
	void aPageOfAHomeTimelinePastItsCapCostsTwoStatementsAtMost() {
		List<Visitor> followed = Stream.generate(() -> Visitor.registered(site)).limit(FOLLOWED).toList();
		long millis = System.currentTimeMillis() - Duration.ofDays(200).toMillis();
		List<String> all = new ArrayList<>();
		for (int i = 0; i < 2 * FOLLOWED; i++) {
			all.add(this.store.plant(followed.get(i % FOLLOWED),
					new Cursor(millis - i * 1000L, "0X%011d".formatted(System.nanoTime() % 100_000_000_000L)),
					Map.of()));
		}
		assertThat(mostStatementsOfHome(followed, all)).isEqualTo(2);
	}

	/**
	 * Of many authors the archive is asked for a few places each, and for more when the
	 * next posts are all by one of them.
	 */
	@Test
	@Tag("slow")
	@Tag("long")
	void aPageOfAHomeTimelineCostsTwoStatementsAlsoWhenOneOfManyAuthorsHasAllOfItsPosts() {
		List<Visitor> followed = Stream.generate(() -> Visitor.registered(site)).limit(FOLLOWED).toList();
		List<String> all = new ArrayList<>(this.store.plant(followed.get(0), 45, 100));
		followed.stream().skip(1).forEach((author) -> all.addAll(this.store.plant(author, 1, 300)));
		assertThat(mostStatementsOfHome(followed, all)).isEqualTo(2);
	}

	/**
	 * The most statements that a page of a reader's home timeline costs. The pages are
	 * read from the first one on, on an instance that has read nothing before.
	 * @param followed the authors that the reader follows
	 * @param all their posts
	 */
	private long mostStatementsOfHome(List<Visitor> followed, List<String> all) {
		Visitor reader = Visitor.registered(site);
		followed.forEach(reader::follow);
		move();
		FanOutWait.settle(site);
		site.redis().del(Keys.homeTimeline(reader.id()), Keys.homeCompleteFrom(reader.id()));
		try (Site another = withShortHomes()) {
			Visitor there = reader.sentTo(another.url(""));
			long most = mostStatements(another, there, "/home");
			assertThat(AllPages.idsOf(there, "/home")).containsExactlyInAnyOrderElementsOf(all);
			return most;
		}
	}

	/** The posts that are shown in place of reposts are asked for afterwards. */
	@Test
	void aPageWithRepostsOfArchivedPostsCostsAThirdStatement() {
		Visitor reposter = Visitor.registered(site);
		List<String> originals = this.store.plant(this.author, 25, 150);
		long millis = System.currentTimeMillis() - Duration.ofDays(120).toMillis();
		for (int i = 0; i < originals.size(); i++) {
			this.store.plant(reposter,
					new Cursor(millis - i * 1000L, "0X%011d".formatted(System.nanoTime() % 100_000_000_000L)),
					Map.of("body", "", "repost_of", originals.get(i)));
		}
		move();
		assertThat(mostStatements(site, this.stranger, "/@" + reposter.name())).isEqualTo(3);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPageAsksForItsPostsAtOnceAlthoughRedisAnswersInParts() {
		List<String> old = this.store.plant(this.author, 45, 100);
		move();
		String older = this.stranger.get("/@" + this.author.name()).older();
		try (FaultProxy way = redis.proxy();
				Site another = Site.startAt("127.0.0.1", way.port(),
						Stream.concat(Stream.of(settings(database)), Stream.of("--retwis.fan-out.worker=false"))
							.toArray(String[]::new));
				Interception late = way.at(SentCommand.with(Keys.post(old.get(30))))
					.delayCommand(Duration.ofMillis(200))) {
			assertThat(statementsOf(another,
					() -> assertThat(Visitor.of(another).get(older).postIds()).isEqualTo(old.subList(20, 40))))
				.isEqualTo(2);
			assertThat(late.met()).isPositive();
		}
	}

	/**
	 * Anybody can compute the checksum in a cursor, and so ask for any place. A page
	 * needs two statements. The home timeline has many posts of one author in a row.
	 */
	@Test
	@Tag("slow")
	@Tag("long")
	void aMadeUpPlaceCostsNoMoreThanTheNextPage() {
		Visitor reader = Visitor.registered(site);
		Visitor unarchived = Visitor.registered(site);
		String word = "w" + Visitor.freshName();
		long millis = daysAgo(200);
		for (int i = 0; i < 60; i++) {
			Visitor followed = (i < 30) ? this.author : Visitor.registered(site);
			Cursor place = new Cursor(millis - i * 1000L, newId());
			this.store.plant(followed, place, Map.of("body", "Some " + word));
			reader.follow(followed);
		}
		this.store.plant(unarchived, 25, 1);
		tagged();
		goesOn();
		String nobody = "0A" + "0".repeat(11);
		List<Cursor> places = List.of(new Cursor(0, nobody), new Cursor(1, nobody), new Cursor(999_999, nobody),
				new Cursor(millis - 10_500, nobody), new Cursor(millis, "z:" + "Z".repeat(13) + ":" + "Z".repeat(13)),
				new Cursor(Long.parseLong("z".repeat(11), Character.MAX_RADIX), "Z".repeat(13)));
		logStatements("all");
		for (String first : List.of("/@" + this.author.name(), "/@" + unarchived.name(), "/home", "/search?q=" + word,
				"/tags/" + this.tag)) {
			String older = reader.get(first).older();
			assertThat(older).as(first).contains("before=");
			for (Cursor place : places) {
				String page = older.replaceFirst("(before=\\w+\\.).*",
						"$1" + Long.toString(place.score(), Character.MAX_RADIX) + "." + place.member());
				site.bean(RenderedPosts.class).reset();
				long statements = selects();
				long commands = commands();
				assertThat(reader.get(page).status()).as(page).isEqualTo(200);
				assertThat(selects() - statements).as("statements of " + page)
					.isLessThanOrEqualTo(first.equals("/@" + unarchived.name()) ? 0 : 2);
				assertThat(commands() - commands).as("commands of " + page).isLessThanOrEqualTo(MOST_COMMANDS);
			}
			for (String wrong : List.of("", "x", "1.2.3", "%00", "before", "9".repeat(500))) {
				long statements = selects();
				String page = older.replaceFirst("before=.*", "before=" + wrong);
				assertThat(reader.get(page).status()).as(page).isEqualTo(400);
				assertThat(selects()).as("statements of " + page).isEqualTo(statements);
			}
		}
		logStatements("none");
	}

	/** The archive answers with other text than it was given. */
	@Test
	void aPostThatTheDatabaseHasNotStoredAsItWasStaysInRedis() {
		String lost = this.store.plant(this.author, new Cursor(daysAgo(100), newId()), Map.of("body", "to be spoilt"));
		String other = this.store.plant(Visitor.registered(site), 1, 100).get(0);
		database.sql("""
				create function spoil() returns trigger language plpgsql as
				$$ begin new.body = replace(new.body, 'to be spoilt', 'spoilt'); return new; end $$;
				create trigger spoil before insert or update on posts for each row execute function spoil()""");
		try {
			move();
			assertThat(this.store.inRedis(List.of(lost, other))).containsExactly(lost);
			assertThat(this.store.listed(this.author)).containsExactly(lost);
			assertThat(this.stranger.get("/posts/" + lost).posts()).containsExactly("to be spoilt");
		}
		finally {
			database.sql("drop trigger spoil on posts; drop function spoil()");
		}
		move();
		assertThat(this.store.inRedis(List.of(lost))).isEmpty();
		assertThat(this.stranger.get(profile()).posts()).containsExactly("to be spoilt");
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aStrangerWhoGoesThroughAllPagesCausesTwoStatementsAtMostForEach() {
		List<String> old = this.store.plant(this.author, 200, 100);
		move();
		logStatements("all");
		String page = "/@" + this.author.name();
		List<String> seen = new ArrayList<>();
		while (!page.isEmpty()) {
			long statements = selects();
			long commands = commands();
			Answer answer = this.stranger.get(page);
			seen.addAll(answer.postIds());
			assertThat(selects() - statements).as("statements of " + page).isLessThanOrEqualTo(2);
			assertThat(commands() - commands).as("commands of " + page).isLessThanOrEqualTo(MOST_COMMANDS);
			page = answer.older();
		}
		logStatements("none");
		assertThat(seen).containsExactlyElementsOf(old);
	}

	/**
	 * Runs of commands, also of those in scripts. The site's other work is among them.
	 */
	private static long commands() {
		return Stream.of(site.redis().info("commandstats"))
			.flatMap(String::lines)
			.filter((line) -> line.startsWith("cmdstat_"))
			.mapToLong((line) -> Long.parseLong(line.replaceAll(".*calls=(\\d+).*", "$1")))
			.sum();
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void anotherInstanceReadsTheSamePageWithoutAskingForItsPosts() {
		List<String> old = this.store.plant(this.author, 45, 100);
		move();
		String older = this.stranger.get("/@" + this.author.name()).older();
		assertThat(this.stranger.get(older).postIds()).isEqualTo(old.subList(20, 40));
		String[] without = Stream.concat(Stream.of(settings(database)), Stream.of("--retwis.fan-out.worker=false"))
			.toArray(String[]::new);
		try (Site another = Site.start(redis, without)) {
			Visitor there = Visitor.of(another);
			assertThat(statementsOfOthers(() -> assertThat(there.get(older).postIds()).isEqualTo(old.subList(20, 40))))
				.as("only the places are asked for")
				.isEqualTo(1);
			assertThat(statementsOfOthers(() -> assertThat(there.get("/posts/" + old.get(30)).status()).isEqualTo(200)))
				.isZero();
			assertThat(this.author.submit("/posts/" + old.get(30) + "/like").status()).isEqualTo(303);
			Awaitility.await()
				.atMost(BOUND)
				.until(() -> there.get("/posts/" + old.get(30)).body().contains("data-count=\"1\""));
			assertThat(this.stranger.get("/posts/" + old.get(30)).body()).contains("data-count=\"1\"");
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void anIdThatNobodyHasCostsOneStatementHoweverOftenItIsAskedFor() {
		String path = "/posts/" + "0Y%011d".formatted(System.nanoTime() % 100_000_000_000L);
		assertThat(statementsOfOthers(() -> {
			assertThat(this.stranger.get(path).status()).isEqualTo(404);
			LongStream.range(0, 1_000)
				.parallel()
				.forEach((i) -> assertThat(this.stranger.get(path).status()).isEqualTo(404));
		})).isEqualTo(1);
	}

	/**
	 * By the server's log. Workers and the reconciler read posts, too, so they are done,
	 * or stand still meanwhile.
	 */
	@Override
	long count(Site at, Runnable reading) {
		return statementsOfOthers(reading);
	}

	@Override
	long statementsForPlacesOf(int authors) {
		return 1;
	}

	private static long statementsOfOthers(Runnable reading) {
		FanOutWait.settle(site);
		site.bean(ArchiveReconciler.class).stop();
		try {
			site.bean(RenderedPosts.class).reset();
			logStatements("all");
			long before = selects();
			reading.run();
			long after = selects();
			logStatements("none");
			return after - before;
		}
		finally {
			site.bean(ArchiveReconciler.class).start();
		}
	}

	private static void logStatements(String which) {
		database.sql("alter system set log_statement = '" + which + "'");
		database.sql("select pg_reload_conf()");
		Awaitility.await().atMost(BOUND).until(() -> database.sql("show log_statement").equals(List.of(which)));
	}

	private static long selects() {
		return database.log()
			.lines()
			.filter((line) -> Stream.of("from posts", "from tags", "from lists").anyMatch(line::contains))
			.count();
	}

	@Override
	Site site() {
		return site;
	}

	@Override
	TestRedis node() {
		return redis;
	}

	@Override
	String[] settings() {
		return settings(database);
	}

}
