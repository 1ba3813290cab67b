package live.retwis.archive;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.startup.EmbeddedArchiveUrl;
import live.retwis.testing.AllPages;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.LockServers;
import live.retwis.testing.PostgresServer;
import live.retwis.testing.Site;
import live.retwis.testing.SiteProcess;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.flywaydb.core.api.Location;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A database that an earlier release has filled is migrated, read and filled further. */
@Tag("slow")
@Timeout(180)
@ExtendWith(RedisExtension.class)
class ArchiveUpgradeTests {

	private static final Duration BOUND = Duration.ofSeconds(30);

	private static final Duration AGE = Duration.ofDays(300);

	private static final int MANY = 50_000;

	/** Indexes that were added later. */
	private static final List<String> INDEXES = List.of("posts_by_time", "pulled_posts_of_author",
			"young_posts_by_time");

	static boolean isInstalled() {
		return PostgresServer.isInstalled();
	}

	private static ArchiveProperties postgres(PostgresServer database) {
		return properties("r2dbc:postgresql://127.0.0.1:" + database.port() + "/postgres");
	}

	private static ArchiveProperties properties(String url) {
		return new ArchiveProperties(url, "retwis", "retwis", Duration.ofDays(90), 10, false, Duration.ofHours(1));
	}

	private static String[] settings(ArchiveProperties properties, String... more) {
		return Stream
			.concat(Stream.of("--retwis.archive.url=" + properties.url(),
					"--retwis.archive.username=" + properties.username(),
					"--retwis.archive.password=" + properties.password(), "--retwis.archive.every=1h"), Stream.of(more))
			.toArray(String[]::new);
	}

	/** Also those that new archives do not go through. */
	private static FluentConfiguration everyVersion(ArchiveProperties properties, boolean postgres) {
		FluentConfiguration present = ArchiveOpener.migrations(properties, postgres, BOUND);
		return !postgres ? present
				: present.locations(
						Stream
							.concat(Stream.of(present.getLocations()).map(Location::toString),
									Stream.of("classpath:db/archive-removed"))
							.toArray(String[]::new));
	}

	/** The versions of the tables that releases have had, without the present one. */
	private static List<String> earlierVersions(ArchiveProperties properties, boolean postgres) {
		List<String> all = Stream.of(everyVersion(properties, postgres).load().info().all())
			.map(MigrationInfo::getVersion)
			.map(String::valueOf)
			.toList();
		return all.subList(0, all.size() - 1);
	}

	/** A site whose archive has tables of a version, and posts of one author. */
	private static Store leave(ArchiveProperties properties, boolean postgres, String version, TestRedis redis,
			int posts) throws SQLException {
		everyVersion(properties, postgres).target(version).load().migrate();
		redis.flushAll();
		List<String> ids = new ArrayList<>();
		long millis = System.currentTimeMillis() - AGE.toMillis();
		try (Site site = Site.start(redis);
				Connection connection = connection(properties);
				PreparedStatement insert = connection
					.prepareStatement("insert into posts (id, author, committed, pulled, username, created, body) "
							+ "values (?, ?, ?, false, ?, ?, 'an archived post')")) {
			Visitor author = Visitor.registered(site);
			connection.createStatement().execute("insert into site (one, id) values (true, 'mark')");
			for (int i = 0; i < posts; i++) {
				ids.add("0Y%011d".formatted(posts - i));
				insert.setString(1, ids.get(i));
				insert.setString(2, author.id());
				insert.setLong(3, millis - i);
				insert.setString(4, author.name());
				insert.setLong(5, millis - i);
				insert.addBatch();
			}
			insert.executeBatch();
			site.redis().set(Keys.ARCHIVE_SITE, "mark");
			site.redis().zadd(Keys.postsOf(author.id()), (double) millis, ArchiveMarkers.MARK);
			site.redis().zadd(Keys.postsOf(author.id()), (double) posts, ArchiveMarkers.COUNT);
			return new Store(properties, redis, author, ids);
		}
	}

	private static Connection connection(ArchiveProperties properties) throws SQLException {
		return DriverManager.getConnection(new ArchiveConnectionSettings(properties).jdbc(BOUND), properties.username(),
				properties.password());
	}

