package live.retwis.lab;

import java.util.Locale;
import java.util.function.Function;

import live.retwis.i18n.Localized;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.locks.lab.report.OmittedReportPart;
import live.retwis.locks.lab.report.SkippedScenario;
import live.retwis.locks.lab.report.VerdictSentences;
import live.retwis.locks.lab.words.LabWords;

/**
 * Texts of the lab itself, in the language of the page. The lab has files of its own for
 * them, because its reports and its command line show them without the site.
 */
final class LocalizedLabWords {

	private LocalizedLabWords() {
	}

	/**
	 * Reads all texts. Files may not be read on an event loop, so this is called before
	 * the first page.
	 */
	static void load() {
		LabWords.of(Locale.ENGLISH);
	}

	/** A text of the lab. */
	static Localized text(Function<LabWords, String> text) {
		return (language) -> text.apply(LabWords.of(language.locale()));
	}

	/** A sentence about rounds. */
	static Localized sentence(Function<VerdictSentences, String> sentence) {
		return text((words) -> sentence.apply(new VerdictSentences(words)));
	}

	/**
	 * The tag of the language of these texts, for the attribute {@code lang}. It is
	 * English where the lab lacks the language of the page.
	 */
	static Localized tag() {
		return text(LabWords::tag);
	}

	/** The name of an engine. */
	static Localized engine(String label) {
		return text((words) -> words.engine(label));
	}

	/** Which scenario was not played with which engine, and why. */
	static Localized skipped(SkippedScenario scenario) {
		return sentence((sentences) -> sentences.of(scenario));
	}

	/** What a stored report lacks. */
	static Localized shortened(OmittedReportPart truncation) {
		return sentence((sentences) -> sentences.of(truncation));
	}

	/** The title of a scenario. */
	static Localized title(ScenarioDescription scenario) {
		return text(scenario::title);
	}

	/** The number and the title of the scenario of a run. */
	static Localized title(RunSummary run) {
		return text((words) -> run.scenario() + " " + title(words, run));
	}

	/** The title of the scenario of a run, which may no longer exist. */
	static String title(LabWords words, RunSummary run) {
		return words.find("scenario." + run.scenario() + ".title").orElse(run.title());
	}

}
