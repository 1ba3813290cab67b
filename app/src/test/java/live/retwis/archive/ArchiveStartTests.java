package live.retwis.archive;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.startup.StartupException;
import live.retwis.testing.LockServers;
import live.retwis.testing.PostgresServer;
import live.retwis.testing.Site;
import live.retwis.testing.SiteProcess;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** The checks of the archive when an instance starts. */
@Tag("slow")
@Timeout(180)
@ExtendWith({ RedisExtension.class, OutputCaptureExtension.class })
@EnabledIf("isInstalled")
class ArchiveStartTests {

	private static final Duration BOUND = Duration.ofSeconds(30);

	private static PostgresServer database;

	private static TestRedis redis;

	static boolean isInstalled() {
		return PostgresServer.isInstalled();
	}

	@BeforeAll
	static void start(@OwnRedis TestRedis own) {
		database = PostgresServer.start();
		redis = own;
	}

	@AfterAll
	static void stop() {
		database.close();
	}

	@BeforeEach
	void empty() {
		database.sql("drop schema public cascade; create schema public");
		redis.flushAll();
	}

	/** An instance; further settings take the place of the usual ones. */
	private static Site site(String... more) {
		Stream<String> usual = database.settings()
			.stream()
			.filter((setting) -> Stream.of(more).noneMatch((own) -> own.startsWith(name(setting))));
		return Site.start(redis, Stream.concat(usual, Stream.of(more)).toArray(String[]::new));
	}

	private static String name(String setting) {
		return setting.substring(0, setting.indexOf('=') + 1);
	}

