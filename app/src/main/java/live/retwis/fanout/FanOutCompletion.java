package live.retwis.fanout;

import live.retwis.log.LogPosition;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** The log entries that fan-out has not processed yet. */
@Component
public class FanOutCompletion {

	private final FanOutQueue queue;

	FanOutCompletion(FanOutQueue queue) {
		this.queue = queue;
	}

	/**
	 * Whether fan-out has processed this entry and every entry before it. One round trip.
	 */
	public Mono<Boolean> isDoneUpTo(LogPosition position) {
		return this.queue.state().map((state) -> state.isDoneUpTo(position));
	}

}
