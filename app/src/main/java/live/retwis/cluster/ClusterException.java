package live.retwis.cluster;

/**
 * A cluster cannot be started, or cannot be broken as asked. The message is for the user.
 */
public class ClusterException extends RuntimeException {

	ClusterException(String message) {
		super(message);
	}

	ClusterException(String message, Throwable cause) {
		super(message, cause);
	}

}
