package live.retwis.archive;

import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.PostgresServer;
import live.retwis.testing.Site;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;

/** The archive on PostgreSQL. */
@ExtendWith(RedisExtension.class)
@EnabledIf("isInstalled")
class PostgresArchiveTests extends ArchiveContract {

	private static PostgresServer database;

	private static Site site;

	static boolean isInstalled() {
		return PostgresServer.isInstalled();
	}

	@BeforeAll
	static void start(@OwnRedis TestRedis redis) {
		database = PostgresServer.start();
		site = Site.start(redis, settings(database));
	}

	static String[] settings(PostgresServer database) {
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

	@Override
	Site site() {
		return site;
	}

}
