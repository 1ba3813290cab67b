package live.retwis.browser;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.bidi.Command;
import org.openqa.selenium.bidi.Connection;
import org.openqa.selenium.bidi.Event;
import org.openqa.selenium.json.Json;
import org.openqa.selenium.remote.http.ClientConfig;
import org.openqa.selenium.remote.http.HttpClient;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Commands to a browser and their answers over Selenium's connection for WebDriver BiDi,
 * which Chromium's driver and Firefox itself speak alike. The harness looks at the page,
 * as a user does, rather than wait for events; the one that is read tells why a page is
 * not whole.
 */
final class BidiConnection implements AutoCloseable {

	/**
	 * The longest that one command may take; starting a session on a busy machine is the
	 * slowest of them.
	 */
	private static final Duration COMMAND_LIMIT = Duration.ofSeconds(30);

	/** Selenium puts words of its own behind the JSON of an error. */
	private static final JsonMapper JSON = JsonMapper.builder()
		.disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.build();

	private static final String BLOCKED = "network.beforeRequestSent";

	private final HttpClient client;

	private final Connection connection;

	private final CompletableFuture<?> gone;

	private final FailedLoads failedLoads = new FailedLoads();

	private BidiConnection(URI address, CompletableFuture<?> gone) {
		this.client = HttpClient.Factory.createDefault()
			.createClient(ClientConfig.defaultConfig().baseUri(address).readTimeout(COMMAND_LIMIT));
		this.connection = new Connection(this.client, address.toString());
		this.gone = gone;
	}

	/**
	 * Connects to a browser.
	 * @param gone done when its process is
	 */
	static BidiConnection to(URI address, CompletableFuture<?> gone) {
		return new BidiConnection(address, gone);
	}

	/**
	 * Opens the session that everything else happens in.
	 * @throws BidiException if the browser refuses it
	 * @throws IllegalStateException if the browser is gone or does not answer
	 */
	void openSession(Map<String, Object> capabilities) {
		send("session.new", Map.of("capabilities", capabilities));
		this.connection.addListener(FailedLoads.EVENT, new Event<JsonNode>(FailedLoads.EVENT, JSON::valueToTree),
				this.failedLoads::add);
		send("session.subscribe", Map.of("events", List.of(FailedLoads.EVENT)));
	}

	/** What could not be loaded in a window or tab lately, one line each. */
	List<String> failedLoads(String context) {
		return this.failedLoads.in(context);
	}

	/** Has what a window or tab asks of an address fail, as when the network changes. */
	void failLoads(String context, String url) {
		this.connection.addListener(BLOCKED, new Event<JsonNode>(BLOCKED, JSON::valueToTree), (event) -> {
			if (event.path("isBlocked").asBoolean()) {
				// The answer comes to the thread that this is told on.
				CompletableFuture.runAsync(
						() -> send("network.failRequest", Map.of("request", event.at("/request/request").asString())));
			}
		});
		send("session.subscribe", Map.of("events", List.of(BLOCKED), "contexts", List.of(context)));
		send("network.addIntercept", Map.of("phases", List.of("beforeRequestSent"), "contexts", List.of(context),
				"urlPatterns", List.of(Map.of("type", "string", "pattern", url))));
	}

	/**
	 * The result of a command.
	 * @throws BidiException if the browser refuses it
	 * @throws IllegalStateException if the browser is gone or does not answer
	 */
	JsonNode send(String method, Map<String, ?> parameters) {
		if (!isOpen()) {
			throw new IllegalStateException("The browser is gone, so no " + method);
		}
		try {
			CompletableFuture<Map<String, Object>> answer = this.connection.send(new Command<>(method,
					new HashMap<>(parameters), (input) -> input.<Map<String, Object>>read(Json.MAP_TYPE)));
			CompletableFuture.anyOf(answer, this.gone).get(COMMAND_LIMIT.toSeconds(), TimeUnit.SECONDS);
			if (!answer.isDone()) {
				throw new IllegalStateException("The browser is gone, so no " + method);
			}
			return JSON.valueToTree(answer.get());
		}
		catch (ExecutionException ex) {
			throw refusal(method, ex.getCause());
		}
		catch (WebDriverException ex) {
			throw refusal(method, ex);
		}
		catch (TimeoutException ex) {
			throw new IllegalStateException("No answer in " + COMMAND_LIMIT.toSeconds() + " s: " + method, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted: " + method, ex);
		}
	}

	/** Selenium hands the error on as the browser wrote it. */
	private static RuntimeException refusal(String method, @Nullable Throwable cause) {
		if (cause instanceof WebDriverException refused && String.valueOf(refused.getRawMessage()).startsWith("{")) {
			JsonNode error = JSON.readTree(refused.getRawMessage());
			return new BidiException(method, error.path("error").asString(), error.path("message").asString());
		}
		return new IllegalStateException("The browser is gone, so no " + method, cause);
	}

	/** As far as one can know without asking. */
	boolean isOpen() {
		return !this.gone.isDone();
	}

	@Override
	public void close() {
		this.connection.close();
		this.client.close();
	}

}
