package live.retwis.fanout;

import live.retwis.log.Position;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Entries of the log that fan-out has still to do.
 */
@Component
public class FanOutBacklog {

	private final FanOutQueue queue;

	FanOutBacklog(FanOutQueue queue) {
		this.queue = queue;
	}

	/** Whether that entry and all before it are done. */
	public Mono<Boolean> isDoneUpTo(Position position) {
		return this.queue.state().map((state) -> state.isDoneUpTo(position));
	}

}
