package live.retwis.archive;

import java.nio.file.Path;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.startup.EmbeddedArchiveUrl;
import live.retwis.testing.MemoryDisk;
import live.retwis.testing.Site;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The archive in a file of H2, as beside embedded nodes. */
@ExtendWith(RedisExtension.class)
class H2ArchiveTests extends ArchivedTagsContract {

	private static final Logger log = LoggerFactory.getLogger(H2ArchiveTests.class);

	private static Site site;

	@BeforeAll
	static void start(@OwnRedis TestRedis redis, @TempDir(factory = MemoryDisk.class) Path directory) {
		log.info("The archive of these tests is H2, in {}", directory);
		site = Site.start(redis, "--retwis.archive.url=" + EmbeddedArchiveUrl.in(directory),
				"--retwis.archive.every=1h", "--retwis.timeline.own-size=50");
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
