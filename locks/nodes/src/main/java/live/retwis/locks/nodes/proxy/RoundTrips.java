package live.retwis.locks.nodes.proxy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A long way, on which round trips can be counted. What a client says on a connection is
 * sent on in one batch when it has been quiet for a while, and so are the answers. A
 * command that needs the answer of another cannot be in the same batch with it, so what
 * needs n round trips makes n batches, however fast the machine is.
 */
public final class RoundTrips implements ProxyFault {

	static final RoundTrips UNCOUNTED = new RoundTrips(Duration.ZERO, () -> {
	});

	private final List<List<SentCommand>> batches = new CopyOnWriteArrayList<>();

	private final long quietNanos;

	private final ProxyFault undo;

	RoundTrips(Duration quiet, ProxyFault undo) {
		this.quietNanos = quiet.toNanos();
		this.undo = undo;
	}

	/** The commands of each round trip, all connections together, from the beginning. */
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
