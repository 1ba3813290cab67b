package live.retwis.locks.lab.report;

import java.util.Map;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.check.RoundOutcome;
import live.retwis.locks.lab.check.RoundVerdict;
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
public record JudgedRound(RoundRecord record, Expectation expected, RoundVerdict verdict, RoundOutcome ending,
		Map<String, RoundVerdictText> sentences) {

	public JudgedRound {
		sentences = (sentences != null) ? Map.copyOf(sentences) : Map.of();
	}

	/** A part of this round, which keeps what the whole round showed. */
	public JudgedRound shortened(RoundRecord part, RoundVerdict shortenedVerdict) {
		Map<String, RoundVerdictText> told = LabWords.inEach((words) -> new VerdictSentences(words).told(this));
		return new JudgedRound(part, this.expected, shortenedVerdict, this.ending, told);
	}

	/** Judges a round. The same record always has the same verdict. */
	public static JudgedRound of(RoundRecord record, Expectation expected) {
		return new JudgedRound(record, expected, RoundVerdict.of(record), RoundOutcome.of(record, expected), Map.of());
	}

}
