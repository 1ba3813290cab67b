package live.retwis.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.RedisOptions;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.testing.TestPorts;

/**
 * Real lock nodes.
 */
public final class LockServers implements AutoCloseable {

	private final List<RedisProcess> nodes;

	private final List<RedisProcess> ended = new ArrayList<>();

	/** Started beside each other. */
	public LockServers(int count) {
		this.nodes = IntStream.range(0, count)
			.parallel()
			.mapToObj((number) -> RedisProcess.start(RedisOptions.DEFAULT.withPort(TestPorts.next())
				.with("maxmemory-policy noeviction", "appendonly yes", "appendfsync always")))
			.toList();
	}

	/**
	 * The three that ordinary tests share for as long as the JVM runs. Nobody takes one
	 * of them away.
	 */
	public static LockServers shared() {
		return Shared.SERVERS;
	}

	/** The setting that names them. */
	public String setting() {
		return setting(this.nodes.stream().map(RedisProcess::port).toList());
	}

	/** The setting that names those ports of this machine, such as of proxies. */
	public static String setting(List<Integer> ports) {
		return "--retwis.locks.nodes="
				+ ports.stream().map((port) -> "redis://127.0.0.1:" + port).collect(Collectors.joining(","));
	}

	/** One of them, from 0. */
	public RedisProcess node(int number) {
		return this.nodes.get(number);
	}

	/** Ends so many that no majority is left. */
	public void killMajority() {
		this.nodes.subList(0, this.nodes.size() / 2 + 1).forEach((node) -> {
			node.kill();
			this.ended.add(node);
		});
	}

	/** Starts again what was ended. */
	public void restartAll() {
		this.ended.forEach(RedisProcess::restart);
		this.ended.clear();
	}

	@Override
	public void close() {
		this.nodes.forEach(RedisProcess::close);
	}

	private static final class Shared {

		private static final LockServers SERVERS = new LockServers(3);

	}

}
