package live.retwis.locks;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ImmediateEventExecutor;
import org.jspecify.annotations.Nullable;
import org.redisson.client.DefaultNettyHook;
import org.redisson.client.handler.ErrorsLoggingHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network connections of one client. An event loop sends the commands that it has at
 * hand together. Otherwise each of them would take a system call, and a busy client
 * spends most of its time on these.
 */
final class NodeChannels extends DefaultNettyHook {

	private static final Logger logger = LoggerFactory.getLogger(NodeChannels.class);

	private final ChannelGroup open = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, true);

	private volatile @Nullable Throwable tlsFault;

	/**
	 * Sends what is there as soon as the event loop has done its other work. No command
	 * is held back to wait for more.
	 */
	@Override
	public void afterChannelInitialization(Channel channel) {
		channel.pipeline()
			.addFirst(new FlushConsolidationHandler(FlushConsolidationHandler.DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES,
					true));
		channel.pipeline().replace(ErrorsLoggingHandler.class, null, new QuietEnd());
		SslHandler tls = channel.pipeline().get(SslHandler.class);
		if (tls != null) {
			channel.pipeline().addAfter(channel.pipeline().context(tls).name(), null, new TlsFault());
		}
		this.open.add(channel);
	}

	/** Why the last TLS connection failed; null if none did. */
	@Nullable Throwable tlsFault() {
		return this.tlsFault;
	}

	/**
	 * Closes the connections, and each that is opened later. Redisson leaves a connection
	 * open when the node has never said anything on it.
	 */
	void close() {
		this.open.close();
	}

	/**
	 * Logs an error of a connection in one line. Redisson would log it with its stack
	 * trace, and the state of the node tells it already.
	 */
	private static final class QuietEnd extends ChannelInboundHandlerAdapter {

		@Override
		public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
			logger.debug("Connection {}: {}", context.channel(), cause.toString());
		}

	}

	/**
	 * Keeps errors that come after the TLS handshake. A node says only then that it wants
	 * a certificate. Redisson drops that error and waits in vain.
	 */
	private final class TlsFault extends ChannelInboundHandlerAdapter {

		@Override
		public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
			NodeChannels.this.tlsFault = cause;
			context.fireExceptionCaught(cause);
		}

	}

}
