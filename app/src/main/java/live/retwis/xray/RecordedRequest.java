package live.retwis.xray;

import java.util.List;

/**
 * What was recorded of a request, without secrets.
 *
 * @param commands in the order in which they were sent
 * @param locks the locks that were held or refused
 * @param more number of further commands, which were not kept
 */
record RecordedRequest(List<RecordedCommand> commands, List<RecordedLock> locks, int more) {
}
