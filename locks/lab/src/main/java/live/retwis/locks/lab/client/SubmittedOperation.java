package live.retwis.locks.lab.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import live.retwis.locks.lab.history.HistoryEvent;

/**
 * An operation under way.
 */
public final class SubmittedOperation {

	private final CompletableFuture<HistoryEvent> end = new CompletableFuture<>();

	void ended(HistoryEvent event) {
		this.end.complete(event);
	}

	public boolean isDone() {
		return this.end.isDone();
	}

	/**
	 * Waits for the end of the operation.
	 * @return whether it ended within the time. False also when the thread was
	 * interrupted; its interrupt flag stays set
	 */
	public boolean await(Duration bound) {
		try {
			this.end.get(bound.toMillis(), TimeUnit.MILLISECONDS);
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("An operation ends with an event", ex);
		}
	}

	/** The outcome of the operation. Empty while it is under way. */
	public String outcome() {
		HistoryEvent event = this.end.getNow(null);
		return (event != null) ? event.detail("outcome") : "";
	}

	/**
	 * How much longer the lock of this acquisition may be relied on.
	 * @param lease where the engine does not tell the end, the whole lease counts from
	 * the answer
	 */
	public Duration left(Duration lease) {
		HistoryEvent event = this.end.getNow(null);
		if (event == null || !isAcquired()) {
			return Duration.ZERO;
		}
		String until = event.detail(HistoryEvent.UNTIL);
		long end = until.isEmpty() ? event.at() + lease.toNanos() : Long.parseLong(until);
		return Duration.ofNanos(Math.max(end - System.nanoTime(), 0));
	}

	/** Whether this was an acquisition, and it got the lock. */
	public boolean isAcquired() {
		return outcome().equals("acquired");
	}

}
