package live.retwis.locks.lab.report;

import live.retwis.locks.lab.check.RoundOutcome;

/**
 * Writes a report for build servers. Each scenario with an engine is a class, and each
 * round is a test.
 */
public final class JUnitXml {

	private JUnitXml() {
	}

	/** Writes the report. */
	public static String of(LabReport report) {
		StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
		xml.append("<testsuite name=\"redlock-lab\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\">\n"
			.formatted(report.rounds().size() + report.skippedScenarios().size(), count(report, RoundOutcome.OTHERWISE),
					count(report, RoundOutcome.BROKEN) + count(report, RoundOutcome.NOT_REPRODUCED),
					report.skippedScenarios().size()));
		report.rounds().forEach((round) -> xml.append(test(round)));
		report.skippedScenarios()
			.forEach((skipped) -> xml.append("  <testcase classname=\"lab\" name=\"%s\"><skipped/></testcase>\n"
				.formatted(RoundResultFormatter.escape(skipped.line()))));
		return xml.append("</testsuite>\n").toString();
	}

	private static long count(LabReport report, RoundOutcome ending) {
		return report.rounds().stream().filter((round) -> round.ending() == ending).count();
	}

	private static String test(JudgedRound round) {
		String begin = "  <testcase classname=\"lab.%s.%s\" name=\"round %d\"".formatted(round.record().scenario(),
				round.record().engine(), round.record().round());
		String text = RoundResultFormatter
			.escape(VerdictSentences.ENGLISH.of(round) + " (" + RoundResultFormatter.result(round) + ")");
		return begin + switch (round.ending()) {
			case AS_DESCRIBED -> "/>\n";
			case OTHERWISE -> "><failure message=\"%s\"/></testcase>\n".formatted(text);
			default -> "><error message=\"%s\"/></testcase>\n".formatted(text);
		};
	}

}
