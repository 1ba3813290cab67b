package live.retwis.lab;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

import live.retwis.locks.lab.check.LabViolation;
import live.retwis.locks.lab.check.RoundVerdict;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.history.HistoryJson;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.report.OmittedReportPart;
import live.retwis.locks.lab.report.OmittedReportPart.Part;

/**
 * Encodes reports for the store: JSON, compressed with gzip, in Base64. The size of the
 * JSON is bounded. If a report is too large, events are left out, first the looks at the
 * nodes, and the report says so. The verdicts are always those of the complete run.
 */
final class StoredRunCodec {

	/** Most bytes of JSON. The page of a run has some of it twice. */
	static final int MOST = 1024 * 1024;

	/**
	 * Tried next, in this order: keep one look at the nodes in every 1, 2, 4 and so on.
	 * The last step keeps only the first look.
	 */
	private static final List<Integer> LOOKS = List.of(1, 2, 4, 8, Integer.MAX_VALUE);

	/**
	 * Tried before that, in this order: rounds whose traffic on the links is kept.
	 * Without it the steps of an acquisition cannot be shown.
	 */
	private static final List<Integer> TRAFFIC = List.of(10, 4, 1, 0);

	/** Tried last, in this order: events of each round that are kept. */
	private static final List<Integer> EVENTS = List.of(1000, 300, 100, 30, 0);

	/** Violations of each round that are kept in the second series of steps. */
	private static final int VIOLATIONS = 100;

	private StoredRunCodec() {
	}

	/**
	 * The JSON of a report, shortened until it is within the bound.
	 * @throws IllegalStateException when the verdicts alone are too large
	 */
	static String json(LabReport report) {
		return Stream
			.of(Stream.of(report), TRAFFIC.stream().map((rounds) -> withTraffic(report, rounds)),
					LOOKS.stream().map((step) -> withLooks(withTraffic(report, 0), step)),
					EVENTS.stream().map((most) -> withEvents(withTraffic(report, 0), most)))
			.flatMap((some) -> some)
			.map(HistoryJson::line)
			.filter((json) -> json.getBytes(StandardCharsets.UTF_8).length <= MOST)
			.findFirst()
			.orElseThrow(
					() -> new IllegalStateException("A run of " + report.rounds().size() + " rounds is too large"));
	}

	/** Keeps the traffic of the first rounds. */
	private static LabReport withTraffic(LabReport report, int rounds) {
		List<JudgedRound> traced = report.rounds().stream().limit(rounds).toList();
		boolean needless = report.rounds()
			.stream()
			.noneMatch((round) -> round.record().events().stream().anyMatch(StoredRunCodec::isTraffic));
		return needless ? report
				: without(OmittedReportPart.of(Part.TRAFFIC, rounds), report,
						(round) -> traced.contains(round) ? round
								: with(round,
										round.record().events().stream().filter((event) -> !isTraffic(event)).toList(),
										round.verdict()));
	}

	private static boolean isTraffic(HistoryEvent event) {
		return event.kind() == Kind.ASKED || event.kind() == Kind.ANSWERED;
	}

	private static LabReport withLooks(LabReport report, int step) {
		return (step == 1) ? report : without(OmittedReportPart.of(Part.LOOKS), report, (round) -> {
			List<HistoryEvent> some = new ArrayList<>();
			int looks = 0;
			for (HistoryEvent event : round.record().events()) {
				if (event.kind() != Kind.NODES || looks++ % step == 0) {
					some.add(event);
				}
			}
			return with(round, some, round.verdict());
		});
	}

	private static LabReport withEvents(LabReport report, int most) {
		return without(OmittedReportPart.of(Part.EVENTS, most, VIOLATIONS), report, (round) -> {
			RoundVerdict all = round.verdict();
			List<LabViolation> first = all.violations().stream().limit(VIOLATIONS).toList();
			List<HistoryEvent> some = round.record()
				.events()
				.stream()
				.filter((event) -> event.kind() != Kind.NODES && !isTraffic(event))
				.limit(most)
				.toList();
			return with(round, some,
					new RoundVerdict(all.lease(), all.effect(), all.progress(), all.recovered(), first));
		});
	}

	private static JudgedRound with(JudgedRound round, List<HistoryEvent> events, RoundVerdict verdict) {
		return round.shortened(round.record().with(round.record().error(), events), verdict);
	}

	private static LabReport without(OmittedReportPart what, LabReport report, UnaryOperator<JudgedRound> thinner) {
		List<OmittedReportPart> all = new ArrayList<>(report.shortenings());
		all.add(what);
		return new LabReport(report.began(), report.settings(), report.rounds().stream().map(thinner).toList(),
				report.skippedScenarios(), all, report.summaries());
	}

	/** Compresses JSON for the store. */
	static String pack(String json) {
		ByteArrayOutputStream packed = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
			gzip.write(json.getBytes(StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return Base64.getEncoder().encodeToString(packed.toByteArray());
	}

	/** The JSON of a stored report. */
	static String unpack(String stored) {
		try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(stored)))) {
			return new String(gzip.readNBytes(MOST), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
