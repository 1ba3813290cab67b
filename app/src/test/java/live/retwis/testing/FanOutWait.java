package live.retwis.testing;

import java.time.Duration;

import live.retwis.fanout.FanOutQueue;
import live.retwis.log.CommitLog;
import org.awaitility.Awaitility;
import reactor.core.publisher.Mono;

/** Waits for fan-out. */
public final class FanOutWait {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private FanOutWait() {
	}

	/** Waits until fan-out has processed every entry that is in the log now. */
	public static void settle(Site site) {
		settle(site, BOUND);
	}

	/** The same, for at most that long. */
	public static void settle(Site site, Duration bound) {
		CommitLog log = site.bean(CommitLog.class);
		FanOutQueue queue = site.bean(FanOutQueue.class);
		Awaitility.await("fan-out")
			.atMost(bound)
			.until(() -> Boolean.TRUE.equals(Mono.defer(log::head).flatMap(queue::isDoneUpTo).block(BOUND)));
	}

}
