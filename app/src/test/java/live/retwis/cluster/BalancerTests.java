package live.retwis.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.testing.RawHttp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The load balancer before servers that behave well or not. */
@Timeout(60)
class BalancerTests {

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final Balancer balancer = new Balancer(0);

	private final List<DisposableServer> servers = new ArrayList<>();

	/** What the servers were asked, in this order. */
	private final List<String> asked = new CopyOnWriteArrayList<>();

	private final CountDownLatch cancelled = new CountDownLatch(1);

	@AfterEach
	void stop() {
		this.balancer.close();
		this.servers.forEach(DisposableServer::disposeNow);
	}

	@Test
	void requestsGoToTheInstancesByTurns() {
		this.balancer.use(List.of(server(says("one")), server(says("two"))));
		assertThat(List.of(get("/").body(), get("/").body(), get("/").body())).containsExactly("one", "two", "one");
	}

	@Test
	void eachEventOfAStreamIsPassedOnAtOnce() throws Exception {
		this.balancer.use(List.of(server((request, response) -> response.sse()
			.sendString(Flux.concat(Mono.just("data: first\n\n"), Mono.never())))));
		try (BufferedReader lines = lines("/live/public")) {
			assertThat(lines.readLine()).isEqualTo("data: first");
		}
	}

	@Test
	void aClientThatGoesAwayEndsItsRequestAtTheInstance() throws Exception {
		this.balancer.use(List.of(server((request, response) -> response.sse()
			.sendString(Flux.concat(Mono.just("data: first\n\n"),
					Mono.<String>never().doOnCancel(this.cancelled::countDown))))));
		lines("/live/public").close();
		assertThat(this.cancelled.await(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void anInstanceThatIsDeadIsPassedOver() {
		this.balancer.use(List.of(backend(TestPorts.next(), true), server(says("alive"))));
		for (int i = 0; i < 4; i++) {
			assertThat(get("/").body()).isEqualTo("alive");
			assertThat(post("/posts", "body=1").body()).isEqualTo("alive");
		}
	}

	@Test
	void anInstanceThatIsNotReadyIsNotAsked() {
		this.balancer.use(List.of(backend(server(says("not ready")).port(), false), server(says("ready"))));
		assertThat(List.of(get("/").body(), get("/").body())).containsOnly("ready");
	}

	@Test
	void ifNoInstanceIsReadyAnyOfThemIsAsked() {
		this.balancer.use(List.of(backend(server(says("perhaps")).port(), false)));
		assertThat(get("/").body()).isEqualTo("perhaps");
	}

	@Test
	void aPageIsAskedOfAnotherInstanceWhenOneBreaksOff() {
		this.balancer.use(List.of(server(this::breaksOff), server(says("another"))));
		assertThat(get("/home").body()).isEqualTo("another");
		assertThat(this.asked).containsExactly("GET /home ");
	}

	@Test
	void whatAnInstanceMayHaveDoneIsNotAskedOfAnother() {
		this.balancer.use(List.of(server(this::breaksOff), server(says("another"))));
		HttpResponse<String> answer = post("/posts", "body=once");
		assertThat(answer.statusCode()).isEqualTo(502);
		assertThat(this.asked).containsExactly("POST /posts body=once");
	}

	@Test
	void aFormWithoutFieldsIsNotSentTwiceEither() {
		this.balancer.use(List.of(server(this::breaksOff), server(this::breaksOff)));
		assertThat(post("/logout", "").statusCode()).isEqualTo(502);
		assertThat(this.asked).containsExactly("POST /logout ");
	}

	@Test
	void anAnswerThatBreaksOffBreaksOffForTheClientToo() {
		this.balancer.use(List.of(server((request, response) -> response.sse()
			.sendString(Flux.concat(Mono.just("data: first\n\n"),
					Mono.delay(Duration.ofMillis(200)).then(Mono.error(new IOException("killed"))))))));
		assertThatThrownBy(() -> {
			try (BufferedReader lines = lines("/live/public")) {
				while (lines.readLine() != null) {
					// It ends by an error, not as if it were complete.
				}
			}
		}).isInstanceOf(IOException.class);
	}

	@Test
	void withoutInstancesAPageSaysSo() {
		HttpResponse<String> answer = get("/");
		assertThat(answer.statusCode()).isEqualTo(502);
		assertThat(answer.headers().firstValue("Retry-After")).hasValue("2");
		assertThat(answer.body()).contains("No instance answers", "没有实例");
	}

	@Test
	void aRequestKeepsItsHeadersButThoseOfItsConnectionAndFalseClaims() {
		List<String> headers = new CopyOnWriteArrayList<>();
		this.balancer.use(List.of(server((request, response) -> {
			this.asked.add(request.uri());
			request.requestHeaders().forEach((header) -> headers.add(header.getKey() + ": " + header.getValue()));
			return response.header("Connection", "X-Hop")
				.header("X-Hop", "secret")
				.header("Set-Cookie", "a=1")
				.header("X-Instance", "one")
				.sendString(Mono.just("answer"));
		})));
		String answer = RawHttp.getFrom("www.example.com", this.balancer.port(), "/home?q=[a]%20b", "Cookie: auth=1",
				"Connection: X-Mine", "X-Mine: secret", "TE: trailers", "X-Forwarded-For: 203.0.113.9",
				"X-Forwarded-Host: evil.example", "X-Request-Id: mine");
		assertThat(this.asked).containsExactly("/home?q=[a]%20b");
		assertThat(headers).contains("Host: www.example.com", "Cookie: auth=1", "X-Forwarded-For: 127.0.0.1",
				"X-Forwarded-Proto: http");
		assertThat(headers).noneMatch((header) -> header.matches("(?i)(x-mine|te|x-forwarded-host|x-request-id):.*"));
		assertThat(answer).contains("X-Instance: one", "Set-Cookie: a=1", "answer").doesNotContain("secret");
	}

	@Test
	void anAnswerWithoutABodyKeepsItsStatusAndHeaders() throws Exception {
		this.balancer
			.use(List.of(server((request, response) -> response.status(303).header("Location", "/home").send())));
		HttpResponse<String> answer = post("/login", "a=1");
		assertThat(answer.statusCode()).isEqualTo(303);
		assertThat(answer.headers().firstValue("Location")).hasValue("/home");
		HttpRequest head = HttpRequest.newBuilder(uri("/")).method("HEAD", BodyPublishers.noBody()).build();
		assertThat(this.client.send(head, BodyHandlers.ofString()).statusCode()).isEqualTo(303);
	}

	private LoadBalancerBackend server(BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> behaviour) {
		DisposableServer server = HttpServer.create().host("127.0.0.1").port(0).handle(behaviour).bindNow();
		this.servers.add(server);
		return backend(server.port(), true);
	}

	private static BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> says(String text) {
		return (request, response) -> request.receive().then(response.sendString(Mono.just(text)).then());
	}

	private Publisher<Void> breaksOff(HttpServerRequest request, HttpServerResponse response) {
		return request.receive()
			.aggregate()
			.asString()
			.defaultIfEmpty("")
			.doOnNext((body) -> this.asked.add(request.method() + " " + request.uri() + " " + body))
			.then(Mono.fromRunnable(() -> request.withConnection((connection) -> connection.channel().close())))
			.then(Mono.never());
	}

	private static LoadBalancerBackend backend(int port, boolean ready) {
		return new LoadBalancerBackend() {

			@Override
			public int port() {
				return port;
			}

			@Override
			public boolean isReady() {
				return ready;
			}

		};
	}

	private URI uri(String path) {
		return URI.create("http://127.0.0.1:" + this.balancer.port() + path);
	}

	private HttpResponse<String> get(String path) {
		return send(HttpRequest.newBuilder(uri(path)).build());
	}

	private HttpResponse<String> post(String path, String body) {
		return send(HttpRequest.newBuilder(uri(path)).POST(BodyPublishers.ofString(body)).build());
	}

	private HttpResponse<String> send(HttpRequest request) {
		try {
			return this.client.send(request, BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new AssertionError(request.toString(), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError(ex);
		}
	}

	private BufferedReader lines(String path) throws Exception {
		HttpResponse<InputStream> answer = this.client.send(HttpRequest.newBuilder(uri(path)).build(),
				BodyHandlers.ofInputStream());
		return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
	}

}
