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
public final class PendingOperation {

	private final CompletableFuture<HistoryEvent> end = new CompletableFuture<>();

	void ended(HistoryEvent event) {
		this.end.complete(event);
	}

	public boolean isDone() {
		return this.end.isDone();
	}

	/**
	 * Whether it ended within that time.
	 * @return no also when the thread was interrupted, which stays set
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

	/** What it ended with; empty while it has not. */
	public String outcome() {
		HistoryEvent event = this.end.getNow(null);
		return (event != null) ? event.detail("outcome") : "";
	}

	/**
	 * How much longer an acquisition that got the lock may be relied on.
	 * @param lease of which all counts from the answer, where the engine does not tell
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

	/** Whether it was an acquisition that got the lock. */
	public boolean isAcquired() {
		return outcome().equals("acquired");
	}

}
