package live.retwis.live;

import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;

/** What a {@link CommitLogTailer} tells those who follow the log. */
sealed interface CommitLogTailerEvent {

	/**
	 * Reading starts after this entry, for the first time or because the log was cut.
	 *
	 * @param position position of the newest entry
	 */
	record Begin(LogPosition position) implements CommitLogTailerEvent {
	}

	/**
	 * The next entry.
	 *
	 * @param entry an entry that follows the previous one without a gap
	 */
	record Next(LogEntry entry) implements CommitLogTailerEvent {
	}

}
