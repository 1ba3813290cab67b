package live.retwis.redis;

import java.io.IOException;
import java.util.Objects;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;

/** Tells apart a data node that is temporarily away and an error in our own code. */
public final class RedisErrorClassifier {

	/**
	 * Error codes of a node that runs but cannot serve now. With MOVED and ASK it says
	 * that another node has the slot, which the client learns soon. A master that becomes
	 * a replica answers UNBLOCKED to a WAIT. Redis 6.2 puts the code of an error inside a
	 * script into the middle of a sentence.
	 */
	private static final Pattern NOT_NOW = Pattern.compile(
			"\\b(LOADING|BUSY|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|UNBLOCKED|OOM|MISCONF|NOREPLICAS)\\b");

	private RedisErrorClassifier() {
	}

	/**
	 * Whether the error, or one of its causes, says that the node cannot be reached, does
	 * not answer in time, or cannot serve now. Commands in flight when a connection
	 * breaks fail with the {@link IOException} of the socket. Of several errors together
	 * one is enough.
	 */
	public static boolean isAway(@Nullable Throwable error) {
		if (Exceptions.isMultiple(error)) {
			return Exceptions.unwrapMultiple(error).stream().anyMatch(RedisErrorClassifier::isAway);
		}
		String refusal = DataNodeCommands.refusal(error);
		if (!refusal.isEmpty()) {
			return NOT_NOW.matcher(refusal).find();
		}
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (DataNodeCommands.isOfTheClient(cause) || cause instanceof IOException
					|| cause instanceof DataAccessResourceFailureException || cause instanceof QueryTimeoutException) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Whether the key of a command holds a value of another type. A script that stops at
	 * such a key has the code inside a sentence. Of several errors together each one has
	 * to say so.
	 */
	public static boolean isWrongType(@Nullable Throwable error) {
		if (Exceptions.isMultiple(error)) {
			return Exceptions.unwrapMultiple(error).stream().allMatch(RedisErrorClassifier::isWrongType);
		}
		return DataNodeCommands.refusal(error).contains("WRONGTYPE");
	}

	/**
	 * The error that names the reason. Spring Data's own text only says that something
	 * failed, so of its errors this is the cause.
	 */
	public static Throwable reason(Throwable error) {
		return (error instanceof DataAccessException translated) ? translated.getMostSpecificCause() : error;
	}

	/** The text of the reason. Of an error without a text it is the name of its class. */
	public static String reasonText(Throwable error) {
		Throwable reason = reason(error);
		return Objects.requireNonNullElse(reason.getMessage(), reason.toString());
	}

}
