package live.retwis.archive;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import live.retwis.archive.ArchivedLikesAndRepliesRepository.ArchivedList;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.startup.EmbeddedArchiveUrl;
import live.retwis.testing.MemoryDisk;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The archive in a file of H2, as beside embedded nodes. */
@ExtendWith(RedisExtension.class)
class H2ArchiveTests extends PageStatementsContract {

	private static Site site;

	private static TestRedis redis;

	private static Path files;

	private static String[] settings;

	@BeforeAll
	static void start(@OwnRedis TestRedis own, @TempDir(factory = MemoryDisk.class) Path directory) {
		redis = own;
		files = directory;
		FilePath.register(new SyncedFilePath());
		String url = EmbeddedArchiveUrl.in(directory).replace("file:///", "file:///" + SyncedFilePath.SCHEME + ":");
		settings = new String[] { "--retwis.archive.url=" + url, "--retwis.archive.every=1h",
				"--retwis.timeline.own-size=50" };
		site = Site.start(redis, settings);
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	@Test
	void anInstanceWithoutTheSettingNotesPostsAndSaysThatOlderOnesOfATagAreAway() {
		List<String> all = tagged();
		goesOn();
		String first = "/tags/" + this.tag;
		try (Site unset = Site.start(redis)) {
			Visitor reader = Visitor.of(unset);
			assertThat(reader.get(first).postIds()).isEqualTo(all.subList(0, 20));
			assertThat(reader.get(reader.get(first).older()).status()).isEqualTo(503);
			unset.bean(ArchiveSearchIndex.class).add(all.get(0), 1).block(BOUND);
			assertThat(site.redis().zscore(Keys.ARCHIVE_UNINDEXED, all.get(0))).isNotNull();
		}
		site.bean(ArchiveSearchIndexer.class).writeNoted(1).block(BOUND);
	}

	@Test
	void anInstanceThatIsCutOffFromTheArchiveLeavesTheTurnToOthers() {
		ArchiveDatabase database = site.bean(ArchiveDatabase.class);
		site.redis().del(Keys.ARCHIVE_MOVER);
		assertThatThrownBy(
				() -> database.inBackground((client) -> Mono.error(new ArchiveAwayException("cut off"))).block(BOUND))
			.isInstanceOf(ArchiveAwayException.class);
		site.bean(ArchiveMover.class).run().block(BOUND);
		assertThat(site.redis().exists(Keys.ARCHIVE_MOVER)).isZero();
		database.clock().block(BOUND);
		site.bean(ArchiveMover.class).run().block(BOUND);
		assertThat(site.redis().exists(Keys.ARCHIVE_MOVER)).isOne();
	}

	@Test
	void anInstanceThatMovesPostsAndListsDoesNotProlongTheTurnOfAnother() {
		List<String> old = this.store.plant(this.author, 1, 200);
		site.redis().setex(Keys.ARCHIVE_MOVER, 60, "another");
		move();
		site.bean(LikesAndRepliesMover.class).moveAll(LikesAndRepliesMover.IDLE).block(BOUND);
		assertThat(archived(old)).isEqualTo(old);
		assertThat(site.redis().ttl(Keys.ARCHIVE_MOVER)).isBetween(0L, 60L);
		site.redis().del(Keys.ARCHIVE_MOVER);
	}

	/** Redis then forgets what was done, and has that on its disk within a second. */
	@Test
	void whatWasDoneInTheFileIsStillDoneAfterAPowerCut() throws SQLException {
		String old = this.store.plant(this.author, 1, 200).get(0);
		copy(old);
		assertThat(synced("select id from posts")).contains(old);
		site.bean(ArchivedLikesAndRepliesRepository.class)
			.save(List.of(new ArchivedList(Keys.likes(old), this.author.id() + " 1", 1)), Long.MAX_VALUE)
			.block(BOUND);
		assertThat(synced("select name from lists")).contains(Keys.likes(old));
		ArchivedPost young = new ArchivedPost("0Z0000000000Y", 1, false, Map.of("body", "#" + this.tag));
		site.bean(ArchiveSearchIndexRepository.class).saveTags(List.of(young), Long.MAX_VALUE).block(BOUND);
		assertThat(synced("select id from tags")).contains(young.id());
		site.bean(ArchivedPostRepository.class).remove(List.of(old)).block(BOUND);
		assertThat(synced("select id from posts")).doesNotContain(old);
	}

	/** What a query finds in the file as it was when it was last synced. */
	private static List<String> synced(String sql) throws SQLException {
		List<String> found = new ArrayList<>();
		try (Connection connection = DriverManager.getConnection("jdbc:h2:file:" + files.resolve("synced"), "", "");
				ResultSet rows = connection.createStatement().executeQuery(sql)) {
			while (rows.next()) {
				found.add(rows.getString(1));
			}
		}
		return found;
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
		return settings;
	}

	/** By the statistics of the database. */
	@Override
	long count(Site at, Runnable reading) {
		site.bean(ArchiveReconciler.class).stop();
		try {
			run("set query_statistics true");
			reading.run();
			return statements();
		}
		finally {
			run("set query_statistics false");
			site.bean(ArchiveReconciler.class).start();
		}
	}

	private static long statements() {
		return site.bean(ArchiveDatabase.class)
			.inBackground((client) -> client
				.sql("select coalesce(sum(execution_count), 0) from information_schema.query_statistics "
						+ "where regexp_like(sql_statement, 'from (posts|tags|lists) ')")
				.map((row) -> row.get(0, Long.class))
				.one())
			.blockOptional(BOUND)
			.orElseThrow();
	}

	private static void run(String sql) {
		site.bean(ArchiveDatabase.class).inBackground((client) -> client.sql(sql).then()).block(BOUND);
	}

	@Override
	long statementsForPlacesOf(int authors) {
		return authors;
	}

}