	/** What the program prints when it cannot start. */
	private static String problem(CapturedOutput output, String... settings) {
		int before = output.length();
		Throwable cause = catchThrowable(() -> site(settings).close());
		while (cause != null && !(cause instanceof StartupException)) {
			cause = cause.getCause();
		}
		assertThat(cause).as("the start fails with an explanation").isNotNull();
		return output.toString().substring(before);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			postgres://127.0.0.1/retwis | is not an R2DBC address
			r2dbc:postgresql | is not an R2DBC address
			r2dbc:mysql://127.0.0.1/retwis | 'mysql'
			r2dbc:postgresql://127.0.0.1 | names no database""")
	void anInvalidAddressStopsTheStartAndTheErrorNamesTheSetting(String address, String told, CapturedOutput output) {
		assertThat(problem(output, "--retwis.archive.url=" + address)).contains("retwis.archive.url", told);
	}

	@Test
	void anErrorNeverShowsThePasswordOfAnAddress(CapturedOutput output) {
		assertThat(problem(output, "--retwis.archive.url=postgres://me:hunter2@127.0.0.1/retwis"))
			.contains("retwis.archive.url")
			.doesNotContain("hunter2");
	}

	/** The tables are made over JDBC, which has an address of another form. */
	@Test
	void aUserAndAPasswordWithinTheAddressStopTheStartAndAreNotShown(CapturedOutput output) {
		for (String within : List.of("retwis:hunter2@", "retwis@")) {
			assertThat(problem(output,
					"--retwis.archive.url=r2dbc:postgresql://" + within + "127.0.0.1:" + database.port() + "/postgres"))
				.contains("retwis.archive.url", "retwis.archive.username", "retwis.archive.password")
				.doesNotContain("hunter2");
		}
	}

	@Test
	void aMissingDatabaseStopsTheStart(CapturedOutput output) {
		assertThat(problem(output, "--retwis.archive.url=r2dbc:postgresql://127.0.0.1:" + database.port() + "/nobody"))
			.contains("retwis.archive.url", "\"nobody\" does not exist");
	}

	@Test
	void aWrongPasswordStopsTheStartAndIsNotShown(CapturedOutput output) {
		database.sql("create role locked login password 'right'");
		database.sql("copy (select unnest(array['host all locked 127.0.0.1/32 scram-sha-256', "
				+ "'host all all 127.0.0.1/32 trust'])) to '" + database.sql("show hba_file").get(0) + "'");
		database.sql("select pg_reload_conf()");
		assertThat(problem(output, "--retwis.archive.username=locked", "--retwis.archive.password=hunter2"))
			.contains("retwis.archive.password", "password authentication failed")
			.doesNotContain("hunter2");
	}

	@Test
	@Tag("long")
	void tablesOfANewerReleaseStopTheStart(CapturedOutput output) {
		site().close();
		database.sql("insert into archive_history (installed_rank, version, description, type, script, checksum, "
				+ "installed_by, execution_time, success) values (99, '99', 'newer', 'SQL', 'V99__newer.sql', 1, 'x', 1, true)");
		assertThat(problem(output)).contains("retwis.archive.url", "newer release");
	}

	@Test
	@Tag("long")
	void aDatabaseThatTakesNoWritesStopsTheStart(CapturedOutput output) {
		site().close();
		database.sql("create role guest login");
		database.sql("grant select on all tables in schema public to guest");
		assertThat(problem(output, "--retwis.archive.username=guest")).contains("retwis.archive.username");
		database.sql("grant all on all tables in schema public to guest");
		database.sql("alter role guest set default_transaction_read_only = on");
		assertThat(problem(output, "--retwis.archive.username=guest")).contains("retwis.archive.url", "read-only");
	}

	@Test
	void theArchiveOfAnotherSiteStopsTheStart(CapturedOutput output) {
		try (Site site = site()) {
			site.redis().set(Keys.ARCHIVE_SITE, "another");
		}
		assertThat(problem(output)).contains("retwis.archive.url", "another site");
	}

	/** Else old posts would look as if they had never been. */
	@Test
	@Tag("slow")
	@Tag("long")
	void anEmptyDatabaseInPlaceOfTheArchiveStopsTheStart(CapturedOutput output) {
		site().close();
		database.sql("drop schema public cascade; create schema public");
		assertThat(problem(output)).contains("retwis.archive.url", "is empty", "restore its backup");
		assertThat(problem(output)).contains("retwis.archive.url", "is empty", "restore its backup");
	}

	@Test
	@Tag("long")
	void aStartThatBrokeOffBeforeTheArchiveWasMarkedIsFinishedByTheNextOne() {
		redis.flushAll();
		try (Site site = Site.start(redis)) {
			site.redis().set(Keys.ARCHIVE_SITE, "new:ours");
			site.redis().set(Keys.ARCHIVE_INDEXED, Long.toString(Long.MAX_VALUE));
		}
		try (Site site = site()) {
			assertThat(site.redis().get(Keys.ARCHIVE_SITE)).isEqualTo("ours");
			assertThat(site.redis().get(Keys.ARCHIVE_INDEXED)).as("a new archive has no tags yet")
				.isNotEqualTo(Long.toString(Long.MAX_VALUE));
		}
		assertThat(database.sql("select id from site")).containsExactly("ours");
		try (Site site = Site.start(redis)) {
			site.redis().set(Keys.ARCHIVE_SITE, "new:ours");
		}
		try (Site site = site()) {
			assertThat(site.redis().get(Keys.ARCHIVE_SITE)).isEqualTo("ours");
		}
	}

	@Test
	void anArchiveBesideAnEmptyRedisStopsTheStart(CapturedOutput output) {
		site().close();
		redis.flushAll();
		assertThat(problem(output)).contains("retwis.archive.url", "Redis is empty");
	}

	@Test
	void aSiteStartsWhileItsArchiveIsAwayAndOpensItLater() {
		database.kill();
		try (Site site = site("--retwis.archive.every=1s")) {
			Visitor author = Visitor.registered(site);
			OldStore store = new OldStore(site);
			List<String> old = store.plant(author, 3, 100);
			assertThat(Visitor.of(site).get("/@" + author.name()).postIds()).isEqualTo(old);
			assertThat(Visitor.of(site).get("/posts/0000000000000").status()).isEqualTo(503);
			database.restart();
			Awaitility.await().atMost(BOUND).until(() -> store.inRedis(old).isEmpty());
			assertThat(Visitor.of(site).get("/@" + author.name()).postIds()).isEqualTo(old);
		}
	}

	@Test
	void aSiteStartsSoonWhileItsArchiveHangs() {
		database.pause();
		try {
			long began = System.nanoTime();
			site().close();
			assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
		}
		finally {
			database.resume();
		}
		Awaitility.await("the tables that it was about to make")
			.atMost(BOUND)
			.until(() -> database.sql(
					"select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()")
				.isEmpty());
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void whatIsWrongWithAnArchiveThatComesLaterIsLogged(CapturedOutput output) {
		site().close();
		redis.flushAll();
		database.kill();
		try (Site site = site()) {
			database.restart();
			Awaitility.await().atMost(BOUND).until(() -> output.toString().contains("but Redis is empty"));
			assertThat(site.bean(ArchiveDatabase.class).isOpen()).isFalse();
		}
	}

	@Test
	@Tag("long")
	void instancesThatStartAtTheSameTimeMakeTheTablesOnce() {
		String[] settings = Stream.concat(database.settings().stream(), Stream.of(LockServers.shared().setting()))
			.toArray(String[]::new);
		List<SiteProcess> sites = Stream.generate(() -> SiteProcess.launch(redis.port(), settings)).limit(3).toList();
		try {
			assertThat(sites)
				.allSatisfy((site) -> assertThat(site.ready().logged()).noneMatch((line) -> line.contains("ERROR")));
			assertThat(database.sql("select id from site")).hasSize(1);
		}
		finally {
			sites.forEach(SiteProcess::close);
		}
	}

}