	private static void isReadAndFilledFurther(Store left) {
		List<String> archived = left.archived();
		Visitor author = left.author();
		try (Site site = Site.start(left.redis(), settings(left.properties()))) {
			Visitor reader = Visitor.registered(site);
			String profile = "/@" + author.name();
			assertThat(AllPages.idsOf(reader, profile)).isEqualTo(archived);
			assertThat(reader.submit("/posts/" + archived.get(7) + "/like").status()).isEqualTo(303);
			FanOutWait.settle(site);
			List<String> all = new ArrayList<>(new OldStore(site).plant(author, 5, 100));
			all.addAll(archived);
			site.bean(ArchiveMover.class).moveAll().block(BOUND);
			Awaitility.await("the like moves").atMost(BOUND).until(() -> {
				site.bean(LikesAndRepliesMover.class).moveAll(Duration.ZERO).block(BOUND);
				return site.redis().exists(Keys.likes(archived.get(7))) == 0;
			});
			assertThat(site.bean(ArchivedPostRepository.class).readBack(all).blockOptional(BOUND).orElseThrow())
				.containsOnlyKeys(all);
			assertThat(AllPages.idsOf(reader, profile)).isEqualTo(all);
			assertThat(reader.get(profile).body()).contains("<b>" + all.size() + "</b> posts<");
			assertThat(reader.get("/posts/" + archived.get(7) + "/likes").body()).contains("@" + reader.name());
		}
	}

	@Test
	@Tag("long")
	@EnabledIf("isInstalled")
	void aDatabaseOfEachEarlierVersionIsMigratedReadAndFilledFurther(@OwnRedis TestRedis redis) throws SQLException {
		try (PostgresServer database = PostgresServer.start()) {
			List<String> versions = earlierVersions(postgres(database), true);
			assertThat(versions).startsWith("1", "2");
			for (String version : versions) {
				database.sql("drop schema public cascade; create schema public");
				isReadAndFilledFurther(leave(postgres(database), true, version, redis, 25));
			}
		}
	}

	@Test
	@Tag("long")
	void aFileOfEachEarlierVersionIsMigratedReadAndFilledFurther(@OwnRedis TestRedis redis, @TempDir Path directory)
			throws SQLException {
		List<String> versions = earlierVersions(properties(EmbeddedArchiveUrl.in(directory.resolve("none"))), false);
		assertThat(versions).startsWith("1");
		for (String version : versions) {
			ArchiveProperties file = properties(EmbeddedArchiveUrl.in(directory.resolve("version-" + version)));
			isReadAndFilledFurther(leave(file, false, version, redis, 25));
		}
	}

	/**
	 * To make an index waits for the end of all other writes, and so the site must not.
	 */
	@Test
	@EnabledIf("isInstalled")
	@Tag("slow")
	@Tag("long")
	void oldPostsMoveAndAreReadWhileAnIndexIsMade(@OwnRedis TestRedis redis) throws SQLException {
		try (PostgresServer database = PostgresServer.start()) {
			Store left = leave(postgres(database), true, "6", redis, 25);
			try (Connection other = connection(left.properties())) {
				writeWithoutEnd(other);
				try (Site first = Site.start(redis, settings(left.properties()));
						Site second = Site.start(redis, settings(left.properties()))) {
					Awaitility.await("an index is begun").atMost(BOUND).until(() -> makers(database).size() == 1);
					for (Site each : List.of(first, second)) {
						String planted = new OldStore(each).plant(left.author(), 1, 100).get(0);
						each.bean(ArchiveMover.class).moveAll().block(BOUND);
						assertThat(each.redis().exists(Keys.post(planted))).isZero();
						assertThat(Visitor.of(each).get("/posts/" + planted).status()).isEqualTo(200);
						assertThat(Visitor.of(each).get("/posts/" + left.archived().get(24)).status()).isEqualTo(200);
					}
					assertThat(makers(database)).hasSize(1);
					other.rollback();
					Awaitility.await("all indexes are made")
						.atMost(BOUND)
						.until(() -> indexes(database), INDEXES::equals);
				}
			}
		}
	}

	@Test
	@EnabledIf("isInstalled")
	@Tag("slow")
	@Tag("long")
	void anIndexThatBrokeOffIsMadeAgain(@OwnRedis TestRedis redis) throws SQLException {
		try (PostgresServer database = PostgresServer.start()) {
			Store left = leave(postgres(database), true, "6", redis, 25);
			try (Connection other = connection(left.properties())) {
				writeWithoutEnd(other);
				try (Site site = Site.start(redis, settings(left.properties()))) {
					Awaitility.await("an index is begun").atMost(BOUND).until(() -> makers(database).size() == 1);
					database.sql("select pg_terminate_backend(" + makers(database).get(0) + ")");
					Awaitility.await("it breaks off").atMost(BOUND).until(() -> makers(database).isEmpty());
					assertThat(database.sql("select 1 from pg_index where not indisvalid")).hasSize(1);
					other.rollback();
					site.bean(ArchiveIndexMaker.class).run().block(BOUND);
					assertThat(indexes(database)).isEqualTo(INDEXES);
				}
			}
		}
	}

