package live.retwis.xray;

import java.util.ArrayList;
import java.util.List;

import live.retwis.redis.CommandRecorder;

/**
 * The commands of one request, in the order in which they were sent, without secrets. A
 * round trip ends when a command is sent after an answer to another command of the same
 * trip has come.
 */
final class Recording implements CommandRecorder {

	/** Most commands that are kept. Further ones are counted. */
	private static final int MOST = 500;

	private final Redaction redaction;

	private final List<RecordedCommand> commands = new ArrayList<>();

	private int more;

	private int trip = 1;

	private boolean answered;

	private boolean closed;

	Recording(Redaction redaction) {
		this.redaction = redaction;
	}

	@Override
	public synchronized Answer sent(String name, List<String> arguments, int left, String node) {
		if (this.closed) {
			return (elements, bytes, failed) -> {
			};
		}
		if (this.answered) {
			this.answered = false;
			this.trip++;
		}
		if (this.commands.size() == MOST) {
			this.more++;
			return (elements, bytes, failed) -> answered();
		}
		RecordedCommand command = new RecordedCommand(this.trip, this.redaction.of(name, arguments), left, node,
				System.nanoTime(), 0, -1, -1, false);
		int index = this.commands.size();
		this.commands.add(command);
		return (elements, bytes, failed) -> answered(index, elements, bytes, failed);
	}

	private synchronized void answered() {
		this.answered = true;
	}

	private synchronized void answered(int index, int elements, long bytes, boolean failed) {
		this.answered = true;
		if (!this.closed) {
			this.commands.set(index, this.commands.get(index).answered(elements, bytes, failed));
		}
	}

	/** Ends the recording. What the request still does in the background is left out. */
	synchronized Recorded end() {
		this.closed = true;
		return new Recorded(List.copyOf(this.commands), this.more);
	}

	/**
	 * A recording that has ended.
	 *
	 * @param commands the commands in the order in which they were sent
	 * @param more number of further commands
	 */
	record Recorded(List<RecordedCommand> commands, int more) {
	}

}
