package live.retwis.ops;

/**
 * One container of the site.
 *
 * @param id Docker's id of the container
 */
public record ComposeService(String id) {

	/**
	 * Kills the first process of the container (SIGKILL) from outside, as the system does
	 * when memory runs out. Docker does not take this for a stop by a user, so it
	 * restarts the container.
	 */
	public void kill() {
		// The signal is sent from a container that sees all processes of the engine's
		// machine.
		Docker.docker("run", "--rm", "--pid", "host", "--user", "root", "--entrypoint", "sh", ComposeSite.REDIS_IMAGE,
				"-c", "kill -9 " + state("Pid"));
	}

	/** Pauses all processes of the container. */
	public void pause() {
		Docker.docker("pause", this.id);
	}

	public void resume() {
		Docker.docker("unpause", this.id);
	}

	/** Asks the container to stop, waits until it has stopped, and starts it again. */
	public void restart() {
		Docker.docker("restart", "--time", "60", this.id);
	}

	/** Asks the container to stop, and waits until it has stopped. */
	public void stop() {
		Docker.docker("stop", "--time", "60", this.id);
	}

	/** Starts the container after {@link #stop()}. */
	public void start() {
		Docker.docker("start", this.id);
	}

	/** Whether the container's health check succeeds. */
	public boolean isHealthy() {
		return state("Health.Status").equals("healthy");
	}

	/** How often Docker has restarted the container. */
	public int restarts() {
		return Integer.parseInt(Docker.docker("inspect", "--format", "{{.RestartCount}}", this.id));
	}

	/**
	 * Runs a program in the container and returns its output. Fails if the program fails.
	 */
	public String run(String... command) {
		String[] arguments = new String[command.length + 2];
		arguments[0] = "exec";
		arguments[1] = this.id;
		System.arraycopy(command, 0, arguments, 2, command.length);
		return Docker.docker(arguments);
	}

	private String state(String field) {
		return Docker.docker("inspect", "--format", "{{.State." + field + "}}", this.id);
	}

}
