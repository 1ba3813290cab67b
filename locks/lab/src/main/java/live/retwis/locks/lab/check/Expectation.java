package live.retwis.locks.lab.check;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How a scenario ends with an engine. Where nothing is expected, the result is shown and
 * not judged.
 *
 * @param lease what {@link MutualExclusionChecker} finds
 * @param effect what {@link LostUpdateChecker} finds
 * @param progress whether anybody gets the lock
 */
public record Expectation(@Nullable Safety lease, @Nullable Safety effect, @Nullable Liveness progress) {

	/** The result is shown and not judged. */
	public static final Expectation SHOWN = new Expectation(null, null, null);

	/** There are never two owners, no increment is lost, and somebody gets the lock. */
	public static final Expectation SAFE = new Expectation(Safety.SAFE, Safety.SAFE, Liveness.ACQUIRED);

	/** Nobody gets the lock. */
	public static final Expectation NONE = new Expectation(Safety.SAFE, Safety.SAFE, Liveness.NONE);

	/** There are two owners, and the store accepts the writes of both. */
	public static final Expectation UNSAFE = new Expectation(Safety.UNSAFE, Safety.UNSAFE, Liveness.ACQUIRED);

	/** There are two owners, and the store accepts the writes of only one of them. */
	public static final Expectation FENCED = new Expectation(Safety.UNSAFE, Safety.SAFE, Liveness.ACQUIRED);

	/** The leases show one owner at a time, and yet an increment is lost. */
	public static final Expectation LOST_UPDATE = new Expectation(Safety.SAFE, Safety.UNSAFE, Liveness.ACQUIRED);

	/** Whether a verdict is as described. */
	public boolean meets(RoundVerdict verdict) {
		return (this.lease == null || this.lease == verdict.lease())
				&& (this.effect == null || this.effect == verdict.effect())
				&& (this.progress == null || this.progress == verdict.progress() && verdict.recovered());
	}

	@Override
	public String toString() {
		List<String> parts = new ArrayList<>();
		if (this.lease != null) {
			parts.add("lease " + this.lease);
		}
		if (this.effect != null) {
			parts.add("effect " + this.effect);
		}
		if (this.progress != null) {
			parts.add(this.progress.toString());
		}
		return parts.isEmpty() ? "shown, not judged" : String.join(", ", parts);
	}

}
