package live.retwis.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
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

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket()) {
			socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
