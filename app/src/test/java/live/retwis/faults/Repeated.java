package live.retwis.faults;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import live.retwis.locks.nodes.proxy.FaultHandle;

/**
 * Repeats an action until it is closed.
 */
final class Repeated implements FaultHandle {

	private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

	private Repeated() {
	}

	static FaultHandle every(Duration time, Runnable blow) {
		Repeated repeated = new Repeated();
		repeated.thread.scheduleAtFixedRate(blow, 0, time.toMillis(), TimeUnit.MILLISECONDS);
		return repeated;
	}

	/** The last action is over on return. */
	@Override
	public void close() {
		this.thread.shutdown();
		try {
			if (!this.thread.awaitTermination(10, TimeUnit.SECONDS)) {
				throw new IllegalStateException("it does not end");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
