package live.retwis.locks.lab.client;

/**
 * The process of a client, to be stopped and killed.
 */
public final class ClientProcess {

	private final ProcessClientHandle driver;

	ClientProcess(ProcessClientHandle driver) {
		this.driver = driver;
	}

	/** SIGSTOP; it stands still on return. */
	public void stop() {
		this.driver.stop();
	}

	/** SIGCONT. */
	public void resume() {
		this.driver.resume();
	}

	/** SIGKILL; it is dead on return. */
	public void kill() {
		this.driver.kill();
	}

	/** {@code T} for stopped, {@code gone} or {@code running}, as the system tells. */
	public String state() {
		return this.driver.state();
	}

}
