package live.retwis.browser;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.springframework.web.util.HtmlUtils;

/**
 * A small microblog to test the browser harness with: a name in a cookie, posts with a
 * form, a stream of changes that replaces only what has changed, and a page of difficult
 * elements. It has no inline scripts, like the real site.
 */
final class TinySite implements AutoCloseable {

	private static final String STYLE = """
			body { margin: 0; background: #fff; color: #000; }
			@media (prefers-color-scheme: dark) { body { background: #000; color: #fff; } }
			.long { height: 3000px; }
			#cover { position: fixed; inset: 0; background: #88f; }
			#cover[hidden], .none { display: none; }
			.narrow { width: 8em; }
			""";

	private static final String SCRIPT = """
			const $ = (css) => document.querySelector(css);
			window.answer = 42;
			if ($("#scripts")) $("#scripts").textContent = "scripts run";
			if ($("#posts")) {
				new EventSource("/stream").onmessage = async () => {
					const page = new DOMParser().parseFromString(await (await fetch("/")).text(), "text/html");
					const posts = (root) => new Map([...root.querySelectorAll("#posts > li")].map((li) => [li.outerHTML, li]));
					const before = posts(document), after = posts(page);
					before.forEach((li, html) => after.has(html) || li.remove());
					[...after].reverse().forEach(([html, li]) => before.has(html) || $("#posts").prepend(li));
				};
			}
			if ($("#uncover")) {
				$("#uncover").onclick = () => setTimeout(() => { $("#cover").hidden = true; }, 300);
				$("#covered").onclick = () => { $("#covered").textContent = "clicked"; };
				$("#cover").onclick = () => { $("#covered").textContent = "missed"; };
				$("#later").onclick = () => { $("#later").textContent = "clicked"; };
				setTimeout(() => { $("#later").disabled = false; }, 300);
				setTimeout(() => $("#late").append("here"), 300);
			}
			""";

	private static final String TRAPS = """
			<p class="none">secret</p><p id="late"></p>
			<div class="long"></div>
			<p class="narrow">Words before it, then <a id="wrapped" href="/?wrapped">a link of two lines or more</a></p>
			<button id="later" disabled>later</button>
			<button id="covered">covered</button>
			<div id="cover"><button id="uncover">uncover</button></div>
			""";

	private final List<String> posts = new CopyOnWriteArrayList<>();

	private final List<OutputStream> streams = new CopyOnWriteArrayList<>();

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final HttpServer server;

	TinySite() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setExecutor(this.executor);
		this.server.createContext("/", (exchange) -> page(exchange, home(name(exchange))));
		this.server.createContext("/traps", (exchange) -> page(exchange, TRAPS));
		this.server.createContext("/script.js", (exchange) -> send(exchange, "text/javascript", SCRIPT));
		this.server.createContext("/style.css", (exchange) -> send(exchange, "text/css", STYLE));
		this.server.createContext("/stream", this::stream);
		this.server.createContext("/name", (exchange) -> {
			exchange.getResponseHeaders().add("Set-Cookie", "name=" + body(exchange) + "; Path=/; HttpOnly");
			redirect(exchange);
		});
		this.server.createContext("/post", (exchange) -> change(exchange, () -> this.posts.add(0, body(exchange))));
		this.server.createContext("/delete",
				(exchange) -> change(exchange, () -> this.posts.remove(exchange.getRequestURI().getQuery())));
		this.server.start();
	}

	String url(String path) {
		return "http://127.0.0.1:" + this.server.getAddress().getPort() + path;
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.executor.shutdownNow();
	}

	private String home(String name) {
		return """
				<p id="name">%s</p><p id="scripts">scripts are off</p><noscript><p id="noscript">no scripts</p></noscript>
				<form action="/name" method="post"><input id="new-name" name="name"></form>
				<form action="/post" method="post"><textarea id="text" name="text">draft</textarea><button id="post">Post</button></form>
				<a id="traps" href="/traps">Traps</a><ul id="posts">%s</ul><div class="long"></div>
				"""
			.formatted(HtmlUtils.htmlEscape(name),
					this.posts.stream().map(TinySite::post).collect(Collectors.joining()));
	}

	private static String post(String text) {
		String html = HtmlUtils.htmlEscape(text);
		return "<li title=\"" + html + "\">" + html + "<form action=\"/delete?" + html
				+ "\" method=\"post\"><button class=\"delete\">Delete</button></form></li>";
	}

	private static String name(HttpExchange exchange) {
		return Optional.ofNullable(exchange.getRequestHeaders().getFirst("Cookie"))
			.map((cookie) -> cookie.substring(cookie.indexOf('=') + 1))
			.orElse("nobody");
	}

	private void change(HttpExchange exchange, Runnable change) throws IOException {
		change.run();
		redirect(exchange);
		this.streams.removeIf((stream) -> !tell(stream));
	}

	private void stream(HttpExchange exchange) throws IOException {
		exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
		exchange.sendResponseHeaders(200, 0);
		if (tell(exchange.getResponseBody())) {
			this.streams.add(exchange.getResponseBody());
		}
	}

	private static boolean tell(OutputStream stream) {
		try {
			stream.write("data: changed\n\n".getBytes(StandardCharsets.UTF_8));
			stream.flush();
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static String body(HttpExchange exchange) {
		try {
			String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
			return URLDecoder.decode(form.substring(form.indexOf('=') + 1), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void redirect(HttpExchange exchange) throws IOException {
		exchange.getResponseHeaders().add("Location", "/");
		exchange.sendResponseHeaders(303, -1);
		exchange.close();
	}

	private static void page(HttpExchange exchange, String body) throws IOException {
		exchange.getResponseHeaders().add("Content-Security-Policy", "default-src 'self'");
		exchange.getResponseHeaders().add("Cross-Origin-Opener-Policy", "same-origin");
		send(exchange, "text/html", """
				<!doctype html><html lang="en"><head><title>Tiny</title><meta charset="utf-8">
				<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
				<link rel="stylesheet" href="/style.css"><script type="module" src="/script.js"></script></head>
				<body>%s</body></html>""".formatted(body));
	}

	private static void send(HttpExchange exchange, String type, String text) throws IOException {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().add("Content-Type", type + "; charset=utf-8");
		exchange.sendResponseHeaders(200, bytes.length);
		exchange.getResponseBody().write(bytes);
		exchange.close();
	}

}
