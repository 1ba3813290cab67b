package live.retwis.doctor;

import java.util.List;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.RedisOptions;
import live.retwis.locks.nodes.RedisProcess;

/**
 * Three lock nodes.
 */
final class LockServers implements AutoCloseable {

	private final List<RedisProcess> nodes = IntStream.range(0, 3)
		.mapToObj((number) -> RedisProcess
			.start(RedisOptions.DEFAULT.with("maxmemory-policy noeviction", "appendonly yes", "appendfsync always")))
		.toList();

	List<String> addresses() {
		return this.nodes.stream().map(RedisProcess::uri).toList();
	}

	void killMajority() {
		this.nodes.get(0).kill();
		this.nodes.get(1).kill();
	}

	@Override
	public void close() {
		this.nodes.forEach(RedisProcess::close);
	}

}
