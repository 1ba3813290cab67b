package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Records the events of a listener in their order.
 */
final class RecordingListener implements LockListener {

	final List<LockAttempt> attempts = new CopyOnWriteArrayList<>();

	final List<String> events = new CopyOnWriteArrayList<>();

	@Override
	public void onAttempt(LockAttempt attempt) {
		this.attempts.add(attempt);
		this.events.add(attempt.result() + " " + attempt.resource());
	}

	@Override
	public void onRelease(String resource, int nodes, Duration elapsed) {
		this.events.add("released " + resource);
	}

	@Override
	public void onExtend(String resource, boolean extended, Duration elapsed) {
		this.events.add((extended ? "extended " : "not extended ") + resource);
	}

	@Override
	public void onExpired(String resource) {
		this.events.add("expired " + resource);
	}

}
