package live.retwis.account;

import java.time.Duration;

import reactor.core.publisher.Mono;

/** Is told of users' visits, but not of every page that they read. */
public interface VisitListener {

	/** Minimum time between two visits of a user that are reported. */
	Duration pause();

	/**
	 * Called when a user visits the site, unless the last reported visit is more recent
	 * than {@link #pause}.
	 */
	Mono<Void> visited(String userId);

}
