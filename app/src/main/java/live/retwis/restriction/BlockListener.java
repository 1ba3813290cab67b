package live.retwis.restriction;

import reactor.core.publisher.Mono;

/** Ends what a feature keeps between two users when one of them blocks the other. */
public interface BlockListener {

	/**
	 * Called after the block is stored, and before it is logged. It may be called again,
	 * and then changes nothing.
	 */
	Mono<Void> blocked(String userId, String blockedId);

}
