package live.retwis.redis;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.FastThreadLocal;

/**
 * Notes when bytes come from a node. The client tells that a command is answered only
 * after whoever waits for the answer has gone on, and that may be a whole page later.
 */
@Sharable
final class ReplyTimestamps extends ChannelInboundHandlerAdapter {

	private static final FastThreadLocal<long[]> LATEST = new FastThreadLocal<>() {
		@Override
		protected long[] initialValue() {
			return new long[1];
		}
	};

	/**
	 * When the answers came that this event loop works on now, in ns of
	 * {@link System#nanoTime()}; on any other thread the current time.
	 */
	static long ofThisThread() {
		long latest = LATEST.get()[0];
		return (latest != 0) ? latest : System.nanoTime();
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		long[] latest = LATEST.get();
		latest[0] = System.nanoTime();
		try {
			context.fireChannelRead(message);
		}
		finally {
			latest[0] = 0;
		}
	}

}
