package live.retwis.cluster;

import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.timeout.ReadTimeoutException;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.ChannelBindException;
import reactor.netty.Connection;
import reactor.netty.DisposableServer;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.http.client.PrematureCloseException;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.ConnectionProvider;

/**
 * A small load balancer, for study. It sends each request to the next instance that is
 * ready. Each part of an answer is passed on at once, and no faster than the client takes
 * it, so streams need nothing special. When the client goes away, its request to the
 * instance is cancelled.
 * <p>
 * A request goes to another instance if no connection was made, so that nothing was sent.
 * One that changes nothing (GET and HEAD) also does if the instance broke off before it
 * answered. What an instance may have done is never asked of another one.
 * <p>
 * A real load balancer does more: TLS, HTTP/2, slow starts, limits for each client, logs.
 */
final class Balancer implements AutoCloseable {

	/** Most connections of all clients. */
	private static final int MOST_CONNECTIONS = 4000;

	/** Most connections to each instance. Each open page needs one for its stream. */
	private static final int MOST_REQUESTS = 2000;

	/** Most requests that wait for one of these. */
	private static final int MOST_WAITING = 200;

	private static final Duration WAIT = Duration.ofSeconds(2);

	private static final Duration CONNECT = Duration.ofSeconds(1);

	/**
	 * The longest silence of an instance in an answer. A quiet stream has a heartbeat
	 * more often.
	 */
	private static final Duration SILENCE = Duration.ofSeconds(10);

	/** How long a client may take to send a request. */
	private static final Duration REQUEST = Duration.ofSeconds(30);

	/** An instance closes a quiet connection later, so it never does in between. */
	private static final Duration KEPT = Duration.ofSeconds(20);

	private static final Duration IDLE = Duration.ofSeconds(60);

	private static final Set<HttpMethod> SAFE = Set.of(HttpMethod.GET, HttpMethod.HEAD);

	private static final String AWAY = """
			<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Retwis Live</title>
			<p>No instance answers at the moment. Reload in a few seconds.</p>
			<p lang="zh">目前没有实例应答。请几秒后刷新。</p></html>
			""";

	private final ConnectionProvider connections = ConnectionProvider.builder("balancer")
		.maxConnections(MOST_REQUESTS)
		.pendingAcquireMaxCount(MOST_WAITING)
		.pendingAcquireTimeout(WAIT)
		.maxIdleTime(KEPT)
		.build();

	/** It would send a request again by itself, whatever was in it. */
	private final HttpClient client = HttpClient.create(this.connections)
		.disableRetry(true)
		.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT.toMillis())
		.responseTimeout(SILENCE);

	private final AtomicInteger turn = new AtomicInteger();

	private final AtomicInteger open = new AtomicInteger();

	private final DisposableServer server;

	private volatile List<? extends LoadBalancerBackend> backends = List.of();

	/**
	 * Opens the port, on this machine only. Until {@link #use} it answers 502.
	 * @param port of this machine; 0 for any free one
	 * @throws ClusterException when the port is taken
	 */
	Balancer(int port) {
		try {
			this.server = HttpServer.create()
				.host("127.0.0.1")
				.port(port)
				.idleTimeout(IDLE)
				.requestTimeout(REQUEST)
				.doOnConnection(this::count)
				.handle(this::handle)
				.bindNow();
		}
		catch (ChannelBindException ex) {
			throw new ClusterException("Port " + port + " is taken. Choose another one: --port=8090", ex);
		}
	}

	/** Sends requests to these from now on. */
	void use(List<? extends LoadBalancerBackend> instances) {
		this.backends = List.copyOf(instances);
	}

	int port() {
		return this.server.port();
	}

	private void count(Connection connection) {
		if (this.open.incrementAndGet() > MOST_CONNECTIONS) {
			connection.dispose();
		}
		connection.onDispose(this.open::decrementAndGet);
	}

	private Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
		return forward(request, response, order().iterator());
	}

	/**
	 * The instances in the order in which they are tried: those that are ready, by turns.
	 * If none is known to be ready, all are tried.
	 */
	private List<LoadBalancerBackend> order() {
		List<? extends LoadBalancerBackend> all = this.backends;
		List<? extends LoadBalancerBackend> ready = all.stream().filter(LoadBalancerBackend::isReady).toList();
		List<? extends LoadBalancerBackend> usable = ready.isEmpty() ? all : ready;
		int first = usable.isEmpty() ? 0 : Math.floorMod(this.turn.getAndIncrement(), usable.size());
		List<LoadBalancerBackend> order = new ArrayList<>(usable.subList(first, usable.size()));
		order.addAll(usable.subList(0, first));
		return order;
	}

	private Mono<Void> forward(HttpServerRequest request, HttpServerResponse response,
			Iterator<LoadBalancerBackend> left) {
		if (!left.hasNext()) {
			return refuse(response, 502);
		}
		return send(request, response, left.next()).onErrorResume((error) -> {
			if (response.hasSentHeaders()) {
				return Mono.error(error);
			}
			return mayTryAnother(request, error) ? forward(request, response, left)
					: refuse(response, (error instanceof ReadTimeoutException) ? 504 : 502);
		});
	}

	private static boolean mayTryAnother(HttpServerRequest request, Throwable error) {
		boolean unanswered = Stream
			.of(PrematureCloseException.class, ClosedChannelException.class, ReadTimeoutException.class)
			.anyMatch((type) -> type.isInstance(error));
		return error instanceof ConnectException || unanswered && SAFE.contains(request.method()) && !hasBody(request);
	}

	private Mono<Void> send(HttpServerRequest request, HttpServerResponse response, LoadBalancerBackend backend) {
		HttpClient.RequestSender sender = this.client
			.headers((headers) -> ProxyHeaderCopier.request(request.requestHeaders(), headers, request.remoteAddress()))
			.request(request.method())
			.uri("http://127.0.0.1:" + backend.port() + path(request));
		HttpClient.ResponseReceiver<?> receiver = hasBody(request) ? sender.send(request.receive().retain()) : sender;
		return receiver.response((answer, content) -> relay(answer, content, response)).then();
	}

	private static String path(HttpServerRequest request) {
		return request.uri().startsWith("/") ? request.uri() : "/";
	}

	private static boolean hasBody(HttpServerRequest request) {
		HttpHeaders headers = request.requestHeaders();
		return headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
				|| !headers.get(HttpHeaderNames.CONTENT_LENGTH, "0").equals("0");
	}

	/** Passes an answer on, each part as soon as it has come. */
	private static Publisher<Void> relay(HttpClientResponse answer, ByteBufFlux content, HttpServerResponse response) {
		response.status(answer.status());
		ProxyHeaderCopier.answer(answer.responseHeaders(), response.responseHeaders());
		return response.send(content.retain(), (part) -> true);
	}

	private static Mono<Void> refuse(HttpServerResponse response, int status) {
		return response.status(status)
			.header(HttpHeaderNames.CONTENT_TYPE, "text/html;charset=UTF-8")
			.header(HttpHeaderNames.CACHE_CONTROL, "no-store")
			.header(HttpHeaderNames.RETRY_AFTER, "2")
			.sendString(Mono.just(AWAY))
			.then();
	}

	@Override
	public void close() {
		this.server.disposeNow();
		this.connections.dispose();
	}

}
