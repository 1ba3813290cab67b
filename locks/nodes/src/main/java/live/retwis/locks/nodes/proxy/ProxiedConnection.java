package live.retwis.locks.nodes.proxy;

import java.net.InetSocketAddress;
import java.util.function.Consumer;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioSocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a client through the proxy to the server.
 */
final class ProxiedConnection {

	private final Channel client;

	private final Consumer<ProxiedConnection> whenClosed;

	private final CommandReplyMatcher replies = new CommandReplyMatcher();

	private final ProxyPipe toServer;

	private final ProxyPipe toClient;

	private volatile @Nullable Channel server;

	private volatile boolean closed;

	ProxiedConnection(ActiveInterceptions interceptions, boolean speaksRedis, Channel client,
			Consumer<ProxiedConnection> whenClosed) {
		this.client = client;
		this.whenClosed = whenClosed;
		this.toServer = new ProxyPipe(this, ProxyDirection.TO_SERVER, interceptions, speaksRedis);
		this.toClient = new ProxyPipe(this, ProxyDirection.TO_CLIENT, interceptions, speaksRedis);
	}

	/** Nothing is read from the client until its server is there. */
	void connect(InetSocketAddress address) {
		this.client.pipeline().addLast(this.toServer);
		ChannelFuture connecting = new Bootstrap().group(this.client.eventLoop())
			.channel(NioSocketChannel.class)
			.option(ChannelOption.AUTO_READ, false)
			.option(ChannelOption.TCP_NODELAY, true)
			.handler(this.toClient)
			.connect(address);
		Channel connected = connecting.channel();
		this.server = connected;
		connecting.addListener((done) -> {
			if (done.isSuccess() && !this.closed) {
				this.toServer.start(this.client, connected);
				this.toClient.start(connected, this.client);
			}
			else {
				close();
			}
		});
	}

	CommandReplyMatcher replies() {
		return this.replies;
	}

	/** What goes the other way. */
	ProxyPipe opposite(ProxyPipe pipe) {
		return (pipe == this.toServer) ? this.toClient : this.toServer;
	}

	void pump() {
		this.toServer.pump();
		this.toClient.pump();
	}

	boolean isClosed() {
		return this.closed;
	}

	/** Breaks it; what is on its way is lost. */
	void close() {
		this.closed = true;
		this.client.close();
		Channel other = this.server;
		if (other != null) {
			other.close();
		}
		this.whenClosed.accept(this);
	}

}
