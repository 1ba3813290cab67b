package live.retwis.locks.lab.report;

import java.util.Map;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.check.ExpectationOutcome;
import live.retwis.locks.lab.check.SafetyVerdict;
import live.retwis.locks.lab.history.RoundRecord;
import live.retwis.locks.lab.words.LabWords;

/**
 * A round with its verdict.
 *
 * @param record what happened
 * @param expected what was expected
 * @param verdict what the checkers found
 * @param ending how verdict and expectation compare
 * @param sentences what the whole round showed, by the tag of the language, when the
 * record is only a part of it; else empty
 */
public record JudgedRound(RoundRecord record, Expectation expected, SafetyVerdict verdict, ExpectationOutcome ending,
		Map<String, StoredRoundSummary> sentences) {

	public JudgedRound {
		sentences = (sentences != null) ? Map.copyOf(sentences) : Map.of();
	}

	/** A part of this round, which keeps what the whole round showed. */
	public JudgedRound shortened(RoundRecord part, SafetyVerdict shortenedVerdict) {
		Map<String, StoredRoundSummary> told = LabWords.inEach((words) -> new VerdictSentences(words).told(this));
		return new JudgedRound(part, this.expected, shortenedVerdict, this.ending, told);
	}

	/** Judges a round. The same record always has the same verdict. */
	public static JudgedRound of(RoundRecord record, Expectation expected) {
		return new JudgedRound(record, expected, SafetyVerdict.of(record), ExpectationOutcome.of(record, expected),
				Map.of());
	}

}
