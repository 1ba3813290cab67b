package live.retwis.redis;

import io.netty.channel.Channel;

/**
 * Changes each connection to the data nodes before it is made. Without such a bean
 * connections are made as they are.
 */
@FunctionalInterface
public interface DataNodeChannelCustomizer {

	/** Called once for each connection, on its event loop. */
	void prepare(Channel connection);

}
