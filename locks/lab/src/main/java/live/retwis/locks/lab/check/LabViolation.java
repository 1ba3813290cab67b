package live.retwis.locks.lab.check;

import java.util.List;

import live.retwis.locks.lab.words.LabWords;

/**
 * Something that must not happen.
 *
 * @param judge who found it: lease ({@link MutualExclusionChecker}) or effect
 * ({@link LostUpdateChecker})
 * @param from nanoseconds since the round began
 * @param until when it ended, in the same unit
 * @param what in English
 * @param key of the same text in {@link LabWords}; empty in files of earlier releases
 * @param values of that text
 */
public record LabViolation(String judge, long from, long until, String what, String key, List<String> values) {

	public LabViolation {
		key = (key != null) ? key : "";
		values = (values != null) ? List.copyOf(values) : List.of();
	}

	/** Something that was found. */
	static LabViolation of(String judge, long from, long until, String key, Object... values) {
		List<String> texts = List.of(values).stream().map(String::valueOf).toList();
		return new LabViolation(judge, from, until, LabWords.ENGLISH.text(key, texts.toArray()), key, texts);
	}

}
