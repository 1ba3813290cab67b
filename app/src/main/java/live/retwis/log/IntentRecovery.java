package live.retwis.log;

import java.util.Set;

import reactor.core.publisher.Mono;

/**
 * Finishes writes of some kinds that their own instance did not finish because it died or
 * lost the answers. {@link IntentSweeper} calls it. Each step can be repeated.
 */
public interface IntentRecovery {

	/** The kinds of writes that this finisher handles. */
	Set<Intent.Kind> kinds();

	/**
	 * Finishes a write. Called when none of the write's own steps can arrive any more.
	 * @return done when the data is as if the write had been made and logged, or as if it
	 * had never begun; the caller then drops the intent if it is still there
	 */
	Mono<Void> finish(Intent intent);

}
