package live.retwis.locks.lab.check;

import live.retwis.locks.lab.history.RoundRecord;

/**
 * How a round ended.
 */
public enum RoundOutcome {

	/** The round ended as the scenario says, even if that is a violation. */
	AS_DESCRIBED,

	/** The round ended in another way. */
	OTHERWISE,

	/** The situation of the scenario did not come about, so the round shows nothing. */
	NOT_REPRODUCED,

	/** The lab itself failed. */
	BROKEN;

	/** Compares a round with what was expected of it. */
	public static RoundOutcome of(RoundRecord round, Expectation expected) {
		if (!round.error().isEmpty()) {
			return BROKEN;
		}
		if (!round.missed().isEmpty()) {
			return NOT_REPRODUCED;
		}
		return expected.meets(RoundVerdict.of(round)) ? AS_DESCRIBED : OTHERWISE;
	}

}
