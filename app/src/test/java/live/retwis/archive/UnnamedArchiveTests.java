package live.retwis.archive;

import java.time.Duration;

import io.lettuce.core.ScriptOutputType;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Redis belongs to an archive that no setting of any instance names. */
@ExtendWith(RedisExtension.class)
class UnnamedArchiveTests {

	private static final String TOO_MANY = """
			for i = 0, %d do redis.call('zadd', '%s', 1, i) end""".formatted(ArchiveSearchIndexer.MOST_NOTED,
			Keys.ARCHIVE_UNINDEXED);

	@Test
	@Tag("slow")
	@Tag("long")
	void postsThatWaitForItAreDroppedWhenTheyAreTooMany(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			site.redis().set(Keys.ARCHIVE_SITE, "a site");
			site.redis().eval(TOO_MANY, ScriptOutputType.STATUS);
		}
		try (Site site = Site.start(redis)) {
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> site.redis().exists(Keys.ARCHIVE_UNINDEXED) == 0);
		}
	}

}
