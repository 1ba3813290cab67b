package live.retwis.browser;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The document that a tab shows at the moment, read by functions that run in it.
 * <p>
 * They run in a world of their own: they see the page's elements but none of its
 * variables and do not depend on its scripts, so they work where scripts are off and
 * where a content security policy forbids inline ones. A document that is replaced while
 * it is being read is read again.
 */
final class Document {

	/**
	 * The name of the world that the harness' functions run in.
	 */
	private static final String SANDBOX = "harness";

	private static final Duration RETRY_LIMIT = Duration.ofSeconds(5);

	private static final Duration RETRY_PAUSE = Duration.ofMillis(50);

	/**
	 * {@code innerText} alone gives away that of hidden elements.
	 */
	static final String VISIBLE_TEXT = "e.checkVisibility() ? e.innerText : ''";

	private final BidiConnection connection;

	private final String context;

	Document(BidiConnection connection, String context) {
		this.connection = connection;
		this.context = context;
	}

	/**
	 * What the function returns. It must be one that may be called twice.
	 */
	@Nullable Object call(String function, Object... arguments) {
		try {
			return callOnce(function, arguments);
		}
		catch (BidiException ex) {
			return Awaitility.await("the document that loads")
				.atMost(RETRY_LIMIT)
				.pollInterval(RETRY_PAUSE)
				.ignoreException(BidiException.class)
				.until(() -> Optional.ofNullable(callOnce(function, arguments)), (result) -> true)
				.orElse(null);
		}
	}

	/**
	 * What an expression is worth for each element {@code e} that matches, in the order
	 * of the document.
	 */
	List<?> all(String css, String expression) {
		return (List<?>) Objects
			.requireNonNull(call("(css) => [...document.querySelectorAll(css)].map((e) => " + expression + ")", css));
	}

	/**
	 * What an expression is worth for the page's own scripts, which is where its
	 * variables are. Promises are waited for.
	 */
	@Nullable Object evaluate(String expression) {
		return result(this.connection.send("script.evaluate", Map.of("expression", expression, "awaitPromise", true,
				"target", Map.of("context", this.context), "userActivation", true)));
	}

	private @Nullable Object callOnce(String function, Object... arguments) {
		List<?> values = Arrays.stream(arguments).map(RemoteValues::of).toList();
		return result(this.connection.send("script.callFunction",
				Map.of("functionDeclaration", function, "awaitPromise", false, "target",
						Map.of("context", this.context, "sandbox", SANDBOX), "arguments", values,
						"serializationOptions", Map.of("maxDomDepth", 0))));
	}

	private static @Nullable Object result(JsonNode answer) {
		ScriptException.throwIfIn(answer);
		return RemoteValues.toJava(answer.path("result"));
	}

}
