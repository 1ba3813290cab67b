package live.retwis.archive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Cursor;
import live.retwis.testing.AllPages;
import live.retwis.testing.Answer;
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
class PostgresArchiveTests extends ArchivedListsContract {

	/**
	 * Commands for a page: 30 posts are looked for, each with up to six commands, and the
	 * lists of those whom a reader follows.
	 */
	private static final int MOST_COMMANDS = 30 * 6 + 120;

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
		site = Site.start(redis, settings(database));
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

	@Test
	void theSearchGoesOnIntoTheArchive() {
		String word = "w" + Visitor.freshName();
		long millis = System.currentTimeMillis() - Duration.ofDays(200).toMillis();
		List<String> found = new ArrayList<>();
		for (int i = 0; i < 45; i++) {
			Cursor place = new Cursor(millis - i * 1000L, "0X%011d".formatted(System.nanoTime() % 100_000_000_000L));
			found.add(this.store.plant(this.author, place, Map.of("body", "Some " + word + " and 天气 here")));
		}
		move();
		assertThat(AllPages.idsOf(this.stranger, "/search?q=" + word)).containsExactlyElementsOf(found);
		assertThat(AllPages.idsOf(this.stranger, "/search?q=" + word + "+%E5%A4%A9%E6%B0%94")).hasSize(45);
		assertThat(AllPages.idsOf(this.stranger, "/search?q=" + word + "+nowhere")).isEmpty();
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPagePastTheBoundaryCostsTwoStatementsAtMost() {
		Visitor reader = Visitor.registered(site());
		for (int i = 0; i < 70; i++) {
			Visitor followed = Visitor.registered(site());
			this.store.plant(followed, 2, 100 + i);
			reader.follow(followed);
		}
		this.store.plant(this.author, 45, 100);
		move();
		String profile = "/@" + this.author.name();
		assertThat(statementsOf(() -> this.stranger.get(profile))).isLessThanOrEqualTo(2);
		String older = this.stranger.get(profile).older();
		assertThat(statementsOf(() -> this.stranger.get(older))).isLessThanOrEqualTo(2);
		assertThat(statementsOf(() -> reader.get("/home"))).isLessThanOrEqualTo(2);
		String home = reader.get("/home").older();
		assertThat(statementsOf(() -> assertThat(reader.get(home).postIds()).hasSize(20))).isLessThanOrEqualTo(2);
	}

	/**
	 * Anybody can compute the checksum in a cursor, and so ask for any place. A page
	 * needs two statements, and three when its posts are asked for in two parts.
	 */
	@Test
	void aMadeUpPlaceCostsNoMoreThanTheNextPage() {
		Visitor reader = Visitor.registered(site);
		Visitor unarchived = Visitor.registered(site);
		String word = "w" + Visitor.freshName();
		long millis = System.currentTimeMillis() - Duration.ofDays(200).toMillis();
		for (int i = 0; i < 60; i++) {
			Visitor followed = (i < 30) ? this.author : Visitor.registered(site);
			Cursor place = new Cursor(millis - i * 1000L, "0X%011d".formatted(System.nanoTime() % 100_000_000_000L));
			this.store.plant(followed, place, Map.of("body", "Some " + word));
			reader.follow(followed);
		}
		this.store.plant(unarchived, 25, 1);
		move();
		String nobody = "0A" + "0".repeat(11);
		List<Cursor> places = List.of(new Cursor(0, nobody), new Cursor(1, nobody), new Cursor(999_999, nobody),
				new Cursor(millis - 10_500, nobody), new Cursor(millis, "z:" + "Z".repeat(13) + ":" + "Z".repeat(13)),
				new Cursor(Long.parseLong("z".repeat(11), Character.MAX_RADIX), "Z".repeat(13)));
		logStatements("all");
		for (String first : List.of("/@" + this.author.name(), "/@" + unarchived.name(), "/home",
				"/search?q=" + word)) {
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
					.isLessThanOrEqualTo(first.equals("/@" + unarchived.name()) ? 0 : 3);
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

	@Test
	void aStrangerWhoGoesThroughAllPagesCausesThreeStatementsAtMostForEach() {
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
			assertThat(selects() - statements).as("statements of " + page).isLessThanOrEqualTo(3);
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
	void anotherInstanceReadsTheSamePageWithoutAskingForItsPosts() {
		List<String> old = this.store.plant(this.author, 45, 100);
		move();
		String older = this.stranger.get("/@" + this.author.name()).older();
		assertThat(this.stranger.get(older).postIds()).isEqualTo(old.subList(20, 40));
		String[] without = Stream.concat(Stream.of(settings(database)), Stream.of("--retwis.fan-out.worker=false"))
			.toArray(String[]::new);
		try (Site another = Site.start(redis, without)) {
			Visitor there = Visitor.of(another);
			assertThat(statementsOfOne(() -> assertThat(there.get(older).postIds()).isEqualTo(old.subList(20, 40))))
				.as("only the places are asked for")
				.isEqualTo(1);
			assertThat(statementsOfOne(() -> assertThat(there.get("/posts/" + old.get(30)).status()).isEqualTo(200)))
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
	void anIdThatNobodyHasCostsOneStatementHoweverOftenItIsAskedFor() {
		String path = "/posts/" + "0Y%011d".formatted(System.nanoTime() % 100_000_000_000L);
		assertThat(statementsOfOne(() -> {
			assertThat(this.stranger.get(path).status()).isEqualTo(404);
			LongStream.range(0, 1_000)
				.parallel()
				.forEach((i) -> assertThat(this.stranger.get(path).status()).isEqualTo(404));
		})).isEqualTo(1);
	}

	/**
	 * Statements of pages that the server executes meanwhile, by its log. On a busy
	 * machine the posts of a page may be asked for in two parts, so the least of some
	 * readings counts, each with an empty cache.
	 */
	private static long statementsOf(Runnable reading) {
		return LongStream.range(0, 5).map((i) -> statementsOfOne(reading)).min().orElseThrow();
	}

	/** The reconciler reads posts, too, so it stands still meanwhile. */
	private static long statementsOfOne(Runnable reading) {
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
		return database.log().lines().filter((line) -> line.contains("from posts")).count();
	}

	@Override
	Site site() {
		return site;
	}

}
