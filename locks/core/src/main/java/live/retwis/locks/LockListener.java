package live.retwis.locks;

import java.time.Duration;

/**
 * Is told what the locks do, for metrics. It is called on event loops, so it must be
 * quick and must not block. What it throws is logged and changes nothing.
 */
public interface LockListener {

	/** A listener that does nothing. */
	LockListener NONE = new LockListener() {
	};

	/** A round of votes is decided. There may be several rounds within one wait. */
	default void onAttempt(LockAttempt attempt) {
	}

	/**
	 * A lease was given back.
	 * @param resource what was locked
	 * @param nodes how many nodes had answered
	 * @param elapsed from the first command until a majority had answered
	 */
	default void onRelease(String resource, int nodes, Duration elapsed) {
	}

	/**
	 * An extension ended.
	 * @param resource what is locked
	 * @param extended whether a majority extended it
	 * @param elapsed from the first command until the result was certain
	 */
	default void onExtend(String resource, boolean extended, Duration elapsed) {
	}

	/**
	 * A lease ended before it was given back. Told once of each lease, when its body, its
	 * claim or an extension ends by that.
	 */
	default void onExpired(String resource) {
	}

}
