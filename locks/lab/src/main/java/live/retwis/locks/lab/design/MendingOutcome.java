package live.retwis.locks.lab.design;

import live.retwis.locks.lab.check.RoundVerdict;
import live.retwis.locks.lab.check.Safety;

/** What a schedule does when one weakness of the design that it broke is mended. */
public enum MendingOutcome {

	/** It breaks nothing: the weakness is a cause. */
	NOTHING_BREAKS,

	/** No write is lost any more, but two clients hold the lock at once. */
	NO_WRITE_LOST,

	/** Two clients no longer hold the lock at once, but a write is lost. */
	NOT_HELD_TWICE,

	/** It breaks the design in the same way. */
	NO_HELP;

	static MendingOutcome of(RoundVerdict before, RoundVerdict mended) {
		boolean heldTwice = mended.lease() == Safety.UNSAFE;
		boolean lost = mended.effect() == Safety.UNSAFE;
		if (!heldTwice && !lost) {
			return NOTHING_BREAKS;
		}
		if (!lost && before.effect() == Safety.UNSAFE) {
			return NO_WRITE_LOST;
		}
		return (!heldTwice && before.lease() == Safety.UNSAFE) ? NOT_HELD_TWICE : NO_HELP;
	}

}
