package live.retwis.fanout;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(RedisExtension.class)
class LogTrimmerTests {

	/** Its settings may say that the log is kept for less time than the site keeps it. */
	@Test
	void aCommandWithoutWorkersDoesNotTrimTheLogOfTheSite(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis); Site command = Site.start(redis, "--retwis.fan-out.worker=false")) {
			assertThat(site.beans(LogTrimmer.class)).hasSize(1);
			assertThat(command.beans(LogTrimmer.class)).isEmpty();
		}
	}

}
