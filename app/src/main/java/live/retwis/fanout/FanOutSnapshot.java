package live.retwis.fanout;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import live.retwis.log.LogPosition;

/**
 * How far fan-out is.
 *
 * @param waiting entries from the oldest one on that is not done, unfinished tasks, and
 * postponed entries
 * @param dead entries that could not be processed
 * @param oldest how long ago the oldest waiting entry was committed; zero when none waits
 * @param upTo every entry up to this position is done, except those in {@code inProgress}
 * and {@code elsewhere}
 * @param taken the last entry that any worker has taken
 * @param inProgress ids of entries that are in progress
 * @param elsewhere milliseconds of entries that have an unfinished task, or are postponed
 * @param listed the millisecond up to which {@code elsewhere} is complete
 */
record FanOutSnapshot(long waiting, long dead, Duration oldest, LogPosition upTo, LogPosition taken,
		Set<String> inProgress, Set<Long> elsewhere, long listed) {

	/** Where the lists begin in an answer. */
	private static final int LISTS = 7;

	private static final LogPosition START = LogPosition.of("0-0", "");

	/** The state before any worker has read the log. */
	static final FanOutSnapshot NOT_BEGUN = new FanOutSnapshot(0, 0, Duration.ZERO, START, START, Set.of(), Set.of(),
			Long.MAX_VALUE);

	/**
	 * Reads answers of {@code fanout-state.lua}. The first one says everything. The
	 * others continue its list. What moves meanwhile keeps its place in that list, so it
	 * is in one of them.
	 */
	static FanOutSnapshot of(List<List<String>> answers) {
		List<String> first = answers.get(0);
		return new FanOutSnapshot(Long.parseLong(first.get(0)), Long.parseLong(first.get(1)),
				Duration.ofMillis(Long.parseLong(first.get(2))), position(first.get(3)), position(first.get(4)),
				Set.copyOf(first.subList(LISTS, elsewhere(first))),
				answers.stream()
					.flatMap((answer) -> answer.subList(elsewhere(answer), answer.size()).stream())
					.map(Long::valueOf)
					.collect(Collectors.toSet()),
				listedUpTo(answers.get(answers.size() - 1)).map(Long::valueOf).orElse(Long.MAX_VALUE));
	}

	/**
	 * The millisecond up to which an answer lists the entries that are elsewhere, if
	 * there are more of them.
	 */
	static Optional<String> listedUpTo(List<String> answer) {
		return Optional.of(answer.get(answer.size() - 1)).filter((last) -> answer.get(5).equals("1"));
	}

	/** Where the list of the entries that are elsewhere begins in an answer. */
	private static int elsewhere(List<String> answer) {
		return LISTS + Integer.parseInt(answer.get(6));
	}

	private static LogPosition position(String id) {
		return LogPosition.of(id.contains("-") ? id : id + "-0", "");
	}

	/** Whether it names all entries that are elsewhere. */
	boolean isWhole() {
		return this.listed == Long.MAX_VALUE;
	}

	/** Whether the entry is known to be done. */
	boolean isDone(LogPosition entry) {
		return entry.compareTo(this.upTo) <= 0 && entry.millis() <= this.listed
				&& !this.inProgress.contains(entry.entryId()) && !this.elsewhere.contains(entry.millis());
	}

	/** Whether the entry and every entry before it are done. */
	boolean isDoneUpTo(LogPosition entry) {
		return entry.compareTo(this.upTo) <= 0
				&& this.elsewhere.stream().noneMatch((millis) -> millis <= entry.millis())
				&& this.inProgress.stream().noneMatch((id) -> LogPosition.of(id, "").compareTo(entry) <= 0);
	}

	/**
	 * Whether something that was done is not done any more, because a fail-over has lost
	 * it. Two entries in the same millisecond can cause a false alarm.
	 * @param before an earlier state
	 */
	boolean hasLost(FanOutSnapshot before) {
		return this.taken.compareTo(before.taken) < 0
				|| this.inProgress.stream().map((id) -> LogPosition.of(id, "")).anyMatch(before::isDone)
				|| this.elsewhere.stream().anyMatch(before::isDone);
	}

	/** Whether at least the first entry of the millisecond is known to be done. */
	private boolean isDone(long millis) {
		return millis <= this.upTo.millis() && millis <= this.listed && !this.elsewhere.contains(millis)
				&& this.inProgress.stream().noneMatch((id) -> id.startsWith(millis + "-"));
	}

}
