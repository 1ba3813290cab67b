package live.retwis.live;

import live.retwis.testing.Site;
import org.jspecify.annotations.Nullable;

/**
 * Another instance beside {@link Site#shared()}, on the same Redis and shared as well.
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
