package live.retwis.locks.nodes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Starts a node as a daemon. Redis itself leaves the session of the terminal, so a Ctrl-C
 * there does not reach it. It also closes the pipes of its parent.
 *
 * @param node which node
 * @param data the data directory of all nodes
 */
record NodeDaemonLauncher(EmbeddedNodeSpec node, Path data) {

	private static final Duration START = Duration.ofSeconds(10);

	/** How Redis begins each line of its log: process id and role. */
	private static final Pattern LOG_LINE = Pattern.compile("(?m)^(\\d+):[A-Z] ");

	/**
	 * Runs the server. Returns when it has gone to the background.
	 * @throws RedisStartException when it does not run at all
	 */
	void launch(RedisBinary binary) {
		if (this.node.hasAppendOnlyParts(this.data) && !binary.readsAppendOnlyParts()) {
			throw new RedisStartException(
					"The data in " + this.node.directory(this.data) + " was written by Redis 7 or newer, which "
							+ binary + " cannot read; install a newer redis-server");
		}
		Path directory = this.node.directory(this.data);
		Path printed = directory.resolve("start.log");
		try {
			Files.createDirectories(directory);
			if (Files.exists(this.node.log(this.data))) {
				Files.move(this.node.log(this.data), directory.resolve("redis.log.1"),
						StandardCopyOption.REPLACE_EXISTING);
			}
			Files.writeString(directory.resolve(this.node.configName()), this.node.config());
			Process process = new ProcessBuilder(binary.path().toString(), this.node.configName())
				.directory(directory.toFile())
				.redirectErrorStream(true)
				.redirectOutput(printed.toFile())
				.start();
			process.getOutputStream().close();
			if (!process.waitFor(START.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
				process.destroyForcibly();
				throw failure(LogFileTail.of(printed));
			}
		}
		catch (IOException ex) {
			throw failure(ex.toString());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw failure("interrupted");
		}
	}

	/**
	 * Waits until the node answers, with its data or while it loads them.
	 * @throws RedisStartException when the node ends, another server has the port, or 10
	 * s pass; the message has the end of the node's log
	 */
	void awaitAnswer(ServerIdentityProbe client) {
		boolean settled = Poll.until(START, () -> !(this.node.state(client) instanceof EmbeddedNodeSpec.State.Free)
				|| endedSaying(LogFileTail.of(log())));
		boolean ours = this.node.state(client) instanceof EmbeddedNodeSpec.State.Running running
				&& running.data().equals(this.data);
		if (!settled || !ours) {
			throw failure(LogFileTail.of(log()));
		}
	}

	private Path log() {
		return this.node.log(this.data);
	}

	/**
	 * Whether the log says that the node has ended. A daemon has no exit code for us, but
	 * each line that it logs has its process id.
	 */
	private static boolean endedSaying(String tail) {
		long pid = 0;
		for (Matcher line = LOG_LINE.matcher(tail); line.find();) {
			pid = Long.parseLong(line.group(1));
		}
		return pid != 0 && ProcessProbe.isGone(pid);
	}

	private RedisStartException failure(String cause) {
		return new RedisStartException(
				"The Redis node on port " + this.node.port() + " did not start; " + log() + " ends:\n" + cause);
	}

}