	private static void writeWithoutEnd(Connection connection) throws SQLException {
		connection.setAutoCommit(false);
		connection.createStatement()
			.execute("insert into posts (id, author, committed, pulled, username, created, body) "
					+ "values ('0X', '0X', 1, false, 'other', 1, 'not yet')");
	}

	/** Processes that make an index. */
	private static List<String> makers(PostgresServer database) {
		return database.sql("select pid from pg_stat_progress_create_index");
	}

	/** Those of {@link #INDEXES} that can be used. */
	private static List<String> indexes(PostgresServer database) {
		return database
			.sql("select relname from pg_class join pg_index on oid = indexrelid where indisvalid and relname in ('"
					+ String.join("', '", INDEXES) + "') order by relname");
	}

	@Test
	@Tag("long")
	@EnabledIf("isInstalled")
	void aMigrationAndTheInstanceThatWaitsForItMayTakeLongerThanTheLookWhetherOneIsNeeded() throws Exception {
		try (PostgresServer database = PostgresServer.start()) {
			ArchiveProperties properties = postgres(database);
			List<String> versions = earlierVersions(properties, true);
			everyVersion(properties, true).target(versions.get(versions.size() - 1)).load().migrate();
			try (Connection other = connection(properties)) {
				other.setAutoCommit(false);
				other.createStatement().execute("lock table posts in access exclusive mode");
				List<CompletableFuture<Void>> instances = Stream
					.generate(() -> CompletableFuture
						.runAsync(() -> ArchiveOpener.migrate(properties, true, Duration.ofSeconds(1))))
					.limit(2)
					.toList();
				Awaitility.await("nobody gives up")
					.during(Duration.ofSeconds(4))
					.atMost(BOUND)
					.until(() -> instances.stream().noneMatch(CompletableFuture::isDone));
				other.commit();
				assertThat(instances).allSatisfy((instance) -> assertThat(instance).succeedsWithin(BOUND));
			}
			assertThat(everyVersion(properties, true).load().info().pending()).isEmpty();
		}
	}

	@Test
	@Tag("long")
	@EnabledIf("isInstalled")
	void twoInstancesMigrateAFilledDatabaseAtOnce(@OwnRedis TestRedis redis) throws SQLException {
		try (PostgresServer database = PostgresServer.start()) {
			areMigratedByTwo(leave(postgres(database), true, "1", redis, MANY));
		}
	}

	@Test
	@Tag("long")
	void twoInstancesMigrateAFilledFileAtOnce(@OwnRedis TestRedis redis, @TempDir Path directory) throws SQLException {
		areMigratedByTwo(leave(properties(EmbeddedArchiveUrl.in(directory)), false, "1", redis, MANY));
	}

	private static void areMigratedByTwo(Store left) throws SQLException {
		String[] settings = settings(left.properties(), LockServers.shared().setting());
		List<String> archived = left.archived();
		try (SiteProcess first = SiteProcess.launch(left.redis().port(), settings);
				SiteProcess second = SiteProcess.launch(left.redis().port(), settings)) {
			for (SiteProcess each : List.of(first, second)) {
				assertThat(each.ready().logged()).noneMatch((line) -> line.contains("ERROR"));
				Visitor reader = Visitor.at(each.origin());
				Awaitility.await("the archive of " + each.origin())
					.atMost(BOUND)
					.untilAsserted(() -> assertThat(reader.get("/@" + left.author().name()).postIds())
						.isEqualTo(archived.subList(0, 20)));
				assertThat(reader.get("/posts/" + archived.get(MANY - 1)).status()).isEqualTo(200);
			}
			try (Connection connection = connection(left.properties())) {
				assertThat(column(connection, "select count(*) from posts")).containsExactly(Integer.toString(MANY));
				assertThat(column(connection, "select \"version\" from \"archive_history\" where \"success\" "
						+ "and \"version\" is not null"))
					.doesNotHaveDuplicates()
					.contains("1", "3");
			}
		}
	}

	private static List<String> column(Connection connection, String query) throws SQLException {
		List<String> column = new ArrayList<>();
		try (ResultSet rows = connection.createStatement().executeQuery(query)) {
			while (rows.next()) {
				column.add(rows.getString(1));
			}
		}
		return column;
	}

	/**
	 * What an earlier release has left.
	 *
	 * @param author the author of all posts
	 * @param archived their ids, the newest first
	 */
	private record Store(ArchiveProperties properties, TestRedis redis, Visitor author, List<String> archived) {
	}

}
