package live.retwis.locks.lab.design;

import live.retwis.locks.lab.design.RedlockDesign.Clock;
import live.retwis.locks.lab.design.RedlockDesign.FenceChoice;
import live.retwis.locks.lab.design.RedlockDesign.Order;
import live.retwis.locks.lab.design.RedlockDesign.Release;
import live.retwis.locks.lab.design.RedlockDesign.Vote;

/** A design with one choice that is wrong. */
enum Mistake {

	TOO_SMALL_A_QUORUM(0,
			new RedlockDesign(5, 2, Order.ONE_BY_ONE, Vote.SECOND_LOOK, true, true, Clock.STEADY, Release.OWN_KEY,
					FenceChoice.OWNER)),
	NO_CHECK_OF_THE_VALIDITY(1,
			new RedlockDesign(3, 2, Order.ONE_BY_ONE, Vote.FIRST_ANSWER, false, true, Clock.STEADY, Release.OWN_KEY,
					FenceChoice.OWNER)),
	NO_ALLOWANCE_FOR_DRIFT(2,
			new RedlockDesign(3, 2, Order.ALL_AT_ONCE, Vote.SECOND_LOOK, true, false, Clock.STEADY, Release.OWN_KEY,
					FenceChoice.OWNER)),
	THE_TIME_OF_DAY(2,
			new RedlockDesign(3, 2, Order.ONE_BY_ONE, Vote.FIRST_ANSWER, true, true, Clock.WALL, Release.OWN_KEY,
					FenceChoice.OWNER)),
	DELETES_ANY_KEY(0,
			new RedlockDesign(3, 2, Order.ONE_BY_ONE, Vote.SECOND_LOOK, true, true, Clock.STEADY, Release.ANY_KEY,
					FenceChoice.OWNER)),
	RENEWS_BLINDLY(1,
			new RedlockDesign(3, 2, Order.ONE_BY_ONE, Vote.BLIND_RENEWAL, true, true, Clock.STEADY, Release.OWN_KEY,
					FenceChoice.OWNER)),
	NO_FENCE(1,
			new RedlockDesign(3, 2, Order.ONE_BY_ONE, Vote.SECOND_LOOK, true, true, Clock.STEADY, Release.OWN_KEY,
					FenceChoice.NONE)),
	A_RISING_NUMBER(1, new RedlockDesign(3, 2, Order.ONE_BY_ONE, Vote.SECOND_LOOK, true, true, Clock.STEADY,
			Release.OWN_KEY, FenceChoice.NUMBER));

	private final int faults;

	private final RedlockDesign design;

	Mistake(int faults, RedlockDesign design) {
		this.faults = faults;
		this.design = design;
	}

	/** Most faults that it takes to break the design. */
	int faults() {
		return this.faults;
	}

	RedlockDesign design() {
		return this.design;
	}

}
