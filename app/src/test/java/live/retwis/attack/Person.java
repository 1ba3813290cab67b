package live.retwis.attack;

import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.cookie.ClientCookieDecoder;
import io.netty.handler.codec.http.cookie.Cookie;
import live.retwis.testing.Visitor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufMono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.ConnectionProvider;

/**
 * A user with an address and a browser of their own, which has no JavaScript. Like
 * {@link Visitor}, but without a thread for each request.
 */
final class Person {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	/** Shorter than the server's, so no request meets a connection that is closing. */
	private static final Duration IDLE = Duration.ofSeconds(20);

	private static final int CONNECTIONS = 10;

	private static final Pattern CSRF = Pattern.compile("name=\"_csrf\" value=\"([^\"]*)\"");

	private final String name = Visitor.freshName();

	private final HttpClient client;

	private final Map<String, String> cookies = new ConcurrentHashMap<>();

	private volatile String csrf = "";

	/**
	 * A user without an account.
	 * @param origin of the instance
	 * @param address of the user
	 */
	Person(EventLoopGroup loops, String origin, String address) {
		this.client = HttpClient
			.create(ConnectionProvider.builder(address).maxConnections(CONNECTIONS).maxIdleTime(IDLE).build())
			.runOn((server) -> loops, false)
			.bindAddress(() -> new InetSocketAddress(address, 0))
			.baseUrl(origin);
	}

	String name() {
		return this.name;
	}

	/** The CSRF token of the last page that had one. */
	String csrf() {
		return this.csrf;
	}

	/** All cookies, as in a request's header. */
	String cookies() {
		return this.cookies.entrySet()
			.stream()
			.map((cookie) -> cookie.getKey() + "=" + cookie.getValue())
			.collect(Collectors.joining("; "));
	}

	/** Forgets the session, and not the device. */
	void loseSession() {
		this.cookies.remove("auth");
	}

	/** Goes on in a browser in which nobody was logged in before. */
	void changeDevice() {
		this.cookies.clear();
	}

	Mono<Page> get(String path) {
		return answer(() -> with("").get()
			.uri(path)
			.responseSingle((response,
					body) -> body.asString().defaultIfEmpty("").map((text) -> page("GET " + path, response, text))));
	}

	/**
	 * Sends a form with the last CSRF token.
	 * @param fields name, value, name, value
	 */
	Mono<Page> submit(String path, String... fields) {
		return answer(() -> with("").headers(Person::acceptJson)
			.post()
			.uri(path)
			.send(ByteBufMono.fromString(Mono.just(form(this.csrf, fields))))
			.responseSingle((response,
					body) -> body.asString().defaultIfEmpty("").map((text) -> page("POST " + path, response, text))));
	}

	private static void acceptJson(HttpHeaders headers) {
		headers.set(HttpHeaderNames.ACCEPT, "application/json, text/html;q=0.5")
			.set(HttpHeaderNames.CONTENT_TYPE, "application/x-www-form-urlencoded");
	}

	/** The body of a form. */
	static String form(String csrf, String... fields) {
		StringBuilder body = new StringBuilder("_csrf=" + csrf);
		for (int i = 0; i < fields.length; i += 2) {
			body.append('&')
				.append(fields[i])
				.append('=')
				.append(URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
		}
		return body.toString();
	}

	/** Registers and logs in. */
	Mono<Person> register() {
		return get("/register")
			.then(submit("/register", "username", this.name, "password", Visitor.PASSWORD, "password2",
					Visitor.PASSWORD))
			.flatMap((page) -> page.expect(303))
			.then(get("/home"))
			.thenReturn(this);
	}

	/**
	 * The text of a stream, as it arrives.
	 * @param after the last position; empty text for none
	 */
	Flux<String> stream(String path, String after) {
		return with(after).get()
			.uri(path)
			.response((response, content) -> (response.status().code() == 200) ? content.asString()
					: Flux.error(new IllegalStateException(path + " answered " + response.status())));
	}

	private HttpClient with(String lastEventId) {
		return this.client.headers((headers) -> {
			headers.set(HttpHeaderNames.COOKIE, cookies());
			if (!lastEventId.isEmpty()) {
				headers.set("Last-Event-ID", lastEventId);
			}
		});
	}

	private static Mono<Page> answer(Supplier<Mono<Page>> request) {
		return Mono.defer(request)
			.timeout(LIMIT)
			.elapsed()
			.map((timed) -> timed.getT2().took(Duration.ofMillis(timed.getT1())));
	}

	private Page page(String request, HttpClientResponse response, String text) {
		for (String header : response.responseHeaders().getAll(HttpHeaderNames.SET_COOKIE)) {
			Cookie cookie = ClientCookieDecoder.LAX.decode(header);
			if (cookie.maxAge() == 0) {
				this.cookies.remove(cookie.name());
			}
			else {
				this.cookies.put(cookie.name(), cookie.value());
			}
		}
		Matcher token = CSRF.matcher(text);
		if (token.find()) {
			this.csrf = token.group(1);
		}
		return new Page(request, response.status().code(), text, Duration.ZERO);
	}

	/**
	 * An answer.
	 *
	 * @param request method and path
	 * @param took from the first try to connect until the end of the answer
	 */
	record Page(String request, int status, String text, Duration took) {

		private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([^\"]+)\"");

		Page took(Duration time) {
			return new Page(this.request, this.status, this.text, time);
		}

		/** Empty if the status is this one, else an error. */
		Mono<Void> expect(int wanted) {
			return (this.status == wanted) ? Mono.empty() : Mono.error(new IllegalStateException(
					this.request + " answered " + this.status + " after " + this.took.toMillis() + " ms"));
		}

		/** The first id in an answer of JSON. */
		String id() {
			Matcher found = ID.matcher(this.text);
			if (!found.find()) {
				throw new IllegalStateException(this.request + " answered " + this.text);
			}
			return found.group(1);
		}

	}

}
