package live.retwis.limit;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import live.retwis.redis.DataClock;
import live.retwis.redis.DataNode;
import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ChangedRatesTests {

	private final Site site = Site.shared();

	private SharedBuckets instance() {
		this.site.bean(DataClock.class).millis().block(Duration.ofSeconds(5));
		return new SharedBuckets(this.site.bean(DataNode.class), this.site.bean(DataClock.class));
	}

	private static boolean take(SharedBuckets instance, String subject, Rates rates) throws Exception {
		return instance.get("wrong-passwords", subject, rates).tryConsume(1).get(5, TimeUnit.SECONDS);
	}

	/** An operator lowers a limit because of an attack, and starts the instances again. */
	@Test
	void aLoweredLimitCountsForWhoWasCountedBefore() throws Exception {
		String subject = UUID.randomUUID().toString();
		assertThat(take(instance(), subject, Rates.valueOf("100/1d"))).isTrue();
		SharedBuckets later = instance();
		Rates lower = Rates.valueOf("2/1d");
		long allowed = 0;
		for (int i : IntStream.range(0, 20).toArray()) {
			allowed += take(later, subject, lower) ? 1 : 0;
		}
		assertThat(allowed).isLessThanOrEqualTo(2);
	}

}
