package live.retwis.lab;

import java.util.List;
import java.util.Map;

import live.retwis.locks.lab.check.LabViolation;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.report.VerdictSentences;
import live.retwis.locks.lab.steps.AcquisitionReader;
import live.retwis.locks.lab.steps.AcquisitionTrace;
import live.retwis.locks.lab.words.LabWords;

/**
 * What the open pages are told about a round that was judged. All pages get the same
 * message, so it has the sentences of every language.
 *
 * @param count how many violations there are
 * @param violations the last of them
 * @param acquisitions the notable acquisitions, step by step
 * @param texts the sentences, by the tag of the language
 */
record RoundJudgedMessage(String scenario, String engine, int round, String ending, int count,
		List<LabViolation> violations, List<AcquisitionTrace> acquisitions, Map<String, RoundTexts> texts) {

	/** Acquisitions that got the lock, and as many that did not. */
	private static final int ACQUISITIONS = 12;

	static RoundJudgedMessage of(JudgedRound round, int count, List<LabViolation> violations) {
		return new RoundJudgedMessage(round.record().scenario(), round.record().engine(), round.record().round(),
				String.valueOf(round.ending()), count, violations,
				AcquisitionReader.notable(round.record(), ACQUISITIONS),
				LabWords.inEach((words) -> RoundTexts.of(new VerdictSentences(words), round, violations)));
	}

	/**
	 * The sentences of one language.
	 *
	 * @param result what the round showed
	 * @param violations what must not happen and did, in the order of the violations
	 */
	record RoundTexts(String result, List<String> violations) {

		static RoundTexts of(VerdictSentences sentences, JudgedRound round, List<LabViolation> violations) {
			return new RoundTexts(sentences.of(round), violations.stream().map(sentences::violation).toList());
		}

	}

}
