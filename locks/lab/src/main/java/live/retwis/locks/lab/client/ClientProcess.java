package live.retwis.locks.lab.client;

/**
 * The process of a client, which can be stopped and killed.
 */
public final class ClientProcess {

	private final ProcessClientHandle driver;

	ClientProcess(ProcessClientHandle driver) {
		this.driver = driver;
	}

	/** Sends SIGSTOP. The process stands still when this returns. */
	public void stop() {
		this.driver.stop();
	}

	/** Sends SIGCONT. */
	public void resume() {
		this.driver.resume();
	}

	/** Sends SIGKILL. The process is dead when this returns. */
	public void kill() {
		this.driver.kill();
	}

	/**
	 * The state as the system tells it: {@code T} for stopped, {@code gone} or
	 * {@code running}.
	 */
	public String state() {
		return this.driver.state();
	}

}
