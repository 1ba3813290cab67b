package live.retwis.log;

import java.util.Set;

import reactor.core.publisher.Mono;

/**
 * Brings writes of some kinds to an end whose instance did not: it died, or its answers
 * were lost. Each step can be repeated.
 */
public interface IntentFinisher {

	/** Which writes. */
	Set<Intent.Kind> kinds();

	/**
	 * Brings such a write to an end. Asked for when no step of it can arrive any more.
	 * @return done when all is as if it had been made and told, or as if it had never
	 * begun; the intent is dropped then if it still is there
	 */
	Mono<Void> finish(Intent intent);

}
