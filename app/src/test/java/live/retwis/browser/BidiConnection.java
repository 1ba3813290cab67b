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
 * Sends commands to a browser with WebDriver BiDi, over Selenium's connection. Chromium's
 * driver and Firefox understand the same commands. Tests look at the page, as a user
 * does, and do not wait for events. Two events are read: they tell what a page could not
 * load, and which errors its scripts made.
 */
final class BidiConnection implements AutoCloseable {

	/**
	 * Longest time of one command. On a busy machine starting a session is the slowest
	 * one.
	 */
	private static final Duration COMMAND_LIMIT = Duration.ofSeconds(60);

	/** Selenium adds its own text after the JSON of an error. */
	private static final JsonMapper JSON = JsonMapper.builder()
		.disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
		.build();

	private static final String BLOCKED = "network.beforeRequestSent";

	private final HttpClient client;

	private final Connection connection;

	private final CompletableFuture<?> gone;

	private final PageReports failedLoads = PageReports.failedLoads();

	private final PageReports scriptErrors = PageReports.scriptErrors();

	private BidiConnection(URI address, CompletableFuture<?> gone) {
		this.client = HttpClient.Factory.createDefault()
			.createClient(ClientConfig.defaultConfig().baseUri(address).readTimeout(COMMAND_LIMIT));
		this.connection = new Connection(this.client, address.toString());
		this.gone = gone;
	}

	/**
	 * Connects to a browser.
	 * @param gone completes when the process of the browser has ended
	 */
	static BidiConnection to(URI address, CompletableFuture<?> gone) {
		return new BidiConnection(address, gone);
	}

	/**
	 * Opens the session that all other commands need.
	 * @throws BidiException if the browser refuses it
	 * @throws IllegalStateException if the browser has ended or does not answer
	 */
	void openSession(Map<String, Object> capabilities) {
		send("session.new", Map.of("capabilities", capabilities));
		read(this.failedLoads);
		read(this.scriptErrors);
	}

	private void read(PageReports reports) {
		this.connection.addListener(reports.event(), new Event<JsonNode>(reports.event(), JSON::valueToTree),
				reports::add);
		send("session.subscribe", Map.of("events", List.of(reports.event())));
	}

	/** Addresses that a window or tab could not load lately, one per line. */
	List<String> failedLoads(String context) {
		return this.failedLoads.in(context);
	}

	/** Errors that scripts of a window or tab made lately. */
	List<String> scriptErrors(String context) {
		return this.scriptErrors.in(context);
	}

	/**
	 * Makes requests of a window or tab for an address fail, as when the network changes.
	 * What the browser has in its cache it requests all the same.
	 */
	void failLoads(String context, String url) {
		this.connection.addListener(BLOCKED, new Event<JsonNode>(BLOCKED, JSON::valueToTree), (event) -> {
			if (event.path("isBlocked").asBoolean()) {
				// The thread that receives this message must not wait for the answer,
				// because it also receives
				// the answer.
				CompletableFuture.runAsync(
						() -> send("network.failRequest", Map.of("request", event.at("/request/request").asString())));
			}
		});
		send("session.subscribe", Map.of("events", List.of(BLOCKED), "contexts", List.of(context)));
		send("network.setCacheBehavior", Map.of("cacheBehavior", "bypass", "contexts", List.of(context)));
		send("network.addIntercept", Map.of("phases", List.of("beforeRequestSent"), "contexts", List.of(context),
				"urlPatterns", List.of(Map.of("type", "string", "pattern", url))));
	}

	/**
	 * The result of a command.
	 * @throws BidiException if the browser refuses it
	 * @throws IllegalStateException if the browser has ended or does not answer
	 */
	JsonNode send(String method, Map<String, ?> parameters) {
		if (!isOpen()) {
			throw new IllegalStateException("The browser is gone, so no " + method);
		}
		try {
			CompletableFuture<Map<String, Object>> answer = this.connection
				.send(new Command<>(method, new HashMap<>(parameters), Json.MAP_TYPE));
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

	/** Selenium passes on the error as the browser wrote it. */
	private static RuntimeException refusal(String method, @Nullable Throwable cause) {
		if (cause instanceof WebDriverException refused && String.valueOf(refused.getRawMessage()).startsWith("{")) {
			JsonNode error = JSON.readTree(refused.getRawMessage());
			return new BidiException(method, error.path("error").asString(), error.path("message").asString());
		}
		return new IllegalStateException("The browser is gone, so no " + method, cause);
	}

	/** Whether the connection is open, as far as this is known without a request. */
	boolean isOpen() {
		return !this.gone.isDone();
	}

	@Override
	public void close() {
		this.connection.close();
		this.client.close();
	}

}
