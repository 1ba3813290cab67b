package live.retwis.locks.nodes.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.Future;

/**
 * An open port of a proxy and the connections that came over it. One thread serves them
 * all.
 */
final class ProxyPort {

	private static final long CLOSE_SECONDS = 10;

	private final EventLoopGroup loop;

	private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();

	private final int port;

	private final Channel listening;

	/**
	 * Opens a port of 127.0.0.1.
	 * @throws UncheckedIOException when the port is taken
	 */
	ProxyPort(int port, ActiveInterceptions interceptions, boolean speaksRedis, Supplier<InetSocketAddress> server) {
		this.port = port;
		ThreadFactory thread = (task) -> thread(task, port);
		this.loop = new MultiThreadIoEventLoopGroup(1, thread, NioIoHandler.newFactory());
		ChannelFuture bound = new ServerBootstrap().group(this.loop)
			.channel(NioServerSocketChannel.class)
			.childOption(ChannelOption.AUTO_READ, false)
			.childOption(ChannelOption.TCP_NODELAY, true)
			.childHandler(new ChannelInitializer<>() {
				@Override
				protected void initChannel(Channel client) {
					ProxiedConnection connection = new ProxiedConnection(interceptions, speaksRedis, client,
							ProxyPort.this.connections::remove);
					// First into the set, so that a redirection that comes now closes it.
					ProxyPort.this.connections.add(connection);
					connection.connect(server.get());
				}
			})
			.bind(InetAddress.getLoopbackAddress(), port)
			.awaitUninterruptibly();
		this.listening = bound.channel();
		if (!bound.isSuccess()) {
			close();
			throw new UncheckedIOException(new IOException("Port " + port, bound.cause()));
		}
	}

	private static Thread thread(Runnable task, int port) {
		Thread thread = new Thread(task, "fault-proxy-" + port);
		thread.setDaemon(true);
		return thread;
	}

	int port() {
		return this.port;
	}

	Set<ProxiedConnection> connections() {
		return this.connections;
	}

	/** Looks again at what is held. */
	void wake() {
		if (!isClosed()) {
			this.loop.execute(() -> this.connections.forEach(ProxiedConnection::pump));
		}
	}

	boolean isClosed() {
		return this.loop.isShuttingDown();
	}

	/**
	 * Breaks all connections. On return the port is free, unless the thread of the port
	 * itself calls this. Then it is free when another thread has called it, too.
	 */
	void close() {
		boolean own = this.listening.eventLoop().inEventLoop();
		// An event loop that ends may leave its channels open.
		ChannelFuture closed = this.listening.close();
		this.connections.forEach(ProxiedConnection::close);
		// The system gives the port back when the thread has ended, and not before.
		Future<?> ended = this.loop.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
		if (!own) {
			closed.awaitUninterruptibly();
			ended.awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
		}
	}

}
