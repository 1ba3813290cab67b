package live.retwis.locks.nodes;

import org.jspecify.annotations.Nullable;

/**
 * The Redis that was asked for cannot be had. The message is for the person who started
 * the program: it says what is wrong, what to install, free or set, and what the server
 * or the loader printed.
 */
public class RedisUnavailableException extends RuntimeException {

	RedisUnavailableException(String message) {
		this(message, null);
	}

	RedisUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
