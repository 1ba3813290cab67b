package live.retwis.browser;

/**
 * The browser refused a command. Its {@link #error() code} says whether a second try can
 * succeed (the document was replaced meanwhile) or not (the command is unknown).
 */
final class BidiException extends RuntimeException {

	private final String error;

	BidiException(String method, String error, String message) {
		super(method + ": " + error + ": " + message);
		this.error = error;
	}

	/** The code of the protocol, such as {@code no such frame}. */
	String error() {
		return this.error;
	}

	boolean isUnknownCommand() {
		return this.error.equals("unknown command");
	}

}
