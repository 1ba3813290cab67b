package live.retwis.xray;

import java.time.Duration;
import java.util.Map;

/**
 * A lock that was held, or could not be had.
 *
 * @param resource what was locked
 * @param nodes what each lock node answered, by its name; empty when the lock could not
 * be had
 * @param taken whether it could not be had because somebody else had it
 * @param waited time from the first question until the lock was held
 * @param left time that was left of its lease then
 */
record RecordedLock(String resource, Map<String, String> nodes, boolean taken, Duration waited, Duration left) {

	/** The answer of a node that gave its vote. */
	private static final String YES = "ACQUIRED";

	long votes() {
		return this.nodes.values().stream().filter(YES::equals).count();
	}

}
