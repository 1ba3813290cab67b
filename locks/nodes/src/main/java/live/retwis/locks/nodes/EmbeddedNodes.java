package live.retwis.locks.nodes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One data node and five lock nodes. They are real Redis servers that all instances on
 * this machine share. The first instance starts them, and the last instance that uses
 * them stops them.
 * <p>
 * The servers are processes of their own, outside the session of any terminal. They keep
 * their data in append-only files, so it is still there after a restart. An instance that
 * is killed counts as gone at once. If it was the last one, its nodes stay for the next
 * instance.
 */
public final class EmbeddedNodes implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedNodes.class);

	private static final int BASE_PORT = 6390;

	private static final Duration MUTEX = Duration.ofSeconds(30);

	private final List<EmbeddedNodeSpec> nodes;

	private final Path data;

	private final DataDirectorySharedLock use;

	private final AtomicBoolean closed = new AtomicBoolean();

	private EmbeddedNodes(List<EmbeddedNodeSpec> nodes, Path data, DataDirectorySharedLock use) {
		this.nodes = nodes;
		this.data = data;
		this.use = use;
	}

	/**
	 * Joins the nodes that run on this machine, in whichever directory they were started.
	 * Starts them if they do not run: data on 127.0.0.1:6390, locks on 6391 to 6395.
	 * Takes some 0.2 s. Waits at most 30 s for another instance that starts or stops the
	 * nodes, then 20 s for their start and 60 s for their data.
	 * @param directory where the command was given; nodes that are started keep their
	 * files in its {@code data/}
	 * @return the nodes, ready for commands; to be closed
	 * @throws RedisStartException when another server has a port, no redis-server runs on
	 * this machine, or a node does not start; the message says what to do
	 */
	public static EmbeddedNodes join(Path directory) {
		return join(directory, BASE_PORT);
	}

	/**
	 * Joins the nodes that run on this machine, as {@link #join} does. Where none runs,
	 * it starts none and makes no files.
	 * @return the nodes; empty when none of them runs
	 * @throws RedisStartException as {@link #join} does
	 */
	public static Optional<EmbeddedNodes> joinRunning() {
		return joinRunning(BASE_PORT);
	}

	static Optional<EmbeddedNodes> joinRunning(int base) {
		return join(base, Optional::empty);
	}

	static EmbeddedNodes join(Path directory, int base) {
		return join(base, () -> Optional.of(dataIn(directory))).orElseThrow();
	}

	/**
	 * Joins the nodes.
	 * @param newData where the nodes keep their files if none of them runs; empty not to
	 * start them
	 */
	private static Optional<EmbeddedNodes> join(int base, Supplier<Optional<Path>> newData) {
		try (ServerIdentityProbe client = new ServerIdentityProbe()) {
			EmbeddedNodeProcesses set = new EmbeddedNodeProcesses(EmbeddedNodeSpec.from(base), client);
			Optional<EmbeddedNodes> joined = enter(set, newData, base);
			try {
				joined.ifPresent((nodes) -> set.awaitLoaded(nodes.data));
				return joined;
			}
			catch (RuntimeException ex) {
				joined.ifPresent(EmbeddedNodes::close);
				throw ex;
			}
		}
	}

	private static Optional<EmbeddedNodes> enter(EmbeddedNodeProcesses set, Supplier<Optional<Path>> newData,
			int base) {
		try (StartMutex mutex = StartMutex.take(UserTempDirectory.directory(), base, MUTEX)) {
			return set.runningIn().or(newData).map((data) -> use(set, data, base));
		}
	}

	private static EmbeddedNodes use(EmbeddedNodeProcesses set, Path data, int base) {
		DataDirectorySharedLock use = DataDirectorySharedLock.enter(data, base);
		try {
			int started = set.startMissing(data);
			logger.info("Redis nodes on 127.0.0.1:{} to {}: {} joined, {} started; data in {}", base,
					base + set.nodes().size() - 1, set.nodes().size() - started, started, data);
			return new EmbeddedNodes(set.nodes(), data, use);
		}
		catch (RuntimeException ex) {
			if (use.leave()) {
				set.stop(data);
			}
			throw ex;
		}
	}

	private static Path dataIn(Path directory) {
		try {
			return Files.createDirectories(directory.resolve("data")).toRealPath();
		}
		catch (IOException ex) {
			throw new RedisStartException(
					"The Redis nodes cannot keep their files in " + directory.toAbsolutePath() + ": " + ex, ex);
		}
	}

	/** The directory in which the nodes keep their files. */
	public Path dataDirectory() {
		return this.data;
	}

	/**
	 * The node for the site's data.
	 * @return its port on 127.0.0.1
	 */
	public int dataPort() {
		return this.nodes.get(0).port();
	}

	/**
	 * The five independent masters that locks are taken on.
	 * @return their addresses, {@code redis://127.0.0.1:6391} and so on
	 */
	public List<String> lockNodes() {
		return this.nodes.stream().skip(1).map((node) -> "redis://127.0.0.1:" + node.port()).toList();
	}

	/**
	 * Leaves the nodes. The last instance stops them and waits for their end: some 0.1 s,
	 * at most 50 s. A second call does nothing.
	 */
	@Override
	public void close() {
		if (!this.closed.compareAndSet(false, true)) {
			return;
		}
		try (StartMutex mutex = StartMutex.take(UserTempDirectory.directory(), dataPort(), MUTEX);
				ServerIdentityProbe client = new ServerIdentityProbe()) {
			if (this.use.leave()) {
				new EmbeddedNodeProcesses(this.nodes, client).stop(this.data);
				logger.info("Stopped the Redis nodes; their data stays in {}", this.data);
			}
		}
	}

}
