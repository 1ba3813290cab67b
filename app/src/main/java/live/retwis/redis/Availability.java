package live.retwis.redis;

import java.io.IOException;
import java.util.regex.Pattern;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;

/**
 * Tells a data node that is away for now from a mistake of ours.
 */
public final class Availability {

	/**
	 * Answers of a node that runs, but cannot serve now. Redis 6.2 puts the one that a
	 * script got into the middle of a sentence.
	 */
	private static final Pattern NOT_NOW = Pattern
		.compile("\\b(LOADING|BUSY|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|OOM|MISCONF|NOREPLICAS)\\b");

	private Availability() {
	}

	/**
	 * Whether the error, or what caused it, says that the node is not reached, does not
	 * answer in time, or cannot serve now. What was on its way when a connection broke
	 * fails as the socket did, with an {@link IOException}.
	 */
	public static boolean isAway(@Nullable Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof RedisCommandExecutionException refused) {
				return NOT_NOW.matcher(String.valueOf(refused.getMessage())).find();
			}
			if (cause instanceof RedisException || cause instanceof IOException
					|| cause instanceof DataAccessResourceFailureException || cause instanceof QueryTimeoutException) {
				return true;
			}
		}
		return false;
	}

}
