package live.retwis.locks;

import java.net.InetSocketAddress;

import org.redisson.connection.ConnectionListener;

/**
 * A node whose connection is lost is looked at before it is asked again: another server
 * may answer at its address.
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
