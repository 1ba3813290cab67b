package live.retwis.locks;

import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.concurrent.TimeoutException;

import javax.net.ssl.SSLException;

import io.netty.handler.ssl.NotSslRecordException;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisReconnectedException;
import org.redisson.client.RedisTimeoutException;

/**
 * Translates errors of Redisson into outcomes of a vote.
 */
final class NodeExceptionTranslator {

	private NodeExceptionTranslator() {
	}

	static NodeOutcome outcome(Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof RedisTimeoutException || cause instanceof TimeoutException) {
				return NodeOutcome.TIMEOUT;
			}
			if (cause instanceof RedisReconnectedException || cause instanceof IOException) {
				return NodeOutcome.REFUSED;
			}
		}
		return (root(error) instanceof RedisConnectionException) ? NodeOutcome.REFUSED : NodeOutcome.ERROR;
	}

	private static Throwable root(Throwable error) {
		Throwable root = error;
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			root = cause;
		}
		return root;
	}

	/** The reason in a few words. Redisson's messages hold whole commands. */
	static String reason(Throwable error) {
		if (has(error, SSLException.class)) {
			return tlsReason(error);
		}
		return switch (outcome(error)) {
			case TIMEOUT -> "does not answer";
			case REFUSED -> "cannot be reached";
			default -> firstWords(root(error));
		};
	}

	private static String tlsReason(Throwable error) {
		if (has(error, CertificateException.class)) {
			return "is not trusted: " + root(error).getMessage();
		}
		return has(error, NotSslRecordException.class) ? "does not speak TLS"
				: "refuses TLS: " + root(error).getMessage();
	}

	private static boolean has(Throwable error, Class<? extends Throwable> type) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (type.isInstance(cause)) {
				return true;
			}
		}
		return false;
	}

	private static String firstWords(Throwable error) {
		String message = String.valueOf(error.getMessage());
		int end = message.indexOf(". channel:");
		return (end > 0) ? message.substring(0, end) : message;
	}

}
