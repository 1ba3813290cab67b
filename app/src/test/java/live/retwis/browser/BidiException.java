package live.retwis.browser;

/**
 * A command that the browser refused. Its {@link #error() code} tells what may pass on a
 * second try (a document that went away meanwhile) from what never will (an unknown
 * command).
 */
final class BidiException extends RuntimeException {

	private final String error;

	BidiException(String method, String error, String message) {
		super(method + ": " + error + ": " + message);
		this.error = error;
	}

	/**
	 * The code of the protocol, such as {@code no such frame}.
	 */
	String error() {
		return this.error;
	}

	boolean isUnknownCommand() {
		return this.error.equals("unknown command");
	}

}
