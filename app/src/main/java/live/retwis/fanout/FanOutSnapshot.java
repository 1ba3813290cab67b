package live.retwis.fanout;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import live.retwis.log.LogPosition;

/**
 * How far fan-out is.
 *
 * @param waiting entries from the oldest one on that is not done, and unfinished tasks
 * @param dead entries that could not be processed
 * @param oldest how long ago the oldest waiting entry was committed; zero when none waits
 * @param upTo every entry up to this position is done, except those in {@code inProgress}
 * and {@code split}
 * @param taken the last entry that any worker has taken
 * @param inProgress ids of entries that are in progress
 * @param split milliseconds of entries that have an unfinished task
 */
record FanOutSnapshot(long waiting, long dead, Duration oldest, LogPosition upTo, LogPosition taken,
		Set<String> inProgress, Set<Long> split) {

	private static final LogPosition START = LogPosition.of("0-0", "");

	/** The state before any worker has read the log. */
	static final FanOutSnapshot NOT_BEGUN = new FanOutSnapshot(0, 0, Duration.ZERO, START, START, Set.of(), Set.of());

	/** Reads the answer of {@code fanout-state.lua}. */
	static FanOutSnapshot of(List<String> answer) {
		int named = Integer.parseInt(answer.get(5));
		return new FanOutSnapshot(Long.parseLong(answer.get(0)), Long.parseLong(answer.get(1)),
				Duration.ofMillis(Long.parseLong(answer.get(2))), position(answer.get(3)), position(answer.get(4)),
				Set.copyOf(answer.subList(6, 6 + named)),
				answer.subList(6 + named, answer.size()).stream().map(Long::valueOf).collect(Collectors.toSet()));
	}

	private static LogPosition position(String id) {
		return LogPosition.of(id.contains("-") ? id : id + "-0", "");
	}

	/** Whether the entry is done. */
	boolean isDone(LogPosition entry) {
		return entry.compareTo(this.upTo) <= 0 && !this.inProgress.contains(entry.entryId())
				&& !this.split.contains(entry.millis());
	}

	/** Whether the entry and every entry before it are done. */
	boolean isDoneUpTo(LogPosition entry) {
		return entry.compareTo(this.upTo) <= 0 && this.split.stream().noneMatch((millis) -> millis <= entry.millis())
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
				|| this.split.stream().anyMatch(before::isDone);
	}

	/** Whether at least the first entry of the millisecond is done. */
	private boolean isDone(long millis) {
		return millis <= this.upTo.millis() && !this.split.contains(millis)
				&& this.inProgress.stream().noneMatch((id) -> id.startsWith(millis + "-"));
	}

}
