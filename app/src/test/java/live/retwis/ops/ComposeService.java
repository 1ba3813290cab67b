package live.retwis.ops;

/**
 * One container of the site.
 *
 * @param id Docker's
 */
public record ComposeService(String id) {

	/**
	 * Kills its first process (SIGKILL) from outside, as the system does when memory runs
	 * out. Docker does not count that as stopped by somebody, and starts it again.
	 */
	public void kill() {
		// From a container that sees all processes of the machine where the engine is.
		Docker.docker("run", "--rm", "--pid", "host", "--user", "root", "--entrypoint", "sh", ComposeSite.REDIS_IMAGE,
				"-c", "kill -9 " + state("Pid"));
	}

	/** Stops all of it in its tracks. */
	public void pause() {
		Docker.docker("pause", this.id);
	}

	public void resume() {
		Docker.docker("unpause", this.id);
	}

	/** Asks it to end, waits until it has, and starts it. */
	public void restart() {
		Docker.docker("restart", "--time", "60", this.id);
	}

	/** Asks it to end, and waits until it has. */
	public void stop() {
		Docker.docker("stop", "--time", "60", this.id);
	}

	/** Starts it after {@link #stop()}. */
	public void start() {
		Docker.docker("start", this.id);
	}

	/** Whether it answers as it should. */
	public boolean isHealthy() {
		return state("Health.Status").equals("healthy");
	}

	/** How often Docker started it again. */
	public int restarts() {
		return Integer.parseInt(Docker.docker("inspect", "--format", "{{.RestartCount}}", this.id));
	}

	/** What a program in it says; fails when the program does. */
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
