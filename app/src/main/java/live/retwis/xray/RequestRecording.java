package live.retwis.xray;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

import live.retwis.redis.CommandRecorder;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one request, in the order in which they were sent, without secrets, and
 * the locks that it held. A round trip ends when a command is sent after an answer to
 * another command of the same trip has come.
 */
final class RequestRecording implements CommandRecorder {

	/** Most commands that are kept. Further ones are counted. */
	private static final int MOST = 500;

	/** Null once the recording has ended. */
	private @Nullable Redaction redaction;

	private final List<RecordedCommand> commands = new ArrayList<>();

	/** Tell which commands of the current round trip are answered. */
	private final List<BooleanSupplier> waiting = new ArrayList<>();

	private final List<RecordedLock> locks = new ArrayList<>();

	private int more;

	private int trip = 1;

	RequestRecording(Redaction redaction) {
		this.redaction = redaction;
	}

	@Override
	public synchronized Answer sent(String name, List<String> arguments, int left, String node,
			BooleanSupplier isAnswered) {
		Redaction redaction = this.redaction;
		if (redaction == null) {
			return (when, elements, bytes, failed) -> {
			};
		}
		if (this.waiting.stream().anyMatch(BooleanSupplier::getAsBoolean)) {
			this.waiting.clear();
			this.trip++;
		}
		this.waiting.add(isAnswered);
		if (this.commands.size() == MOST) {
			this.more++;
			this.waiting.remove(0);
			return (when, elements, bytes, failed) -> {
			};
		}
		RecordedCommand command = new RecordedCommand(this.trip, redaction.of(name, arguments), left, node,
				System.nanoTime(), 0, -1, -1, false);
		int index = this.commands.size();
		this.commands.add(command);
		return (when, elements, bytes, failed) -> answered(index, when, elements, bytes, failed);
	}

	@Override
	public void locked(String resource, Map<String, String> nodes, Duration waited, Duration left) {
		add(new RecordedLock(resource, nodes, false, waited, left));
	}

	@Override
	public void refused(String resource, boolean taken, Duration waited) {
		add(new RecordedLock(resource, Map.of(), taken, waited, Duration.ZERO));
	}

	private synchronized void add(RecordedLock lock) {
		if (this.redaction != null && this.locks.size() < MOST) {
			this.locks.add(lock);
		}
	}

	private synchronized void answered(int index, long when, int elements, long bytes, boolean failed) {
		this.commands.set(index, this.commands.get(index).answered(when, elements, bytes, failed));
	}

	/**
	 * Ends the recording. What the request still sends in the background is left out.
	 * Answers are still noted.
	 */
	synchronized void end() {
		this.redaction = null;
		this.waiting.clear();
	}

	/** What is recorded so far. */
	synchronized RecordedRequest recorded() {
		return new RecordedRequest(List.copyOf(this.commands), List.copyOf(this.locks), this.more);
	}

	/** Value of {@link XrayFilter#TOTALS}. */
	synchronized String totals() {
		return "redis;desc=\"commands: %d, round trips: %d\"".formatted(this.commands.size() + this.more,
				this.commands.isEmpty() ? 0 : this.trip);
	}

}
