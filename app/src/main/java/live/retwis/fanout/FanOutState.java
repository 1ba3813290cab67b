package live.retwis.fanout;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import live.retwis.log.Position;

/**
 * How far fan-out is.
 *
 * @param waiting entries and pieces that wait or are being worked on
 * @param dead entries that could not be done
 * @param oldest how long ago the oldest of those that wait was committed; zero when none
 * does
 * @param upTo all entries up to there are done, but for those under way
 * @param taken the last entry that a worker has taken up
 * @param underWay ids of entries that somebody is working on
 * @param split milliseconds of entries of which a piece is not done
 */
record FanOutState(long waiting, long dead, Duration oldest, Position upTo, Position taken, Set<String> underWay,
		Set<Long> split) {

	private static final Position START = Position.of("0-0", "");

	/** No worker has ever looked at the log. */
	static final FanOutState NOT_BEGUN = new FanOutState(0, 0, Duration.ZERO, START, START, Set.of(), Set.of());

	/** As {@code fanout-state.lua} answers. */
	static FanOutState of(List<String> answer) {
		int named = Integer.parseInt(answer.get(5));
		return new FanOutState(Long.parseLong(answer.get(0)), Long.parseLong(answer.get(1)),
				Duration.ofMillis(Long.parseLong(answer.get(2))), position(answer.get(3)), position(answer.get(4)),
				Set.copyOf(answer.subList(6, 6 + named)),
				answer.subList(6 + named, answer.size()).stream().map(Long::valueOf).collect(Collectors.toSet()));
	}

	private static Position position(String id) {
		return Position.of(id.contains("-") ? id : id + "-0", "");
	}

	/** Whether that entry is done. */
	boolean isDone(Position entry) {
		return entry.compareTo(this.upTo) <= 0 && !this.underWay.contains(entry.entryId())
				&& !this.split.contains(entry.millis());
	}

	/** Whether that entry and all before it are done. */
	boolean isDoneUpTo(Position entry) {
		return entry.compareTo(this.upTo) <= 0 && this.split.stream().noneMatch((millis) -> millis <= entry.millis())
				&& this.underWay.stream().noneMatch((id) -> Position.of(id, "").compareTo(entry) <= 0);
	}

	/**
	 * Whether something is not done any more. Two entries of one millisecond may look
	 * like that, too.
	 * @param before an earlier state
	 */
	boolean hasLost(FanOutState before) {
		return this.taken.compareTo(before.taken) < 0
				|| this.underWay.stream().map((id) -> Position.of(id, "")).anyMatch(before::isDone)
				|| this.split.stream().anyMatch(before::isDone);
	}

	/** Whether the first entry of a millisecond, at least, is done. */
	private boolean isDone(long millis) {
		return millis <= this.upTo.millis() && !this.split.contains(millis)
				&& this.underWay.stream().noneMatch((id) -> id.startsWith(millis + "-"));
	}

}
