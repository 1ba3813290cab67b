package live.retwis.locks.lab.report;

import java.util.List;

/**
 * Something that a stored report lacks, because the whole report was too large. The
 * verdicts are always those of the whole report.
 *
 * @param part what it lacks
 * @param values numbers of the text that says so
 */
public record OmittedReportPart(Part part, List<Integer> values) {

	/** A part of a report. */
	public enum Part {

		/** The commands on the links, after a number of rounds. */
		TRAFFIC,

		/** Most looks at the nodes. */
		LOOKS,

		/** Events and violations of a round, after a number of each. */
		EVENTS

	}

	public OmittedReportPart {
		values = List.copyOf(values);
	}

	/** A part that was left out. */
	public static OmittedReportPart of(Part part, Integer... values) {
		return new OmittedReportPart(part, List.of(values));
	}

}
