package live.retwis.lab;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.locks.lab.check.LabViolation;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryJson;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.steps.AcquisitionReader;
import live.retwis.locks.lab.steps.AcquisitionTrace;
import org.jspecify.annotations.Nullable;

/**
 * A round as its page shows it. Scripts draw it from the run's JSON, {@code stepsJson}
 * and {@code violationsJson}; without scripts there are tables.
 *
 * @param index its place in the report
 * @param steps the first acquisitions, for a table
 * @param stepsBound says that there are more; null when there are not
 * @param stepsJson all acquisitions
 * @param violationsJson the sentences of the violations
 */
record RoundView(int index, Localized engine, int round, long seed, Localized result, List<ViolationView> violations,
		List<AcquisitionView> steps, @Nullable Localized stepsBound, String stepsJson, Localized violationsJson,
		List<EventView> events) {

	/** More acquisitions make a table that nobody reads to its end. */
	private static final int ACQUISITIONS = 40;

	static RoundView of(int index, JudgedRound round) {
		List<ViolationView> violations = round.verdict().violations().stream().map(ViolationView::of).toList();
		List<AcquisitionTrace> acquisitions = AcquisitionReader.of(round.record());
		return new RoundView(index, LocalizedLabWords.engine(round.record().engine()), round.record().round(),
				round.record().seed(), LocalizedLabWords.sentence((sentences) -> sentences.of(round)), violations,
				acquisitions.stream().limit(ACQUISITIONS).map(AcquisitionView::of).toList(),
				(acquisitions.size() > ACQUISITIONS) ? Message.of("lab-steps.first", ACQUISITIONS, acquisitions.size())
						: null,
				HistoryJson.line(acquisitions),
				(language) -> HistoryJson.line(violations.stream().map((one) -> one.what().in(language)).toList()),
				round.record().events().stream().map(EventView::of).toList());
	}

	/** Something that must not happen. */
	record ViolationView(String span, Localized what) {

		static ViolationView of(LabViolation violation) {
			String from = millis(violation.from());
			String until = millis(violation.until());
			return new ViolationView(from.equals(until) ? until : from + "–" + until,
					LocalizedLabWords.sentence((sentences) -> sentences.violation(violation)));
		}

	}

	/** An entry of the history. */
	record EventView(String at, String kind, String subject, String name, String details) {

		static EventView of(HistoryEvent event) {
			return new EventView(millis(event.at()), event.kind().name().toLowerCase(Locale.ROOT), event.subject(),
					event.name(),
					event.details()
						.entrySet()
						.stream()
						.sorted(Map.Entry.comparingByKey())
						.map(EventView::text)
						.collect(Collectors.joining(", ")));
		}

		private static String text(Map.Entry<String, String> detail) {
			return detail.getKey() + ": " + (detail.getKey().equals(HistoryEvent.UNTIL)
					? millis(Long.parseLong(detail.getValue())) + " ms" : detail.getValue());
		}

	}

	private static String millis(long nanos) {
		return "%.1f".formatted(nanos / 1e6);
	}

}
