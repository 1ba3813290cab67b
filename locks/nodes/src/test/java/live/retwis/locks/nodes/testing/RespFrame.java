package live.retwis.locks.nodes.testing;

import org.jspecify.annotations.Nullable;

/**
 * The unit that passes the proxy: a command, a reply, a chunk of another protocol, or the
 * end of one direction.
 *
 * @param link the connection
 * @param bytes the bytes as they arrived; empty at the end
 * @param direction the direction
 * @param command the command, or the command that a reply answers; null if it is neither
 * @param arrived {@link System#nanoTime()} of the arrival at the proxy
 */
record RespFrame(ProxiedConnection link, byte[] bytes, ProxyDirection direction, @Nullable SentCommand command,
		long arrived) {

	RespFrame(ProxiedConnection link, byte[] bytes, ProxyDirection direction, @Nullable SentCommand command) {
		this(link, bytes, direction, command, System.nanoTime());
	}

	boolean isEnd() {
		return this.bytes.length == 0;
	}

	RespFrame with(byte[] bytes) {
		return new RespFrame(this.link, bytes, this.direction, this.command, this.arrived);
	}

}
