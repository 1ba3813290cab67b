package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.redisson.Redisson;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Redisson's RedissonRedLock with Redisson's default settings.
 */
@SuppressWarnings("deprecation")
final class RawRedLock implements AutoCloseable {

	private final List<RedissonClient> clients;

	RawRedLock(TestNodes nodes) {
		this.clients = nodes.uris().stream().map(RawRedLock::client).toList();
	}

	private static RedissonClient client(String uri) {
		Config config = new Config();
		config.useSingleServer().setAddress(uri);
		return Redisson.create(config);
	}

	RedissonRedLock lock(String resource) {
		return new RedissonRedLock(
				this.clients.stream().map((client) -> client.getLock("lock:" + resource)).toArray(RLock[]::new));
	}

	/** Tries once to take the lock. */
	boolean tryLock(String resource, Duration lease) throws InterruptedException, ExecutionException, TimeoutException {
		return lock(resource).tryLockAsync(0, lease.toMillis(), TimeUnit.MILLISECONDS, 1)
			.toCompletableFuture()
			.get(TestNodes.LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
	}

	@Override
	public void close() {
		this.clients.forEach((client) -> client.shutdown(0, 1, TimeUnit.SECONDS));
	}

}
