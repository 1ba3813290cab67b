package live.retwis.browser;

import tools.jackson.databind.JsonNode;

/**
 * What a script in the page threw. Trying again does not help: a selector is wrong, or
 * the page has no such function.
 */
final class ScriptException extends RuntimeException {

	private ScriptException(String message) {
		super(message);
	}

	/**
	 * Throws if the answer to {@code script.*} is that the script threw.
	 */
	static void throwIfIn(JsonNode answer) {
		if (answer.path("type").asString().equals("exception")) {
			throw new ScriptException(answer.path("exceptionDetails").path("text").asString());
		}
	}

}
