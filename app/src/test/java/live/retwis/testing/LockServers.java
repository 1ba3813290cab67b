package live.retwis.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.TestPorts;

import org.springframework.util.FileSystemUtils;

/** Real Redis servers as lock nodes. */
public final class LockServers implements AutoCloseable {

	private final List<RedisProcess> nodes;

	private final List<RedisProcess> ended = new ArrayList<>();

	/** Starts the nodes in parallel. */
	public LockServers(int count) {
		this(Collections.nCopies(count, RedisProcessOptions.DEFAULT));
	}

	private LockServers(List<RedisProcessOptions> each) {
		this.nodes = each.parallelStream()
			.map((options) -> RedisProcess.start(options.withPort(TestPorts.next())
				.with("maxmemory-policy noeviction", "appendonly yes", "appendfsync always")))
			.toList();
	}

	/**
	 * The three lock nodes that ordinary tests share while the JVM runs. No test may stop
	 * one of them.
	 */
	public static LockServers shared() {
		return Shared.SERVERS;
	}

	/** The setting that names these nodes. */
	public String setting() {
		return setting(this.nodes.stream().map(RedisProcess::port).toList());
	}

	/**
	 * The setting that names ports of this machine, for example of proxies, as lock
	 * nodes.
	 */
	public static String setting(List<Integer> ports) {
		return "--retwis.locks.nodes="
				+ ports.stream().map((port) -> "redis://127.0.0.1:" + port).collect(Collectors.joining(","));
	}

	/** One of the nodes, counted from 0. */
	public RedisProcess node(int number) {
		return this.nodes.get(number);
	}

	/** Kills a majority of the nodes. */
	public void killMajority() {
		this.nodes.subList(0, this.nodes.size() / 2 + 1).forEach((node) -> {
			node.kill();
			this.ended.add(node);
		});
	}

	/** Restarts the nodes that were killed. */
	public void restartAll() {
		this.ended.forEach(RedisProcess::restart);
		this.ended.clear();
	}

	@Override
	public void close() {
		this.nodes.forEach(RedisProcess::close);
	}

	private static final class Shared {

		private static final LockServers SERVERS = new LockServers(inMemory());

		private static List<RedisProcessOptions> inMemory() {
			try {
				Path directory = MemoryDisk.newDirectory();
				Runtime.getRuntime()
					.addShutdownHook(new Thread(() -> FileSystemUtils.deleteRecursively(directory.toFile())));
				return IntStream.range(0, 3)
					.mapToObj((node) -> RedisProcessOptions.DEFAULT.withDirectory(directory.resolve("node-" + node)))
					.toList();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
