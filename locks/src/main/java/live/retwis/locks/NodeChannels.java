package live.retwis.locks;

import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.ImmediateEventExecutor;
import org.redisson.client.DefaultNettyHook;

/**
 * The connections of one client. Commands to a node that an event loop has at hand leave
 * together and not by a system call each, which is what a busy client spends most of its
 * time on.
 */
final class NodeChannels extends DefaultNettyHook {

	private final ChannelGroup open = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE);

	/** Waits for nothing: what is there when the loop has done its other work leaves. */
	@Override
	public void afterChannelInitialization(Channel channel) {
		this.open.add(channel);
		channel.pipeline()
			.addFirst(new FlushConsolidationHandler(FlushConsolidationHandler.DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES,
					true));
	}

	/** Redisson leaves those open on which a node never said anything. */
	void close() {
		this.open.close();
	}

}
