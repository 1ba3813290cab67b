package live.retwis.locks;

/**
 * What a simulation shows and must not.
 */
final class Violation extends AssertionError {

	private static final long serialVersionUID = 1L;

	Violation(String message) {
		super(message);
	}

}
