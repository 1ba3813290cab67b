package live.retwis.cluster;

/**
 * A cluster cannot be started, or cannot be broken as asked. The message is for the user.
 */
public class ClusterProblem extends RuntimeException {

	ClusterProblem(String message) {
		super(message);
	}

	ClusterProblem(String message, Throwable cause) {
		super(message, cause);
	}

}
