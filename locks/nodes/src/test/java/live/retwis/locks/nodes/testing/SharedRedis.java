package live.retwis.locks.nodes.testing;

import org.jspecify.annotations.Nullable;

/**
 * The server of this JVM for ordinary tests. It refuses operations that would disturb
 * other tests.
 */
record SharedRedis(TestRedis redis) implements TestRedis {

	private static @Nullable SharedRedis started;

	static synchronized SharedRedis get() {
		if (started == null) {
			started = new SharedRedis(RedisSource.start());
		}
		return started;
	}

	static SharedRedis emptied() {
		SharedRedis redis = get();
		redis.flushAll();
		return redis;
	}

	@Override
	public String host() {
		return this.redis.host();
	}

	@Override
	public int port() {
		return this.redis.port();
	}

	@Override
	public String peer() {
		return this.redis.peer();
	}

	@Override
	public void pause() {
		throw refused();
	}

	@Override
	public void resume() {
		throw refused();
	}

	@Override
	public void kill() {
		throw refused();
	}

	@Override
	public void restart() {
		throw refused();
	}

	@Override
	public void close() {
		throw refused();
	}

	private static UnsupportedOperationException refused() {
		return new UnsupportedOperationException("Other tests use this server; ask for one with @OwnRedis");
	}

}
