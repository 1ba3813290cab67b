package live.retwis.locks.nodes.proxy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A slow connection on which round trips can be counted. It collects what a client sends
 * until the client has been quiet for a while, and passes it on as one batch. It does the
 * same with the replies. A command that needs the reply of another one cannot be in the
 * same batch. So an operation with n round trips makes n batches, however fast the
 * machine is.
 */
public final class RoundTripCountingDelay implements FaultHandle {

	static final RoundTripCountingDelay UNCOUNTED = new RoundTripCountingDelay(Duration.ZERO, () -> {
	});

	private final List<List<SentCommand>> batches = new CopyOnWriteArrayList<>();

	private final long quietNanos;

	private final FaultHandle undo;

	RoundTripCountingDelay(Duration quiet, FaultHandle undo) {
		this.quietNanos = quiet.toNanos();
		this.undo = undo;
	}

	/**
	 * The commands of each round trip since the beginning, of all connections together.
	 */
	public List<List<SentCommand>> batches() {
		return List.copyOf(this.batches);
	}

	boolean isCounting() {
		return this.quietNanos > 0;
	}

	long quietNanos() {
		return this.quietNanos;
	}

	void add(List<SentCommand> batch) {
		if (isCounting() && !batch.isEmpty()) {
			this.batches.add(List.copyOf(batch));
		}
	}

	@Override
	public void close() {
		this.undo.close();
	}

}
