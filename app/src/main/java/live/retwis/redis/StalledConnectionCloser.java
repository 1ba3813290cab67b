package live.retwis.redis;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.group.ChannelGroup;

/**
 * Closes all connections to a node that has not answered for too long. A node that hangs,
 * or whose machine is gone, does not close its connections. The client would keep using
 * it even when another node has become the master. After the close, the client reconnects
 * to the current master.
 * <p>
 * It closes the idle connections too. A former master that wakes up accepts writes until
 * it learns that it has been replaced. Fan-out could write into a timeline there, lose
 * that write, and then tell the new master that the work is done.
 */
final class StalledConnectionCloser extends ChannelDuplexHandler {

	private final long limit;

	private final ChannelGroup connections;

	private boolean awaitsAnswer;

	/** When the oldest command without an answer was sent. */
	private long since;

	private boolean scheduled;

	/**
	 * Watches one connection.
	 * @param limit longest time without an answer; longer than a single command may take
	 * @param connections all connections of the client, to this node and to others
	 */
	StalledConnectionCloser(Duration limit, ChannelGroup connections) {
		this.limit = limit.toNanos();
		this.connections = connections;
	}

	@Override
	public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
		if (!this.awaitsAnswer) {
			this.awaitsAnswer = true;
			this.since = now(context);
		}
		if (!this.scheduled) {
			checkAfter(context, this.limit);
		}
		context.write(message, promise);
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		this.awaitsAnswer = false;
		context.fireChannelRead(message);
	}

	private void checkAfter(ChannelHandlerContext context, long nanos) {
		this.scheduled = true;
		context.executor().schedule(() -> check(context), nanos, TimeUnit.NANOSECONDS);
	}

	private void check(ChannelHandlerContext context) {
		this.scheduled = false;
		if (this.awaitsAnswer && context.channel().isActive()) {
			long left = this.limit - (now(context) - this.since);
			if (left > 0) {
				checkAfter(context, left);
			}
			else {
				SocketAddress node = context.channel().remoteAddress();
				this.connections.close((connection) -> node.equals(connection.remoteAddress()));
			}
		}
	}

	private static long now(ChannelHandlerContext context) {
		return context.executor().ticker().nanoTime();
	}

}
