package live.retwis.cluster;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * What has to be ended, in the opposite order. The end may come while parts are still
 * being started: a part that comes too late is ended at once.
 */
final class ShutdownStack {

	private final Deque<Runnable> endings = new ArrayDeque<>();

	private boolean over;

	/**
	 * Adds something.
	 * @throws ClusterException when the end has begun; then it is ended here
	 */
	void add(Runnable end) {
		synchronized (this) {
			if (!this.over) {
				this.endings.push(end);
				return;
			}
		}
		end.run();
		throw new ClusterException("Ended before it was open");
	}

	/** Adds something that is closed at the end. */
	<T extends AutoCloseable> T closing(T part) {
		add(() -> {
			try {
				part.close();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
		return part;
	}

	/**
	 * Ends everything, the latest first. A second call does nothing.
	 * @param problems is told the errors; the others are ended all the same
	 */
	void run(Consumer<RuntimeException> problems) {
		for (Runnable end = next(); end != null; end = next()) {
			try {
				end.run();
			}
			catch (RuntimeException ex) {
				problems.accept(ex);
			}
		}
	}

	private synchronized @Nullable Runnable next() {
		this.over = true;
		return this.endings.poll();
	}

}
