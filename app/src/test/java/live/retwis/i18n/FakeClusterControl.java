package live.retwis.i18n;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import live.retwis.cluster.LocalSiteState;
import tools.jackson.databind.json.JsonMapper;

/**
 * The control port of a cluster that is not there. It answers with the state that a test
 * sets, and keeps the latest report.
 */
final class FakeClusterControl implements AutoCloseable {

	private static final int AWAY = 500;

	private final HttpServer server;

	private volatile String state = "";

	private volatile String report = "";

	FakeClusterControl() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/state", (exchange) -> send(exchange, this.state));
		this.server.createContext("/reports", (exchange) -> {
			if (exchange.getRequestMethod().equals("POST")) {
				this.report = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
				send(exchange, "{\"id\":\"1\"}");
			}
			else {
				send(exchange, this.report);
			}
		});
		this.server.start();
	}

	String url() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

	void show(LocalSiteState shown) {
		this.state = JsonMapper.shared().writeValueAsString(shown);
	}

	/** From now on each question about the state fails. */
	void fail() {
		this.state = "";
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

	private static void send(HttpExchange exchange, String json) throws IOException {
		try (exchange) {
			byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(json.isEmpty() ? AWAY : 200, json.isEmpty() ? -1 : bytes.length);
			exchange.getResponseBody().write(bytes);
		}
	}

}
