package live.retwis.locks.bench;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import live.retwis.locks.LockSettings;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.DefaultNettyHook;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;

/**
 * Redisson's RedissonRedLock without changes, with the settings that this library gives
 * its clients: the time-out, no second try, commands that are sent together, one
 * connection for each node, and one group of event loops of the same size.
 */
@SuppressWarnings("deprecation")
final class PlainRedLock implements LockContestant {

	private final EventLoopGroup eventLoops;

	private final ExecutorService executor = Executors.newSingleThreadExecutor();

	private final List<RedissonClient> clients;

	/** Used instead of thread ids, so that each acquisition has another owner. */
	private final AtomicLong owners = new AtomicLong();

	PlainRedLock(FiveServers servers) {
		this.eventLoops = new MultiThreadIoEventLoopGroup(
				Math.min(servers.uris().size(), Runtime.getRuntime().availableProcessors()),
				new DefaultThreadFactory("plain-nodes", true), NioIoHandler.newFactory());
		this.clients = servers.uris().stream().map(this::client).toList();
	}

	private RedissonClient client(String uri) {
		Config config = new Config().setEventLoopGroup(this.eventLoops)
			.setExecutor(this.executor)
			.setUseScriptCache(false)
			.setNettyHook(new DefaultNettyHook() {
				@Override
				public void afterChannelInitialization(Channel channel) {
					channel.pipeline().addFirst(new FlushConsolidationHandler(256, true));
				}
			});
		int timeout = (int) LockSettings.NODE_TIMEOUT.toMillis();
		config.useSingleServer()
			.setAddress(uri)
			.setConnectionPoolSize(1)
			.setConnectionMinimumIdleSize(1)
			.setSubscriptionConnectionPoolSize(1)
			.setSubscriptionConnectionMinimumIdleSize(0)
			.setTimeout(timeout)
			.setConnectTimeout(timeout)
			.setRetryAttempts(0)
			.setRetryDelay(new ConstantDelay(Duration.ofMillis(10)))
			.setReconnectionDelay(new ConstantDelay(Duration.ofMillis(200)))
			.setPingConnectionInterval(1000);
		return Redisson.create(config);
	}

	@Override
	public String name() {
		return "raw";
	}

	@Override
	public CompletableFuture<@Nullable Held> acquire(String resource, Duration wait) {
		long owner = this.owners.incrementAndGet();
		RedissonRedLock lock = new RedissonRedLock(
				this.clients.stream().map((client) -> client.getLock("lock:" + resource)).toArray(RLock[]::new));
		return lock.tryLockAsync(wait.toMillis(), LEASE.toMillis(), TimeUnit.MILLISECONDS, owner)
			.toCompletableFuture()
			.thenApply((acquired) -> acquired ? () -> release(lock, owner, !wait.isZero()) : null);
	}

	/**
	 * The release fails after all nodes have answered, if one of them had not granted the
	 * lock. Among rivals this is not a mistake.
	 */
	private static CompletableFuture<?> release(RLock lock, long owner, boolean rivals) {
		return lock.unlockAsync(owner).toCompletableFuture().exceptionallyCompose((error) -> {
			boolean notAll = error instanceof CompletionException
					&& error.getCause() instanceof IllegalMonitorStateException;
			return (rivals && notAll) ? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(error);
		});
	}

	@Override
	public void close() {
		this.clients.forEach((client) -> client.shutdown(0, 1, TimeUnit.SECONDS));
		this.eventLoops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
		this.executor.shutdown();
	}

}
