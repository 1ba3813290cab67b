package live.retwis.live;

import live.retwis.testing.Site;
import org.jspecify.annotations.Nullable;

/**
 * An instance that tests share, beside {@link Site#shared()} and on the same Redis.
 */
final class SecondInstance {

	private static @Nullable Site site;

	private SecondInstance() {
	}

	static synchronized Site get() {
		if (site == null) {
			site = Site.another();
		}
		return site;
	}

}
