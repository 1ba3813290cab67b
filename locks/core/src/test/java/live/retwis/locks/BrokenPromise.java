package live.retwis.locks;

/**
 * The locks broke one of their promises in a simulation.
 */
final class BrokenPromise extends AssertionError {

	private static final long serialVersionUID = 1L;

	BrokenPromise(String message) {
		super(message);
	}

}
