package live.retwis.lab;

import java.util.stream.Collectors;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.locks.lab.words.LabWords;
import live.retwis.web.TimeFormat;

/** Says why a run cannot begin. */
final class LabBusyReason {

	private LabBusyReason() {
	}

	/**
	 * Why a user cannot begin a run now.
	 * @param by name of the user
	 */
	static Localized why(LabRunner lab, String by) {
		if (lab.underWay().isEmpty() && lab.isOthersTurn(by)) {
			return Message.of("lab.others-turn");
		}
		return lab.latest().map(LabBusyReason::underWay).orElseGet(() -> Message.of("lab.closing"));
	}

	private static Localized underWay(ActiveRun run) {
		return (language) -> {
			LabWords words = LabWords.of(language.locale());
			String engines = run.head().engines().stream().map(words::engine).collect(Collectors.joining(", "));
			return Message
				.of("lab.busy", run.by(), LocalizedLabWords.title(words, run.head()), engines,
						TimeFormat.numbers(run.head().began()))
				.in(language);
		};
	}

}
