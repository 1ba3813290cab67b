package live.retwis.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** An open stream, parsed as the specification of Server-Sent Events says. */
public final class EventStream implements AutoCloseable {

	private static final Duration WAIT = Duration.ofSeconds(10);

	/** Shared, because each client has threads of its own. */
	private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final HttpResponse<InputStream> response;

	private final List<Event> events = new CopyOnWriteArrayList<>();

	private final CountDownLatch ended = new CountDownLatch(1);

	private volatile String retry = "";

	/**
	 * Why the stream broke; empty text while it is open, or when the server ended it
	 * properly.
	 */
	private volatile String broken = "";

	private EventStream(HttpResponse<InputStream> response) {
		this.response = response;
		Thread reader = new Thread(this::read, "event-stream");
		reader.setDaemon(true);
		reader.start();
	}

	static EventStream open(String url, String cookies, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).timeout(WAIT);
		if (!cookies.isEmpty()) {
			request.header("Cookie", cookies);
		}
		if (headers.length > 0) {
			request.headers(headers);
		}
		try {
			return new EventStream(CLIENT.send(request.build(), BodyHandlers.ofInputStream()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(url, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private void read() {
		try (BufferedReader lines = new BufferedReader(
				new InputStreamReader(this.response.body(), StandardCharsets.UTF_8))) {
			String id = "";
			String name = "message";
			StringBuilder data = new StringBuilder();
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				if (line.isEmpty()) {
					if (!data.isEmpty()) {
						this.events.add(new Event(id, name, data.substring(0, data.length() - 1)));
					}
					name = "message";
					data.setLength(0);
				}
				else if (line.startsWith("id: ")) {
					id = line.substring(4);
				}
				else if (line.startsWith("event: ")) {
					name = line.substring(7);
				}
				else if (line.startsWith("data: ")) {
					data.append(line.substring(6)).append('\n');
				}
				else if (line.startsWith("retry: ")) {
					this.retry = line.substring(7);
				}
			}
		}
		catch (IOException ex) {
			// The stream was closed, either by close() or by a test that cuts sockets.
			this.broken = ex.toString();
		}
		this.ended.countDown();
	}

	public int status() {
		return this.response.statusCode();
	}

	/** The first header with this name; empty text for none. */
	public String header(String name) {
		return this.response.headers().firstValue(name).orElse("");
	}

	/** The events received so far. */
	public List<Event> events() {
		return List.copyOf(this.events);
	}

	/** The events with this name received so far. */
	public List<Event> events(String name) {
		return this.events.stream().filter((event) -> event.name().equals(name)).toList();
	}

	/** The last {@code retry} in ms; empty text for none. */
	public String retry() {
		return this.retry;
	}

	/** The id of the last event. */
	public String lastEventId() {
		return this.events.isEmpty() ? "" : this.events.get(this.events.size() - 1).id();
	}

	/** Waits for an event. */
	public Event await(Predicate<Event> wanted) {
		try {
			Awaitility.await().atMost(WAIT).until(() -> this.events.stream().anyMatch(wanted));
		}
		catch (ConditionTimeoutException ex) {
			throw new AssertionError(
					"No such event on a stream that is " + (isEnded() ? "over (%s)".formatted(this.broken) : "open")
							+ "; status " + status() + ", retry " + this.retry + "; it brought " + this.events,
					ex);
		}
		return this.events.stream().filter(wanted).findFirst().orElseThrow();
	}

	/** Waits for a post whose markup contains the text. */
	public Event awaitPost(String text) {
		return await((event) -> event.name().equals("post") && event.data().contains(text));
	}

	/** Waits until the server has ended the stream. */
	public void awaitEnd() {
		if (!endsWithin(WAIT)) {
			throw new AssertionError("The stream has not ended");
		}
	}

	/**
	 * Waits for the end of the stream.
	 * @return whether it ended in this time
	 */
	public boolean endsWithin(Duration time) {
		try {
			return this.ended.await(time.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/** Whether the stream has ended, by the server or by a close. */
	public boolean isEnded() {
		return this.ended.getCount() == 0;
	}

	@Override
	public void close() {
		try {
			this.response.body().close();
		}
		catch (IOException ex) {
			// The stream counts as closed anyway.
		}
	}

	/**
	 * One event.
	 *
	 * @param id its position
	 * @param name its name
	 * @param data its data lines, joined by LF
	 */
	public record Event(String id, String name, String data) {
	}

}
