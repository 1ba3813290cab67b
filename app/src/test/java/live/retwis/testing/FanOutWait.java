package live.retwis.testing;

import java.time.Duration;
import java.util.Locale;

import live.retwis.fanout.FanOutQueue;
import live.retwis.log.CommitLog;
import live.retwis.log.Intent;
import live.retwis.redis.Keys;
import org.awaitility.Awaitility;
import reactor.core.publisher.Mono;

/** Waits for fan-out. */
public final class FanOutWait {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private FanOutWait() {
	}

	/**
	 * Waits until fan-out has processed all that is in the log now, and all reactions
	 * that were answered before. The log has a reaction only after its answer.
	 */
	public static void settle(Site site) {
		settle(site, BOUND);
	}

	/** The same, for at most that long. */
	public static void settle(Site site, Duration bound) {
		CommitLog log = site.bean(CommitLog.class);
		FanOutQueue queue = site.bean(FanOutQueue.class);
		Awaitility.await("fan-out")
			.atMost(bound)
			.until(() -> site.redis().zrange(Keys.INTENTS, 0, -1).stream().noneMatch(FanOutWait::isReaction)
					&& Boolean.TRUE.equals(Mono.defer(log::head).flatMap(queue::isDoneUpTo).block(BOUND)));
	}

	private static boolean isReaction(String intent) {
		return intent.startsWith(Intent.Kind.REACTION.name().toLowerCase(Locale.ROOT));
	}

}
