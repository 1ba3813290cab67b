package live.retwis.account;

import java.time.Duration;

import reactor.core.publisher.Mono;

/**
 * Is told of visits, not of each one.
 */
public interface VisitListener {

	/** How long after a visit the next one is worth telling. */
	Duration pause();

	/** A user is here, the first time for at least that long. */
	Mono<Void> visited(String userId);

}
