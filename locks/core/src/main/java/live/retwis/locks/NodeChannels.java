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
 * The connections of one client. Commands to a node that an event loop has at hand leave
 * together and not by a system call each, which is what a busy client spends most of its
 * time on.
 */
final class NodeChannels extends DefaultNettyHook {

	private static final Logger logger = LoggerFactory.getLogger(NodeChannels.class);

	private final ChannelGroup open = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE);

	private volatile @Nullable Throwable tlsFault;

	/** Waits for nothing: what is there when the loop has done its other work leaves. */
	@Override
	public void afterChannelInitialization(Channel channel) {
		this.open.add(channel);
		channel.pipeline()
			.addFirst(new FlushConsolidationHandler(FlushConsolidationHandler.DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES,
					true));
		channel.pipeline().replace(ErrorsLoggingHandler.class, null, new QuietEnd());
		SslHandler tls = channel.pipeline().get(SslHandler.class);
		if (tls != null) {
			channel.pipeline().addAfter(channel.pipeline().context(tls).name(), null, new TlsFault());
		}
	}

	/** Why the last connection by TLS failed, if one did. */
	@Nullable Throwable tlsFault() {
		return this.tlsFault;
	}

	/** Redisson leaves those open on which a node never said anything. */
	void close() {
		this.open.close();
	}

	/** The state of the node tells in a line what Redisson would log with its trace. */
	private static final class QuietEnd extends ChannelInboundHandlerAdapter {

		@Override
		public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
			logger.debug("Connection {}: {}", context.channel(), cause.toString());
		}

	}

	/**
	 * Redisson drops what comes after the handshake, which is where a node says that it
	 * wants a certificate, and waits in vain.
	 */
	private final class TlsFault extends ChannelInboundHandlerAdapter {

		@Override
		public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
			NodeChannels.this.tlsFault = cause;
			context.fireExceptionCaught(cause);
		}

	}

}
