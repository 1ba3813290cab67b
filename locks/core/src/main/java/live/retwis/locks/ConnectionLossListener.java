package live.retwis.locks;

import java.net.InetSocketAddress;

import org.redisson.connection.ConnectionListener;

/**
 * Has a node examined when its connection is lost, before the node is asked again.
 * Another server may answer at its address now.
 */
record ConnectionLossListener(RedissonNodeConnection link) implements ConnectionListener {

	@Override
	@Deprecated
	public void onConnect(InetSocketAddress address) {
	}

	@Override
	@Deprecated
	public void onDisconnect(InetSocketAddress address) {
		this.link.suspect("closed the connection");
	}

}
