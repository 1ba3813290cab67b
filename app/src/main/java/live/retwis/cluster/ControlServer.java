package live.retwis.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The port over which instances ask how the cluster is, and have it broken and healed. It
 * is open on this machine only, and only for those who know the token.
 */
final class ControlServer implements AutoCloseable {

	private static final Logger log = LoggerFactory.getLogger(ControlServer.class);

	private static final int THREADS = 4;

	/**
	 * How long an answer waits until all faults are mended. The instances wait longer
	 * than that for the answer. A fault that is left then is shown in the state.
	 */
	private static final long HEAL_SECONDS = 5;

	private static final JsonMapper JSON = JsonMapper.shared();

	private final HttpServer server;

	private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, (task) -> {
		Thread thread = new Thread(task, "cluster-control");
		thread.setDaemon(true);
		return thread;
	});

	private final byte[] authorization;

	private final SharedBreakReportStore reports;

	/** Opens the port. Until {@link #serve} it answers 404. */
	ControlServer(String token, SharedBreakReportStore reports) {
		this.reports = reports;
		this.authorization = ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No control port", ex);
		}
		this.server.setExecutor(this.threads);
		this.server.start();
	}

	/** Its address. */
	String url() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

	/** Answers from now on. */
	void serve(ClusterWatch watch, ClusterFaultInjector injector) {
		this.server.createContext("/", (exchange) -> {
			try (exchange) {
				answer(exchange, watch, injector);
			}
		});
	}

	private void answer(HttpExchange exchange, ClusterWatch watch, ClusterFaultInjector injector) throws IOException {
		if (!isAllowed(exchange)) {
			send(exchange, 401, "");
			return;
		}
		String path = exchange.getRequestURI().getPath();
		try {
			switch (exchange.getRequestMethod() + " " + path.replaceFirst("^/reports/.*", "/reports/")) {
				case "GET /state" -> send(exchange, 200, JSON.writeValueAsString(watch.state()));
				case "POST /breaks" -> {
					if (!watch.state().isWhole()) {
						throw new ClusterException("Not all parts are up");
					}
					injector.begin(JSON.readValue(body(exchange), ClusterFaultRequest.class));
					send(exchange, 200, JSON.writeValueAsString(watch.state()));
				}
				case "POST /heal" -> {
					injector.heal(HEAL_SECONDS, TimeUnit.SECONDS);
					send(exchange, 200, JSON.writeValueAsString(watch.state()));
				}
				case "POST /reports" ->
					send(exchange, 200, JSON.writeValueAsString(Map.of("id", this.reports.keep(body(exchange)))));
				case "GET /reports/" -> {
					String report = this.reports.find(path.substring("/reports/".length())).orElse("");
					send(exchange, report.isEmpty() ? 404 : 200, report);
				}
				default -> send(exchange, 404, "");
			}
		}
		catch (ClusterException ex) {
			send(exchange, 409, "");
		}
		catch (JacksonException ex) {
			send(exchange, 400, "");
		}
		catch (TooLongException ex) {
			send(exchange, 413, "");
		}
		catch (RuntimeException ex) {
			log.error("{} failed", path, ex);
			send(exchange, 500, "");
		}
	}

	private boolean isAllowed(HttpExchange exchange) {
		String given = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
		return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), this.authorization);
	}

	private static String body(HttpExchange exchange) throws IOException {
		byte[] body = exchange.getRequestBody().readNBytes(SharedBreakReportStore.LONGEST + 1);
		if (body.length > SharedBreakReportStore.LONGEST) {
			throw new TooLongException();
		}
		return new String(body, StandardCharsets.UTF_8);
	}

	private static void send(HttpExchange exchange, int status, String json) throws IOException {
		byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().set("Content-Type", "application/json");
		exchange.sendResponseHeaders(status, (bytes.length > 0) ? bytes.length : -1);
		exchange.getResponseBody().write(bytes);
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.threads.shutdownNow();
	}

	/** What was sent is longer than anything that is kept. */
	private static class TooLongException extends RuntimeException {

	}

}
