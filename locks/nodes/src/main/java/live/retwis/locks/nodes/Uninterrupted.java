package live.retwis.locks.nodes;

/**
 * Ends what a thread has started when that thread is to stop. Otherwise its interrupt
 * flag would break off the waits of the end, too.
 */
public final class Uninterrupted {

	private Uninterrupted() {
	}

	/**
	 * Runs the end of something without the interrupt flag, which is set again after it.
	 */
	public static void run(Runnable end) {
		boolean interrupted = Thread.interrupted();
		try {
			end.run();
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
