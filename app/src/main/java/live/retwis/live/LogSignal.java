package live.retwis.live;

import live.retwis.log.LogEntry;
import live.retwis.log.Position;

/**
 * What happens to whoever reads the log.
 */
sealed interface LogSignal {

	/**
	 * Reading starts after this entry: the first time, or because the log was cut.
	 *
	 * @param position of the newest entry
	 */
	record Begin(Position position) implements LogSignal {
	}

	/**
	 * The next entry.
	 *
	 * @param entry follows the one before without a gap
	 */
	record Next(LogEntry entry) implements LogSignal {
	}

}
