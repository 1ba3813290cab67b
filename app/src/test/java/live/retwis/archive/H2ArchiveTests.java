package live.retwis.archive;

import java.nio.file.Path;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.startup.ArchiveFile;
import live.retwis.testing.Site;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The archive in a file of H2, as beside embedded nodes. */
@ExtendWith(RedisExtension.class)
class H2ArchiveTests extends ArchiveContract {

	private static Site site;

	@BeforeAll
	static void start(@OwnRedis TestRedis redis, @TempDir Path directory) {
		site = Site.start(redis, "--retwis.archive.url=" + ArchiveFile.in(directory), "--retwis.archive.every=1h",
				"--retwis.timeline.own-size=50");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	@Override
	Site site() {
		return site;
	}

}
