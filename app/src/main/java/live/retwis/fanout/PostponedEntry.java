package live.retwis.fanout;

import live.retwis.log.LogEntry;

/**
 * A log entry that waits for a node that is away.
 *
 * @param id id in the stream of postponed entries
 * @param entry the entry, of which a part may be done
 */
record PostponedEntry(String id, LogEntry entry) {
}
