package live.retwis.locks.nodes;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import org.redisson.client.DefaultNettyHook;

/**
 * Hangs up on a server that does not speak the protocol of Redis, before Redisson sees
 * what it says. Redisson would log four errors with stack traces. A foreign server on a
 * port gets a message of ours instead.
 */
final class RedisProtocolGuard extends DefaultNettyHook {

	/**
	 * The first bytes of a simple string, an error, a number, a bulk string and an array.
	 */
	private static final String FIRST_BYTES = "+-:$*";

	@Override
	public void afterChannelInitialization(Channel channel) {
		channel.pipeline().addFirst(new ChannelInboundHandlerAdapter() {

			private boolean known;

			@Override
			public void channelRead(ChannelHandlerContext context, Object message) {
				this.known = this.known || message instanceof ByteBuf bytes && bytes.isReadable()
						&& FIRST_BYTES.indexOf(bytes.getByte(bytes.readerIndex())) >= 0;
				if (this.known) {
					context.fireChannelRead(message);
				}
				else {
					ReferenceCountUtil.release(message);
					context.close();
				}
			}

		});
	}

}
