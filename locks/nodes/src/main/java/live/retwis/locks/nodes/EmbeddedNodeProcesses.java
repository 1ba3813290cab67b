package live.retwis.locks.nodes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded nodes of one machine, as they are found there. Methods that start or stop
 * nodes must be called while {@link StartMutex} is held.
 *
 * @param nodes the data node and the lock nodes
 * @param client asks the nodes who they are
 */
record EmbeddedNodeProcesses(List<EmbeddedNodeSpec> nodes, ServerIdentityProbe client) {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedNodeProcesses.class);

	/**
	 * How long a node may load its data. A gigabyte of append-only file takes some ten
	 * seconds.
	 */
	private static final Duration LOADING = Duration.ofSeconds(60);

	private static final Duration ORDERLY_END = Duration.ofSeconds(10);

	/**
	 * Where the nodes that run keep their data.
	 * @return the data directory; empty when no node runs
	 * @throws RedisStartException when another program has one of the ports
	 */
	Optional<Path> runningIn() {
		Set<Path> found = new TreeSet<>();
		for (EmbeddedNodeSpec node : this.nodes) {
			EmbeddedNodeSpec.State state = node.state(this.client);
			if (state instanceof EmbeddedNodeSpec.State.Foreign foreign) {
				throw new RedisStartException(
						"Port " + node.port() + " is taken by another server (" + foreign.what() + "). Free the port.");
			}
			if (state instanceof EmbeddedNodeSpec.State.Running running) {
				found.add(existing(node, running));
			}
		}
		if (found.size() > 1) {
			throw new RedisStartException("Embedded Redis nodes run in more than one directory: " + found
					+ ". End the processes of one, named in its */redis.pid.");
		}
		return found.stream().findFirst();
	}

	private static Path existing(EmbeddedNodeSpec node, EmbeddedNodeSpec.State.Running running) {
		if (!Files.exists(node.directory(running.data()).resolve(node.configName()))) {
			throw new RedisStartException("The Redis node on port " + node.port() + ", process " + running.pid()
					+ ", runs on in " + running.data() + ", which was removed. End that process.");
		}
		return running.data();
	}

	/**
	 * Starts the nodes that do not run, and waits until all nodes answer.
	 * @return how many were started
	 * @throws RedisStartException when one does not start, but not before the others have
	 * come up: {@link #stop} would not find them
	 */
	int startMissing(Path data) {
		return startMissing(data, RedisBinary::find);
	}

	int startMissing(Path data, Supplier<RedisBinary> redis) {
		List<NodeDaemonLauncher> launchers = this.nodes.stream()
			.filter((node) -> node.state(this.client) instanceof EmbeddedNodeSpec.State.Free)
			.map((node) -> new NodeDaemonLauncher(node, data))
			.toList();
		if (!launchers.isEmpty()) {
			RedisBinary binary = redis.get();
			List<RedisStartException> failures = new ArrayList<>();
			launchers.stream()
				.filter((launcher) -> succeeds(() -> launcher.launch(binary), failures))
				.toList()
				.forEach((launcher) -> succeeds(() -> launcher.awaitAnswer(this.client), failures));
			if (!failures.isEmpty()) {
				throw failures.get(0);
			}
		}
		return launchers.size();
	}

	private static boolean succeeds(Runnable step, List<RedisStartException> failures) {
		try {
			step.run();
			return true;
		}
		catch (RedisStartException ex) {
			failures.add(ex);
			return false;
		}
	}

	/**
	 * Waits until every node has loaded its data.
	 * @throws RedisStartException when one has not done so after 60 s
	 */
	void awaitLoaded(Path data) {
		for (EmbeddedNodeSpec node : this.nodes) {
			if (this.client.isReady(node.port())) {
				continue;
			}
			logger.info("Waiting for the Redis node on port {} to load its data", node.port());
			if (!Poll.until(LOADING, () -> this.client.isReady(node.port()))) {
				throw new RedisStartException("The Redis node on port " + node.port() + " is not ready after "
						+ LOADING.toSeconds() + " s; " + node.log(data) + " ends:\n" + LogFileTail.of(node.log(data)));
			}
		}
	}

	/**
	 * Ends the nodes of a data directory. Each gets a SIGTERM, on which it syncs its
	 * files. A paused node notices the signal only when it goes on. A node that does not
	 * end within 10 s is killed.
	 */
	void stop(Path data) {
		List<ProcessHandle> ending = this.nodes.stream().flatMap((node) -> process(node, data).stream()).toList();
		ending.forEach((process) -> {
			if (ProcessProbe.isStopped(process.pid())) {
				Signal.CONT.send(process.pid());
			}
			process.destroy();
		});
		if (!ended(ending, ORDERLY_END)) {
			ending.forEach(ProcessHandle::destroyForcibly);
			ended(ending, ORDERLY_END);
		}
	}

	private Optional<ProcessHandle> process(EmbeddedNodeSpec node, Path data) {
		if (node.state(this.client) instanceof EmbeddedNodeSpec.State.Running running && running.data().equals(data)) {
			return ProcessHandle.of(running.pid());
		}
		return PidFile.process(node.directory(data).resolve("redis.pid"));
	}

	private static boolean ended(List<ProcessHandle> processes, Duration bound) {
		return Poll.until(bound, () -> processes.stream().allMatch((process) -> ProcessProbe.isGone(process.pid())));
	}

}
