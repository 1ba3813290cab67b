package live.retwis.account;

import java.time.Duration;

import reactor.core.publisher.Mono;

/** Hears of users' visits, but not of every page. */
public interface VisitListener {

	/** Minimum time between two visits of a user that are reported. */
	Duration pause();

	/** The user is here, for the first time in at least that time. */
	Mono<Void> visited(String userId);

}
