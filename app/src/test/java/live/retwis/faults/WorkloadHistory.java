package live.retwis.faults;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import live.retwis.log.LogEntry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What came of a workload, when everything has settled.
 *
 * @param log all its entries, from the last one before the workload on
 * @param acknowledged the posts of which an author was told that they are made
 * @param readings of all streams, each read to the end of the log
 */
record WorkloadHistory(List<LogEntry> log, Set<String> acknowledged, List<ReaderLog> readings) {

	/** What was lost once is often lost to many. */
	private static final int SHOWN = 10;

	/** Holds everyone to what is promised while the log itself is whole. */
	void assertWhole() {
		List<String> violations = new ArrayList<>(violations());
		lost().forEach((post) -> violations.add("post " + post + " was acknowledged and is not in the log"));
		this.readings.stream()
			.filter(ReaderLog::hasReset)
			.forEach((reading) -> violations.add(reading.stream() + ": was reset"));
		assertNone(violations);
	}

	/**
	 * Holds everyone to what is promised when a fail-over has cut the log: who saw
	 * anything that is gone was told to start anew.
	 */
	void assertWholeButForTheCut() {
		assertNone(violations());
	}

	private static void assertNone(List<String> violations) {
		assertThat(violations.stream().limit(SHOWN)).as("some of %d violations", violations.size()).isEmpty();
	}

	/** Posts that are gone with the part of the log that was cut off. */
	Set<String> lost() {
		Set<String> lost = new HashSet<>(this.acknowledged);
		posts().forEach(lost::remove);
		return lost;
	}

	/** What is wrong, whatever happened. */
	List<String> violations() {
		List<String> violations = new ArrayList<>();
		Set<String> posts = new HashSet<>();
		posts().forEach((post) -> {
			if (!posts.add(post)) {
				violations.add("post " + post + " is in the log twice");
			}
			else if (!this.acknowledged.contains(post)) {
				violations.add("post " + post + " is in the log, but no form's answer");
			}
		});
		this.readings.forEach((reading) -> violations.addAll(reading.violations(this.log)));
		return violations;
	}

	private List<String> posts() {
		return this.log.stream()
			.skip(1)
			.filter((entry) -> entry.type() == LogEntry.Type.POST)
			.map(LogEntry::post)
			.toList();
	}

}
