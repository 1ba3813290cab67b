package live.retwis.locks;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import org.redisson.Redisson;
import org.redisson.client.RedisConnectionException;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;
import org.redisson.config.SingleServerConfig;
import org.redisson.connection.ConnectionListener;

/**
 * Makes the Redisson client of each node, on one shared event loop group.
 */
final class NodeClients {

	private static final Duration RECONNECT = Duration.ofMillis(200);

	/** A connection that is stuck is replaced within two of these. */
	private static final Duration PING = Duration.ofSeconds(1);

	/**
	 * Of it Redisson makes the tick of its timer; half of the usual time-out would be.
	 */
	private static final Duration TIMER_TICK = Duration.ofMillis(10);

	private final Duration timeout;

	private final NodeTls tls;

	private final int loops;

	private final EventLoopGroup eventLoops;

	private final ExecutorService executor = Executors.newSingleThreadExecutor(NodeClients::daemon);

	NodeClients(Duration timeout, int nodes, NodeTls tls) {
		this.timeout = timeout;
		this.tls = tls;
		this.loops = Math.min(nodes, Runtime.getRuntime().availableProcessors());
		this.eventLoops = new MultiThreadIoEventLoopGroup(this.loops, new DefaultThreadFactory("lock-nodes", true),
				NioIoHandler.newFactory());
	}

	private static Thread daemon(Runnable task) {
		Thread thread = new Thread(task, "lock-nodes-redisson");
		thread.setDaemon(true);
		return thread;
	}

	Duration timeout() {
		return this.timeout;
	}

	/** Whether this thread is one of the event loops. */
	boolean inEventLoop() {
		for (EventExecutor loop : this.eventLoops) {
			if (loop.inEventLoop()) {
				return true;
			}
		}
		return false;
	}

	int eventLoops() {
		return this.loops;
	}

	/**
	 * Connects. Blocks, a few time-outs at most.
	 * @param node where
	 * @param listener hears when the connection is lost
	 * @return the client, to be shut down
	 */
	Redisson connect(NodeAddress node, ConnectionListener listener) {
		NodeChannels channels = new NodeChannels();
		Redisson client = (Redisson) Redisson.create(config(node, listener).setNettyHook(channels));
		try {
			if (client.getConfig().useSingleServer().getRetryAttempts() != 0) {
				throw new IllegalStateException("A vote that is sent again may arrive after its release");
			}
			client.getCommandExecutor().getConnectionManager().getEntrySet();
			return client;
		}
		catch (RuntimeException ex) {
			client.shutdown();
			channels.close();
			Throwable fault = channels.tlsFault();
			throw (fault != null) ? new RedisConnectionException("TLS", fault) : ex;
		}
	}

	private Config config(NodeAddress node, ConnectionListener listener) {
		Config config = new Config().setEventLoopGroup(this.eventLoops)
			.setExecutor(this.executor)
			.setConnectionListener(listener)
			// Connected by the first use: were it create() that fails, nobody could stop
			// its timer.
			.setLazyInitialization(true)
			.setUsername(node.user())
			.setPassword(node.password())
			// One command for one vote: no "script unknown, load it, ask again".
			.setUseScriptCache(false);
		if (node.tls()) {
			this.tls.configure(config);
		}
		tune(config.useSingleServer().setAddress(node.uri()));
		return config;
	}

	/**
	 * One connection, on which commands are sent without waiting for the answers before.
	 */
	private void tune(SingleServerConfig server) {
		server.setConnectionPoolSize(1)
			.setConnectionMinimumIdleSize(1)
			.setSubscriptionConnectionPoolSize(1)
			.setSubscriptionConnectionMinimumIdleSize(0)
			.setTimeout((int) this.timeout.toMillis())
			.setConnectTimeout((int) this.timeout.toMillis())
			.setRetryAttempts(0)
			.setRetryDelay(new ConstantDelay(TIMER_TICK))
			.setReconnectionDelay(new ConstantDelay(RECONNECT))
			.setPingConnectionInterval((int) PING.toMillis());
	}

	void close() {
		this.eventLoops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
		this.executor.shutdown();
	}

}
