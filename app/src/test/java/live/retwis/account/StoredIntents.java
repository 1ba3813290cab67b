package live.retwis.account;

import java.util.List;

import live.retwis.redis.Keys;
import live.retwis.testing.Site;

/**
 * The stored intents of writes of several steps.
 */
final class StoredIntents {

	private StoredIntents() {
	}

	/** Intents that no instance has finished. */
	static List<String> open(Site site) {
		return site.redis()
			.zrange(Keys.INTENTS, 0, -1)
			.stream()
			.filter((intent) -> !intent.startsWith("late ") && !intent.startsWith("taken late "))
			.toList();
	}

}
