package live.retwis.archive;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Answer;
import live.retwis.testing.PostgresServer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/** However much is asked of the database at once, an instance has few connections. */
@Tag("slow")
@Timeout(120)
@ExtendWith(RedisExtension.class)
@EnabledIf("isInstalled")
class ArchivePoolTests {

	private static final Duration BOUND = Duration.ofSeconds(30);

	private static final int CONNECTIONS = 3;

	private static final int READERS = 24;

	/** How many connections the site has. */
	private static final String OPEN = "select count(*) from pg_stat_activity "
			+ "where backend_type = 'client backend' and application_name like 'r2dbc%'";

	/** How many of them have a statement. */
	private static final String WORKING = OPEN + " and state = 'active'";

	/** How many of them have one that a test has made slow. */
	private static final String SLEEPING = WORKING + " and query like '%pg_sleep(0.5)%'";

	private static PostgresServer database;

	private static Site site;

	static boolean isInstalled() {
		return PostgresServer.isInstalled();
	}

	@BeforeAll
	static void start(@OwnRedis TestRedis redis) {
		database = PostgresServer.start();
		site = Site.start(redis,
				Stream
					.concat(database.settings().stream(),
							Stream.of("--retwis.archive.every=1h", "--retwis.archive.connections=" + CONNECTIONS))
					.toArray(String[]::new));
	}

	@AfterAll
	static void stop() {
		site.close();
		database.close();
	}

	/**
	 * The most connections at the server until all is done.
	 * @param counted which ones
	 */
	private static int most(String counted, CompletableFuture<?> done) {
		int most = 0;
		int looks = 0;
		while (!done.isDone() || looks == 0) {
			most = Math.max(most, Integer.parseInt(database.sql(counted).get(0)));
			looks++;
		}
		assertThat(looks).as("looks at the server").isGreaterThan(3);
		return most;
	}

	private static void assertNothingIsAcquired() {
		ArchiveDatabase archive = site.bean(ArchiveDatabase.class);
		Awaitility.await("no connection is in use, and nobody waits for one")
			.atMost(BOUND)
			.until(() -> archive.connectionsInUse(ArchiveDatabase.Use.PAGES) == 0
					&& archive.connectionsAwaited(ArchiveDatabase.Use.PAGES) == 0
					&& database.sql(WORKING).equals(List.of("0")));
	}

	@Test
	void statementsTakeTurnsWhenTheyAreMoreThanTheConnections() {
		CompletableFuture<Long> done = Flux.range(0, 12)
			.flatMap((i) -> site.bean(ArchiveDatabase.class)
				.inBackground((client) -> client.sql("select 1 from pg_sleep(0.5)").fetch().first()), 12)
			.count()
			.toFuture();
		assertThat(most(SLEEPING, done)).isEqualTo(CONNECTIONS);
		assertThat(done.join()).isEqualTo(12);
		assertNothingIsAcquired();
	}

	@Test
	@Tag("long")
	void pagesThatWaitForSlowStatementsAnswerInTimeAndLeaveNoConnectionInUse() {
		OldStore store = new OldStore(site);
		List<String> profiles = IntStream.range(0, READERS).mapToObj((i) -> {
			Visitor author = Visitor.registered(site);
			store.plant(author, 25, 100);
			return "/@" + author.name();
		}).toList();
		site.bean(ArchiveMover.class).moveAll().block(BOUND);
		List<String> older = profiles.stream().map((profile) -> Visitor.of(site).get(profile).older()).toList();
		ArchiveFault.SLOW.begin(database);
		database.sql("create or replace view posts as select * from stored where (select pg_sleep(10) is not null)");
		ExecutorService threads = Executors.newFixedThreadPool(READERS);
		try {
			List<CompletableFuture<Answer>> asked = older.stream()
				.map((page) -> CompletableFuture.supplyAsync(() -> Visitor.of(site).get(page), threads))
				.toList();
			CompletableFuture<Void> done = CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new));
			assertThat(most(OPEN, done)).isEqualTo(CONNECTIONS);
			assertThat(asked.stream().map((answer) -> answer.join().status()).collect(Collectors.toSet()))
				.containsExactly(503);
			assertThat(asked)
				.allSatisfy((answer) -> assertThat(answer.join().took()).isLessThan(BreakableArchive.SOON));
		}
		finally {
			threads.shutdownNow();
			ArchiveFault.SLOW.end(database);
		}
		assertNothingIsAcquired();
		Awaitility.await()
			.atMost(BOUND)
			.untilAsserted(() -> assertThat(Visitor.of(site).get(older.get(0)).postIds()).hasSize(5));
	}

}
