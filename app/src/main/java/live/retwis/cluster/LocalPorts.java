package live.retwis.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses free ports of this machine. They lie below those that systems give to outgoing
 * connections, so that a part that was killed finds its port free when it comes back. The
 * project's tests and its fault proxies use other ones.
 */
final class LocalPorts {

	/**
	 * Distance of the second port: the bus of a Redis Cluster, and the management port.
	 */
	static final int APART = 10_000;

	private static final int LOWEST = 18_200;

	private static final int HIGHEST = 19_999;

	private static final int TRIES = 500;

	private final Set<Integer> given = new HashSet<>();

	/**
	 * A free port whose port {@value #APART} above is free, too. It was not given out
	 * before.
	 */
	synchronized int next() {
		for (int tries = 0; tries < TRIES; tries++) {
			int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
			if (!this.given.contains(port) && isFree(port) && isFree(port + APART)) {
				this.given.add(port);
				return port;
			}
		}
		throw new ClusterException("No free ports from " + LOWEST + " to " + HIGHEST);
	}

	/**
	 * Binds the port without listening on it. A part that is started at this moment has a
	 * copy of the socket until it has closed it, and a copy that listens would keep the
	 * port from the part that it is for.
	 */
	static boolean isFree(int port) {
		try (Socket socket = new Socket()) {
			socket.setReuseAddress(true);
			socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
