package live.retwis.locks.nodes.testing;

import java.util.List;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;

/**
 * A server that runs as a child process of the test's JVM.
 */
record ProcessRedis(RedisProcess process) implements TestRedis {

	static ProcessRedis start(List<String> directives) {
		return new ProcessRedis(RedisProcess
			.start(RedisProcessOptions.DEFAULT.withPort(TestPorts.next()).with(directives.toArray(String[]::new))));
	}

	@Override
	public String host() {
		return "127.0.0.1";
	}

	@Override
	public int port() {
		return this.process.port();
	}

	@Override
	public void pause() {
		this.process.pause();
	}

	@Override
	public void resume() {
		this.process.resume();
	}

	@Override
	public void kill() {
		this.process.kill();
	}

	@Override
	public void restart() {
		this.process.restart();
	}

	@Override
	public void close() {
		this.process.close();
	}

	@Override
	public String toString() {
		return this.process.server();
	}

}
