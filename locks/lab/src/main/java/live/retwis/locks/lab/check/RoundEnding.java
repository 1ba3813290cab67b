package live.retwis.locks.lab.check;

import live.retwis.locks.lab.history.RoundRecord;

/**
 * How a round ended.
 */
public enum RoundEnding {

	/** As the scenario says, be that a violation. */
	AS_DESCRIBED,

	/** Otherwise. */
	OTHERWISE,

	/** The situation did not come about, so that nothing is shown. */
	NOT_REPRODUCED,

	/** The lab itself failed. */
	BROKEN;

	/** Compares a round with what is expected of it. */
	public static RoundEnding of(RoundRecord round, Expectation expected) {
		if (!round.error().isEmpty()) {
			return BROKEN;
		}
		if (!round.missed().isEmpty()) {
			return NOT_REPRODUCED;
		}
		return expected.meets(Verdict.of(round)) ? AS_DESCRIBED : OTHERWISE;
	}

}
