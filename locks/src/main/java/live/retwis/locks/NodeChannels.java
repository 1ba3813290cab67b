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

/**
 * The connections of one client. Commands to a node that an event loop has at hand leave
 * together and not by a system call each, which is what a busy client spends most of its
 * time on.
 */
final class NodeChannels extends DefaultNettyHook {

	private final ChannelGroup open = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE);

	private volatile @Nullable Throwable tlsFault;

	/** Waits for nothing: what is there when the loop has done its other work leaves. */
	@Override
	public void afterChannelInitialization(Channel channel) {
		this.open.add(channel);
		channel.pipeline()
			.addFirst(new FlushConsolidationHandler(FlushConsolidationHandler.DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES,
					true));
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
