package live.retwis.locks.nodes.testing;

import org.jspecify.annotations.Nullable;

/**
 * What travels as one: a command, a reply, a chunk of another protocol, or the end of
 * what one side says.
 *
 * @param link the connection
 * @param bytes as they came; none at the end
 * @param direction where it travels to
 * @param command itself, or the one that it answers; none for what is neither
 * @param arrived {@link System#nanoTime()} at the proxy
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
