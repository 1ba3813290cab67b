package live.retwis.locks.lab.report;

import live.retwis.locks.lab.check.Ending;
import live.retwis.locks.lab.check.Expectation;
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
public record Judged(RoundRecord record, Expectation expected, Verdict verdict, Ending ending) {

	/** Judges a round; the same record always in the same way. */
	public static Judged of(RoundRecord record, Expectation expected) {
		return new Judged(record, expected, Verdict.of(record), Ending.of(record, expected));
	}

}
