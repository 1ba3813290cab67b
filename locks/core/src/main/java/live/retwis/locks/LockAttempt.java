package live.retwis.locks;

import java.time.Duration;
import java.util.Map;

/**
 * One round of votes.
 *
 * @param resource what was to be locked
 * @param result the result of the round
 * @param outcomes what each node answered, by the node's name
 * @param elapsed from the first command until the result was certain
 */
public record LockAttempt(String resource, Result result, Map<String, NodeOutcome> outcomes, Duration elapsed) {

	/** The result of a round of votes. */
	public enum Result {

		/** A majority voted for it, and enough of the lease was left. */
		ACQUIRED,

		/**
		 * A majority of the nodes could answer, and at least one said that another owner
		 * has the key.
		 */
		TAKEN,

		/** Any other result. */
		NO_QUORUM

	}

}
