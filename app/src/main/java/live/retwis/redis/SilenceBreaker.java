package live.retwis.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;

/**
 * Closes a connection whose node owes an answer for too long. A node that hangs, or whose
 * machine is gone, closes none, and the client would stay with it while another one has
 * long taken its place; a closed one it makes anew, to whoever is the master then.
 */
final class SilenceBreaker extends ChannelDuplexHandler {

	private final long limit;

	private boolean owed;

	/** When the first command after the last answer was sent. */
	private long since;

	private boolean watching;

	/**
	 * For one connection.
	 * @param limit for any answer, longer than a single command may take
	 */
	SilenceBreaker(Duration limit) {
		this.limit = limit.toNanos();
	}

	@Override
	public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
		if (!this.owed) {
			this.owed = true;
			this.since = now(context);
		}
		if (!this.watching) {
			lookIn(context, this.limit);
		}
		context.write(message, promise);
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		this.owed = false;
		context.fireChannelRead(message);
	}

	private void lookIn(ChannelHandlerContext context, long nanos) {
		this.watching = true;
		context.executor().schedule(() -> look(context), nanos, TimeUnit.NANOSECONDS);
	}

	private void look(ChannelHandlerContext context) {
		this.watching = false;
		if (this.owed && context.channel().isActive()) {
			long left = this.limit - (now(context) - this.since);
			if (left > 0) {
				lookIn(context, left);
			}
			else {
				context.close();
			}
		}
	}

	private static long now(ChannelHandlerContext context) {
		return context.executor().ticker().nanoTime();
	}

}
