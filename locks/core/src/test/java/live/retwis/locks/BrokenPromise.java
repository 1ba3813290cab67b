package live.retwis.locks;

/**
 * What a simulation shows and must not.
 */
final class BrokenPromise extends AssertionError {

	private static final long serialVersionUID = 1L;

	BrokenPromise(String message) {
		super(message);
	}

}
