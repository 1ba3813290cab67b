package live.retwis.redis;

import java.util.List;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;

/**
 * Tells a data node that is away for now from a mistake of ours.
 */
public final class Availability {

	/** Answers of a node that runs, but cannot serve now. */
	private static final List<String> NOT_NOW = List.of("LOADING", "BUSY", "READONLY", "MASTERDOWN", "CLUSTERDOWN",
			"TRYAGAIN", "OOM", "MISCONF", "NOREPLICAS");

	private Availability() {
	}

	/**
	 * Whether the error, or what caused it, says that the node is not reached, does not
	 * answer in time, or cannot serve now.
	 */
	public static boolean isAway(@Nullable Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof RedisCommandExecutionException refused) {
				String message = String.valueOf(refused.getMessage());
				return NOT_NOW.stream().anyMatch(message::startsWith);
			}
			if (cause instanceof RedisException || cause instanceof DataAccessResourceFailureException
					|| cause instanceof QueryTimeoutException) {
				return true;
			}
		}
		return false;
	}

}
