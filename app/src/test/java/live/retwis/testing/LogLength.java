package live.retwis.testing;

import io.lettuce.core.Range;
import live.retwis.redis.Keys;

/** Counts log entries. */
public final class LogLength {

	private LogLength() {
	}

	/**
	 * How many entries the log has, without those about unread notifications, which come
	 * up to a second after what they are about.
	 */
	public static long of(Site site) {
		return site.redis()
			.xrange(Keys.LOG, Range.unbounded())
			.stream()
			.filter((entry) -> !"notify".equals(entry.getBody().get("type")))
			.count();
	}

}
