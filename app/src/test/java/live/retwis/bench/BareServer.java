package live.retwis.bench;

import java.nio.charset.StandardCharsets;

import reactor.netty.http.server.HttpServer;

import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The server that pages are compared with: WebFlux with one handler and no filter. It
 * answers 10 kB of constant HTML.
 */
final class BareServer {

	private static final int BYTES = 10_000;

	private BareServer() {
	}

	/**
	 * Serves until the process is ended.
	 * @param args the port
	 */
	public static void main(String[] args) {
		byte[] html = html();
		RouterFunction<ServerResponse> routes = RouterFunctions.route()
			.GET("/", (request) -> ServerResponse.ok().contentType(MediaType.TEXT_HTML).bodyValue(html))
			.build();
		HttpServer.create()
			.host("127.0.0.1")
			.port(Integer.parseInt(args[0]))
			.handle(new ReactorHttpHandlerAdapter(RouterFunctions.toHttpHandler(routes)))
			.bindNow()
			.onDispose()
			.block();
	}

	private static byte[] html() {
		String head = "<!DOCTYPE html><title>Bare</title>";
		return (head + "<p>Nothing.</p>".repeat(BYTES).substring(0, BYTES - head.length()))
			.getBytes(StandardCharsets.UTF_8);
	}

}
