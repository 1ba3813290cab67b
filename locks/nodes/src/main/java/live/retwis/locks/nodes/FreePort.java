package live.retwis.locks.nodes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Finds a port of 127.0.0.1 that nobody uses. Another program may take it before it is
 * used here.
 */
final class FreePort {

	private FreePort() {
	}

	static int choose() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new RedisStartException("No free port: " + ex, ex);
		}
	}

}
