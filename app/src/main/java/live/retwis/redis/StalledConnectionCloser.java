package live.retwis.redis;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.group.ChannelGroup;

/**
 * Leaves a node that owes an answer for too long: closes all connections to it. A node
 * that hangs, or whose machine is gone, closes none, and the client would stay with it
 * while another one has long taken its place; a closed one it makes anew, to whoever is
 * the master then.
 * <p>
 * All, for the quiet ones would stay, and a master that wakes up takes writes until it is
 * told that it is none any more: fan-out would write into a timeline there, which is lost
 * then, and tell the new master that it is done.
 */
final class StalledConnectionCloser extends ChannelDuplexHandler {

	private final long limit;

	private final ChannelGroup connections;

	private boolean owed;

	/** When the first command after the last answer was sent. */
	private long since;

	private boolean watching;

	/**
	 * For one connection.
	 * @param limit for any answer, longer than a single command may take
	 * @param connections this one and the others, to this node and to others
	 */
	StalledConnectionCloser(Duration limit, ChannelGroup connections) {
		this.limit = limit.toNanos();
		this.connections = connections;
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
				SocketAddress node = context.channel().remoteAddress();
				this.connections.close((connection) -> node.equals(connection.remoteAddress()));
			}
		}
	}

	private static long now(ChannelHandlerContext context) {
		return context.executor().ticker().nanoTime();
	}

}
