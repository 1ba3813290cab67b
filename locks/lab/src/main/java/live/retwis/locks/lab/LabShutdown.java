package live.retwis.locks.lab;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import live.retwis.locks.lab.node.ProcessRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Ends a run when somebody asks for it or this program is to end (Ctrl-C). A round that
 * is played then restarts what it finds dead; so what is left of the processes is ended
 * only when the thread that plays has noticed.
 */
final class LabShutdown {

	private static final Duration NOTICE = Duration.ofSeconds(5);

	private boolean wanted;

	private @Nullable Thread playing;

	synchronized boolean isWanted() {
		return this.wanted;
	}

	/**
	 * Whether it is wanted, for the thread that plays: no longer interrupted then, it may
	 * wait for the end of what it started.
	 */
	synchronized boolean isNoticed() {
		if (this.wanted) {
			Thread.interrupted();
		}
		return this.wanted;
	}

	/** From any thread, also before the run begins. */
	synchronized void request() {
		this.wanted = true;
		if (this.playing != null) {
			this.playing.interrupt();
		}
	}

	/**
	 * From here on this thread plays, until what this returns is closed; all processes
	 * that are recorded have ended then.
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

	/** What is to be stopped. */
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
				// The program ends, and the hook waits for this thread.
			}
		}

	}

}
