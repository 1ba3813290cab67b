package live.retwis.locks.lab.report;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.check.RoundEnding;
import live.retwis.locks.lab.check.Verdict;
import live.retwis.locks.lab.history.RoundRecord;

/**
 * A round with what the judges say about it.
 *
 * @param record what happened
 * @param expected what was to be expected
 * @param verdict what was found
 * @param ending how both compare
 */
public record JudgedRound(RoundRecord record, Expectation expected, Verdict verdict, RoundEnding ending) {

	/** Judges a round; the same record always in the same way. */
	public static JudgedRound of(RoundRecord record, Expectation expected) {
		return new JudgedRound(record, expected, Verdict.of(record), RoundEnding.of(record, expected));
	}

}
