package live.retwis.browser;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Commands to a browser and their answers, as JSON over one WebSocket. Events are not
 * asked for and not read: the harness looks at the page instead, as a user does.
 */
final class BidiConnection implements AutoCloseable {

	/**
	 * The longest that one command may take; starting a session on a busy machine is the
	 * slowest of them.
	 */
	private static final Duration COMMAND_LIMIT = Duration.ofSeconds(30);

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private final AtomicLong ids = new AtomicLong();

	private final Map<Long, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();

	private final WebSocket socket;

	private volatile @Nullable String lost;

	private BidiConnection(URI address) {
		// Not by way of a proxy of the machine: the browser is here.
		HttpClient client = HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build();
		this.socket = get(client.newWebSocketBuilder().buildAsync(address, new Listener()), "connect to " + address);
	}

	static BidiConnection to(URI address) {
		return new BidiConnection(address);
	}

	/**
	 * The result of a command.
	 * @throws BidiException if the browser refuses it
	 * @throws IllegalStateException if the browser is gone or does not answer
	 */
	JsonNode send(String method, Map<String, ?> parameters) {
		long id = this.ids.incrementAndGet();
		CompletableFuture<JsonNode> reply = new CompletableFuture<>();
		this.waiting.put(id, reply);
		try {
			String command = JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters));
			write(command, method);
			JsonNode answer = get(reply, method);
			if (answer.has("error")) {
				throw new BidiException(method, answer.path("error").asString(), answer.path("message").asString());
			}
			return answer.path("result");
		}
		finally {
			this.waiting.remove(id);
		}
	}

	/**
	 * One at a time: a WebSocket of the JDK refuses a message before the last one is out.
	 */
	private synchronized void write(String command, String method) {
		if (this.lost != null) {
			throw new IllegalStateException("The browser is gone (" + this.lost + "), so no " + method);
		}
		get(this.socket.sendText(command, true), method);
	}

	boolean isOpen() {
		return this.lost == null;
	}

	@Override
	public void close() {
		this.socket.abort();
		lose("closed");
	}

	private void lose(String why) {
		this.lost = why;
		this.waiting.values().forEach((reply) -> reply.completeExceptionally(new IllegalStateException(why)));
	}

	private static <T> T get(Future<T> future, String what) {
		try {
			return future.get(COMMAND_LIMIT.toSeconds(), TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The browser is gone, so no " + what, ex.getCause());
		}
		catch (TimeoutException ex) {
			throw new IllegalStateException("No answer in " + COMMAND_LIMIT.toSeconds() + " s: " + what, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted: " + what, ex);
		}
	}

	private final class Listener implements WebSocket.Listener {

		private final StringBuilder message = new StringBuilder();

		@Override
		public @Nullable CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
			this.message.append(data);
			if (last) {
				JsonNode answer = JSON.readTree(this.message.toString());
				this.message.setLength(0);
				CompletableFuture<JsonNode> reply = BidiConnection.this.waiting.get(answer.path("id").asLong(-1));
				if (reply != null) {
					reply.complete(answer);
				}
			}
			webSocket.request(1);
			return null;
		}

		@Override
		public @Nullable CompletionStage<?> onClose(WebSocket webSocket, int statusCode, String reason) {
			lose("it closed the connection: " + statusCode + " " + reason);
			return null;
		}

		@Override
		public void onError(WebSocket webSocket, Throwable error) {
			lose("the connection broke: " + error);
		}

	}

}
