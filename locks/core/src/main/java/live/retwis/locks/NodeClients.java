package live.retwis.locks;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.redisson.Redisson;
import org.redisson.client.RedisConnectionException;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;
import org.redisson.config.SingleServerConfig;
import org.redisson.connection.ConnectionListener;

/**
 * Makes the Redisson client of each node. All clients share one group of event loops.
 */
final class NodeClients {

	private static final Duration RECONNECT = Duration.ofMillis(200);

	/**
	 * The pause between two pings. A stuck connection is replaced within two of these.
	 */
	private static final Duration PING = Duration.ofSeconds(1);

	/**
	 * The tick of Redisson's timer is made of this value. With the usual value the tick
	 * would be half of the usual time-out.
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

	int eventLoops() {
		return this.loops;
	}

	/**
	 * Connects to a node. Blocks, for a few time-outs at most.
	 * @param node its address
	 * @param listener is told when the connection is lost
	 * @return the client, which must be shut down
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
		catch (RuntimeException | Error ex) {
			client.shutdown();
			channels.close();
			Throwable fault = channels.tlsFault();
			if (fault != null) {
				throw new RedisConnectionException("TLS", fault);
			}
			throw ex;
		}
	}

	private Config config(NodeAddress node, ConnectionListener listener) {
		Config config = new Config().setEventLoopGroup(this.eventLoops)
			.setExecutor(this.executor)
			.setConnectionListener(listener)
			// The first use connects. If create() did and failed, nobody could stop its
			// timer.
			.setLazyInitialization(true)
			.setUsername(node.user())
			.setPassword(node.password())
			// Each vote is one command. With the cache it could be three: the script's
			// name, the answer that it is unknown, and the script.
			.setUseScriptCache(false);
		if (node.tls()) {
			this.tls.configure(config);
		}
		tune(config.useSingleServer().setAddress(node.uri()));
		return config;
	}

	/**
	 * Uses one connection. Commands are sent on it without waiting for earlier answers.
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
