package live.retwis.locks.nodes.proxy;

import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * What travels as one: a command, a reply, a chunk of another protocol, or the end of
 * what one side says. Only the thread of the proxy uses it.
 */
final class ProxyFrame {

	private final ProxiedConnection connection;

	private final ProxyDirection direction;

	/** As they came, or rewritten; none at the end. */
	private byte[] bytes;

	private final int length;

	private final @Nullable SentCommand command;

	private final long arrived = System.nanoTime();

	/** Whether an interception that has seen this frame strikes it. */
	private final Map<Interception, Boolean> struckBy = new HashMap<>(0);

	ProxyFrame(ProxiedConnection connection, ProxyDirection direction, byte[] bytes, @Nullable SentCommand command) {
		this.connection = connection;
		this.direction = direction;
		this.bytes = bytes;
		this.length = bytes.length;
		this.command = command;
	}

	ProxiedConnection connection() {
		return this.connection;
	}

	/** Where it travels to. */
	ProxyDirection direction() {
		return this.direction;
	}

	byte[] bytes() {
		return this.bytes;
	}

	/** How many bytes came. */
	int length() {
		return this.length;
	}

	/** The command itself, or the one that this answers; null for what is neither. */
	@Nullable SentCommand command() {
		return this.command;
	}

	/** {@link System#nanoTime()} at the proxy. */
	long arrived() {
		return this.arrived;
	}

	Map<Interception, Boolean> struckBy() {
		return this.struckBy;
	}

	boolean isEnd() {
		return this.length == 0;
	}

	void rewrite(UnaryOperator<byte[]> rewriting) {
		this.bytes = rewriting.apply(this.bytes);
	}

}
