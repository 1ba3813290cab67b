package live.retwis.faults;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.log.LogEntry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The result of a workload.
 *
 * @param log all entries, from the last one before the workload on
 * @param acknowledged posts that were acknowledged to their authors
 * @param reposts acknowledged reposts that must be in the log
 * @param readings what was read of all streams, each to the end of the log
 */
record WorkloadHistory(List<LogEntry> log, Set<String> acknowledged, Set<Repost> reposts, List<ReaderLog> readings) {

	/** Violations that are shown. A lost post is often lost to many readers. */
	private static final int SHOWN = 10;

	/** Checks all promises that hold while the log is complete. */
	void assertWhole() {
		List<String> violations = new ArrayList<>(violations());
		this.readings.forEach((reading) -> violations.addAll(reading.staleNumbers(this.log)));
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
		Set<Repost> living = new HashSet<>();
		livingReposts(this.log).map(Repost::of)
			.filter((repost) -> !living.add(repost))
			.forEach(
					(repost) -> violations.add("post " + repost.original() + " is reposted twice by " + repost.user()));
		this.reposts.stream()
			.filter((repost) -> !living.contains(repost))
			.forEach((repost) -> violations.add("the repost of post " + repost.original() + " by " + repost.user()
					+ " was acknowledged and is not in the log"));
		this.readings.forEach((reading) -> violations.addAll(reading.violations(this.log)));
		return violations;
	}

	/** Reposts in the log that the log does not say are deleted. */
	static Stream<LogEntry> livingReposts(List<LogEntry> log) {
		Set<String> deleted = deleted(log);
		return log.stream().skip(1).filter((entry) -> entry.repostOf().isPresent() && !deleted.contains(entry.post()));
	}

	/**
	 * Ids of posts that the log says are deleted. The site itself deletes reposts of
	 * posts that were lost with a master.
	 */
	static Set<String> deleted(List<LogEntry> log) {
		return log.stream()
			.filter((entry) -> entry.type() == LogEntry.Type.DELETE)
			.map(LogEntry::post)
			.collect(Collectors.toSet());
	}

	/** Reposts are not among them, because the answer to their form has no id. */
	private List<String> posts() {
		return this.log.stream()
			.skip(1)
			.filter((entry) -> entry.type() == LogEntry.Type.POST && entry.repostOf().isEmpty())
			.map(LogEntry::post)
			.toList();
	}

	/**
	 * That a user reposts a post.
	 *
	 * @param original id of the post
	 * @param user id of the user
	 */
	record Repost(String original, String user) {

		static Repost of(LogEntry entry) {
			return new Repost(entry.repostOf().orElseThrow(), entry.user());
		}

	}

}
