package live.retwis.timeline;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import live.retwis.redis.Position;

/**
 * How far fan-out is.
 *
 * @param waiting entries and pieces that wait or are being worked on
 * @param dead entries that could not be done
 * @param oldest how long ago the oldest of those that wait was committed; zero when none
 * does
 * @param upTo all entries up to there are done, but for those under way
 * @param underWay ids of entries that somebody is working on
 * @param split milliseconds of entries of which a piece is not done
 */
record FanOutState(long waiting, long dead, Duration oldest, Position upTo, Set<String> underWay, Set<Long> split) {

	private static final Position START = Position.of("0-0", "");

	/** No worker has ever looked at the log. */
	static final FanOutState NOT_BEGUN = new FanOutState(0, 0, Duration.ZERO, START, Set.of(), Set.of());

	/** As {@code fanout-state.lua} answers. */
	static FanOutState of(List<String> answer) {
		int named = Integer.parseInt(answer.get(4));
		String upTo = answer.get(3);
		return new FanOutState(Long.parseLong(answer.get(0)), Long.parseLong(answer.get(1)),
				Duration.ofMillis(Long.parseLong(answer.get(2))),
				Position.of(upTo.contains("-") ? upTo : upTo + "-0", ""), Set.copyOf(answer.subList(5, 5 + named)),
				answer.subList(5 + named, answer.size()).stream().map(Long::valueOf).collect(Collectors.toSet()));
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

}
