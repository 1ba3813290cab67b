package live.retwis.locks.lab.engine;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

import org.redisson.Redisson;
import org.redisson.RedissonRedLock;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.config.Config;

/**
 * Redisson's own locks with Redisson's default settings, used as Redisson's README shows
 * it.
 */
final class RedissonLocks implements LabLocks {

	private static final long PING_MILLIS = 200;

	private final List<RedissonClient> clients;

	private final Function<String, RLock> locks;

	private RedissonLocks(List<RedissonClient> clients, Function<List<RedissonClient>, Function<String, RLock>> locks) {
		this.clients = clients;
		this.locks = locks.apply(clients);
	}

	@SuppressWarnings("deprecation")
	static RedissonLocks redLock(List<String> nodes) {
		return new RedissonLocks(connect(nodes), (clients) -> (key) -> new RedissonRedLock(
				clients.stream().map((client) -> client.getLock(key)).toArray(RLock[]::new)));
	}

	static RedissonLocks single(String node) {
		return new RedissonLocks(connect(List.of(node)), (clients) -> (key) -> clients.get(0).getLock(key));
	}

	static RedissonLocks fenced(String node) {
		return new RedissonLocks(connect(List.of(node)), (clients) -> (key) -> clients.get(0).getFencedLock(key));
	}

	/** Connects all clients at the same time, because each takes a moment. */
	private static List<RedissonClient> connect(List<String> nodes) {
		return nodes.stream().parallel().map(RedissonLocks::client).toList();
	}

	private static RedissonClient client(String node) {
		Config config = new Config();
		config.useSingleServer().setAddress(node);
		return Redisson.create(config);
	}

	@Override
	public LockGrant tryLock(String resource, Duration lease) throws NotGrantedException {
		RLock lock = this.locks.apply("lock:" + resource);
		try {
			if (lock instanceof RFencedLock fenced) {
				Long token = fenced.tryLockAndGetToken(0, lease.toMillis(), TimeUnit.MILLISECONDS);
				if (token != null) {
					return new Held(lock, new WriteCondition(WriteCondition.Kind.TOKEN, token));
				}
			}
			else if (lock.tryLock(0, lease.toMillis(), TimeUnit.MILLISECONDS)) {
				return new Held(lock, WriteCondition.NONE);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new NotGrantedException("none", "Interrupted");
		}
		catch (RuntimeException ex) {
			throw new NotGrantedException("none", String.valueOf(ex.getMessage()));
		}
		throw new NotGrantedException("taken", "Not acquired, for whatever reason");
	}

	/** Each node has a client of its own, and each client has an id of its own. */
	@Override
	public List<String> names() {
		long thread = Thread.currentThread().getId();
		return this.clients.stream().map((client) -> client.getId() + ":" + thread).toList();
	}

	/** A lock on one node knows only that node. */
	@Override
	public boolean reaches(int node) {
		RedissonClient client = this.clients.get(Math.min(node, this.clients.size()) - 1);
		try {
			return client.getRedisNodes(RedisNodes.SINGLE).getInstance().ping(PING_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	@Override
	public void close() {
		Stream<RedissonClient> clients = this.clients.stream().parallel();
		clients.forEach((client) -> client.shutdown(0, 1, TimeUnit.SECONDS));
	}

	/**
	 * One of Redisson's locks. Redisson's own name for the owner is the same for each
	 * grant of a thread.
	 */
	private static final class Held implements LockGrant {

		private final RLock lock;

		private final WriteCondition guard;

		private final String owner = UUID.randomUUID().toString();

		Held(RLock lock, WriteCondition guard) {
			this.lock = lock;
			this.guard = guard;
		}

		@Override
		public String owner() {
			return this.owner;
		}

		@Override
		public WriteCondition guard() {
			return this.guard;
		}

		@Override
		public void release() {
			this.lock.unlock();
		}

	}

}
