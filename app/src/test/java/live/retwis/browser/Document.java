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
 * The functions run in a separate realm. They see the page's elements but not its
 * variables, and do not depend on its scripts. So they also work where scripts are off,
 * or where a content security policy forbids inline scripts. If the document is replaced
 * during a read, the read is repeated.
 */
final class Document {

	/** Name of the realm of these functions. */
	private static final String SANDBOX = "harness";

	private static final Duration RETRY_LIMIT = Duration.ofSeconds(5);

	private static final Duration RETRY_PAUSE = Duration.ofMillis(50);

	/**
	 * The text of hidden elements must not be returned, which {@code innerText} alone
	 * would do.
	 */
	static final String VISIBLE_TEXT = "e.checkVisibility() ? e.innerText : ''";

	private final BidiConnection connection;

	private final String context;

	Document(BidiConnection connection, String context) {
		this.connection = connection;
		this.context = context;
	}

	/** The result of the function. Promises are awaited. It may be called twice. */
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
	 * The value of an expression for each matching element {@code e}, in the order of the
	 * document.
	 */
	List<?> all(String css, String expression) {
		return (List<?>) Objects
			.requireNonNull(call("(css) => [...document.querySelectorAll(css)].map((e) => " + expression + ")", css));
	}

	/**
	 * The value of an expression in the realm of the page's own scripts, which has their
	 * variables. Promises are awaited.
	 */
	@Nullable Object evaluate(String expression) {
		return result(this.connection.send("script.evaluate", Map.of("expression", expression, "awaitPromise", true,
				"target", Map.of("context", this.context), "userActivation", true)));
	}

	private @Nullable Object callOnce(String function, Object... arguments) {
		List<?> values = Arrays.stream(arguments).map(RemoteValues::of).toList();
		return result(this.connection.send("script.callFunction",
				Map.of("functionDeclaration", function, "awaitPromise", true, "target",
						Map.of("context", this.context, "sandbox", SANDBOX), "arguments", values,
						"serializationOptions", Map.of("maxDomDepth", 0))));
	}

	private static @Nullable Object result(JsonNode answer) {
		ScriptException.throwIfIn(answer);
		return RemoteValues.toJava(answer.path("result"));
	}

}
