package live.retwis.locks;

import java.time.Duration;
import java.util.Map;

/**
 * One round of votes.
 *
 * @param resource what was to be locked
 * @param result what came of it
 * @param outcomes what each node answered, by its name
 * @param elapsed from the first command until the result was certain
 */
public record LockAttempt(String resource, Result result, Map<String, NodeOutcome> outcomes, Duration elapsed) {

	/** What comes of a round of votes. */
	public enum Result {

		/** A majority voted for it and enough of the lease was left. */
		ACQUIRED,

		/** A majority could answer and some node said that another owner has it. */
		TAKEN,

		/** Anything else. */
		NO_QUORUM

	}

}
