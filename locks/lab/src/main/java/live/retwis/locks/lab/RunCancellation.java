package live.retwis.locks.lab;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import live.retwis.locks.lab.node.ProcessRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Ends a run when somebody asks for it, or when this program ends (Ctrl-C). A round that
 * is being played restarts what it finds dead. So the processes are ended only after the
 * playing thread has noticed that it is to stop.
 */
final class RunCancellation {

	private static final Duration NOTICE = Duration.ofSeconds(5);

	private boolean wanted;

	private @Nullable Thread playing;

	synchronized boolean isWanted() {
		return this.wanted;
	}

	/**
	 * Whether the run is to end. Called by the thread that plays. Clears its interrupt
	 * flag, so that it may wait for the end of what it started.
	 */
	synchronized boolean isNoticed() {
		if (this.wanted) {
			Thread.interrupted();
		}
		return this.wanted;
	}

	/**
	 * Asks for the end of the run. May be called by any thread, also before the run
	 * begins.
	 */
	synchronized void request() {
		this.wanted = true;
		if (this.playing != null) {
			this.playing.interrupt();
		}
	}

	/**
	 * Begins the run on this thread. It lasts until the result is closed. All recorded
	 * processes have ended then.
	 */
	Run begin(ProcessRegistry processRegistry) {
		Run run = new Run(processRegistry);
		playing(Thread.currentThread());
		Runtime.getRuntime().addShutdownHook(run.hook);
		return run;
	}

	private synchronized void playing(@Nullable Thread thread) {
		this.playing = thread;
	}

	/** The run that can be stopped. */
	final class Run implements AutoCloseable {

		private final CountDownLatch over = new CountDownLatch(1);

		private final ProcessRegistry processRegistry;

		private final Thread hook = new Thread(this::endWithProgram, "lab-stop");

		private Run(ProcessRegistry processRegistry) {
			this.processRegistry = processRegistry;
		}

		private void endWithProgram() {
			request();
			try {
				this.over.await(NOTICE.toMillis(), TimeUnit.MILLISECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			this.processRegistry.endAll();
			this.processRegistry.close();
		}

		@Override
		public void close() {
			playing(null);
			isNoticed();
			this.processRegistry.endAll();
			this.over.countDown();
			try {
				Runtime.getRuntime().removeShutdownHook(this.hook);
			}
			catch (IllegalStateException ex) {
				// The program ends already, and the hook waits for this thread.
			}
		}

	}

}
