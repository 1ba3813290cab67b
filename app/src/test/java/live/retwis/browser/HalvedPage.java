package live.retwis.browser;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * Serves a page in two parts with a pause between them, as a slow network does.
 */
final class HalvedPage implements AutoCloseable {

	/** Long enough for a browser to show the first part, if it wants to. */
	private static final Duration PAUSE = Duration.ofSeconds(1);

	private final CountDownLatch closed = new CountDownLatch(1);

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final String html;

	private final int cut;

	private final HttpServer server;

	/**
	 * Starts to serve.
	 * @param html the page
	 * @param cut how many characters the first part has
	 * @param files gives a file of the page by its path
	 */
	HalvedPage(String html, int cut, Function<String, HttpResponse<String>> files) throws IOException {
		this.html = html;
		this.cut = cut;
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(this.executor);
		this.server.createContext("/", this::send);
		this.server.createContext("/assets/", (exchange) -> forward(exchange, files));
		this.server.start();
	}

	String url() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort() + "/";
	}

	private void send(HttpExchange exchange) throws IOException {
		exchange.getResponseHeaders().add("Content-Type", "text/html; charset=utf-8");
		exchange.sendResponseHeaders(200, 0);
		try (OutputStream body = exchange.getResponseBody()) {
			body.write(this.html.substring(0, this.cut).getBytes(StandardCharsets.UTF_8));
			body.flush();
			this.closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
			body.write(this.html.substring(this.cut).getBytes(StandardCharsets.UTF_8));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static void forward(HttpExchange exchange, Function<String, HttpResponse<String>> files)
			throws IOException {
		HttpResponse<String> file = files.apply(exchange.getRequestURI().getPath());
		byte[] body = file.body().getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().add("Content-Type", file.headers().firstValue("Content-Type").orElseThrow());
		exchange.sendResponseHeaders(file.statusCode(), body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	@Override
	public void close() {
		this.closed.countDown();
		this.server.stop(0);
		this.executor.shutdownNow();
	}

}
