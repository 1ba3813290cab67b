package live.retwis.locks.testing;

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
record Frame(Link link, byte[] bytes, Direction direction, @Nullable Command command, long arrived) {

	Frame(Link link, byte[] bytes, Direction direction, @Nullable Command command) {
		this(link, bytes, direction, command, System.nanoTime());
	}

	boolean isEnd() {
		return this.bytes.length == 0;
	}

	Frame with(byte[] bytes) {
		return new Frame(this.link, bytes, this.direction, this.command, this.arrived);
	}

}
