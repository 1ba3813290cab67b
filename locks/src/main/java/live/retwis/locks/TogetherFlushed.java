package live.retwis.locks;

import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import org.redisson.client.DefaultNettyHook;

/**
 * Commands to a node that an event loop has at hand leave together and not by a system
 * call each, which is what a busy client spends most of its time on.
 */
final class TogetherFlushed extends DefaultNettyHook {

	/** Waits for nothing: what is there when the loop has done its other work leaves. */
	@Override
	public void afterChannelInitialization(Channel channel) {
		channel.pipeline()
			.addFirst(new FlushConsolidationHandler(FlushConsolidationHandler.DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES,
					true));
	}

}
