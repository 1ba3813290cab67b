package live.retwis.faults;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import live.retwis.log.LogEntry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The result of a workload.
 *
 * @param log all entries, from the last one before the workload on
 * @param acknowledged posts that were acknowledged to their authors
 * @param readings what was read of all streams, each to the end of the log
 */
record WorkloadHistory(List<LogEntry> log, Set<String> acknowledged, List<ReaderLog> readings) {

	/** Violations that are shown. A lost post is often lost to many readers. */
	private static final int SHOWN = 10;

	/** Checks all promises that hold while the log is complete. */
	void assertWhole() {
		List<String> violations = new ArrayList<>(violations());
		lost().forEach((post) -> violations.add("post " + post + " was acknowledged and is not in the log"));
		this.readings.stream()
			.filter(ReaderLog::hasReset)
			.forEach((reading) -> violations.add(reading.stream() + ": was reset"));
		assertNone(violations);
	}

	/**
	 * Checks the promises that hold after a fail-over has cut the log: every reader who
	 * saw a lost entry got a reset.
	 */
	void assertWholeExceptTheCut() {
		assertNone(violations());
	}

	private static void assertNone(List<String> violations) {
		assertThat(violations.stream().limit(SHOWN)).as("some of %d violations", violations.size()).isEmpty();
	}

	/** Acknowledged posts that were lost with the cut part of the log. */
	Set<String> lost() {
		Set<String> lost = new HashSet<>(this.acknowledged);
		posts().forEach(lost::remove);
		return lost;
	}

	/** Violations of the promises that always hold. */
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

	/** A repost is no answer to a form. Sending that form again may make another. */
	private List<String> posts() {
		return this.log.stream()
			.skip(1)
			.filter((entry) -> entry.type() == LogEntry.Type.POST && entry.repostOf().isEmpty())
			.map(LogEntry::post)
			.toList();
	}

}
