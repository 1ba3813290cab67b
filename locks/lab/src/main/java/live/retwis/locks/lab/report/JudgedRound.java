package live.retwis.locks.lab.report;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.check.RoundOutcome;
import live.retwis.locks.lab.check.Verdict;
import live.retwis.locks.lab.history.RoundRecord;

/**
 * A round with its verdict.
 *
 * @param record what happened
 * @param expected what was expected
 * @param verdict what the judges found
 * @param ending how verdict and expectation compare
 */
public record JudgedRound(RoundRecord record, Expectation expected, Verdict verdict, RoundOutcome ending) {

	/** Judges a round. The same record always has the same verdict. */
	public static JudgedRound of(RoundRecord record, Expectation expected) {
		return new JudgedRound(record, expected, Verdict.of(record), RoundOutcome.of(record, expected));
	}

}
