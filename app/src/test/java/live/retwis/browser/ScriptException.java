package live.retwis.browser;

import tools.jackson.databind.JsonNode;

/**
 * A script in the page threw an exception. Trying again does not help, because a selector
 * is wrong or the page lacks the function.
 */
final class ScriptException extends RuntimeException {

	private ScriptException(String message) {
		super(message);
	}

	/** Throws if the answer to {@code script.*} is an exception of the script. */
	static void throwIfIn(JsonNode answer) {
		if (answer.path("type").asString().equals("exception")) {
			throw new ScriptException(answer.path("exceptionDetails").path("text").asString());
		}
	}

}
