package live.retwis.locks.nodes;

import org.jspecify.annotations.Nullable;

/**
 * There is no Redis of the kind that was asked for. The message is for the person who
 * started the program. It says what is wrong, what to install, free or set, and what the
 * server or the loader printed.
 */
public class RedisStartException extends RuntimeException {

	RedisStartException(String message) {
		this(message, null);
	}

	RedisStartException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
