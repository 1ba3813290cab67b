package live.retwis.locks.lab;

import java.time.Duration;

import live.retwis.locks.lab.node.Leftovers;

/**
 * Ends a run and all of its processes when this program is to end (Ctrl-C). A round that
 * is played then restarts what it finds dead; so the processes are ended only when the
 * thread that plays has noticed.
 */
final class LabStop implements AutoCloseable {

	private static final Duration NOTICE = Duration.ofSeconds(5);

	private final Thread playing;

	private final Leftovers leftovers;

	private final Thread hook = new Thread(this::stop, "lab-stop");

	private volatile boolean wanted;

	private LabStop(Thread playing, Leftovers leftovers) {
		this.playing = playing;
		this.leftovers = leftovers;
	}

	static LabStop of(Thread playing, Leftovers leftovers) {
		LabStop stop = new LabStop(playing, leftovers);
		Runtime.getRuntime().addShutdownHook(stop.hook);
		return stop;
	}

	boolean isWanted() {
		return this.wanted;
	}

	private void stop() {
		this.wanted = true;
		this.playing.interrupt();
		try {
			this.playing.join(NOTICE.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.leftovers.endAll();
		this.leftovers.close();
	}

	/** The run has ended by itself. */
	@Override
	public void close() {
		if (!this.wanted) {
			Runtime.getRuntime().removeShutdownHook(this.hook);
		}
	}

}
