package live.retwis.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.concurrent.GlobalEventExecutor;
import org.awaitility.Awaitility;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * A small server whose connections have short limits. It answers {@code /long} with more
 * than the sockets take by themselves, {@code /stream} with a stream that is quiet for
 * longer than the limits, and other paths with "short". It reads the body of a POST
 * first.
 */
final class WatchedServer implements AutoCloseable {

	static final int LONG = 16 * 1024 * 1024;

	/** How long a head or a body may take. */
	static final Duration HEAD = Duration.ofMillis(400);

	/** How long a connection may stay open without a request. */
	static final Duration IDLE = Duration.ofMillis(1200);

	/** A few times the longest limit, for a busy machine. */
	static final Duration SOON = Duration.ofSeconds(5);

	private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

	private final DisposableServer server;

	/**
	 * Starts.
	 * @param quiet how long nothing may be sent either way on an HTTP/2 connection
	 */
	WatchedServer(Duration quiet, HttpProtocol... protocols) {
		this(HEAD, quiet, protocols);
	}

	/** Starts with an own limit for a client that does not read its answer. */
	WatchedServer(Duration answer, Duration quiet, HttpProtocol... protocols) {
		this(IDLE, answer, quiet, protocols);
	}

	/** Starts with an own limit for a connection without a request, too. */
	WatchedServer(Duration idle, Duration answer, Duration quiet, HttpProtocol... protocols) {
		ServerLimitProperties limits = new ServerLimitProperties(200, 0, 500, HEAD, HEAD, idle, answer);
		this.server = HttpServer.create()
			.host("127.0.0.1")
			.port(0)
			.protocol(protocols)
			.channelGroup(this.connections)
			.doOnChannelInit((observer, channel, remote) -> ConnectionTimeouts.watch(channel, limits, quiet))
			.handle((request, response) -> request.method().equals(HttpMethod.POST)
					? request.receive().then(answer(request, response)) : answer(request, response))
			.bindNow();
	}

	private static Mono<Void> answer(HttpServerRequest request, HttpServerResponse response) {
		return Mono.defer(() -> switch (request.uri()) {
			case "/long" -> response.sendByteArray(Mono.just(new byte[LONG])).then();
			case "/stream" -> response.sse()
				.sendByteArray(Flux.interval(IDLE.multipliedBy(2))
					.map((i) -> "late".getBytes(StandardCharsets.US_ASCII))
					.take(1))
				.then();
			default -> response.sendString(Mono.just("short")).then();
		});
	}

	/** Connects, and waits until the server has accepted this connection. */
	Socket open() throws IOException {
		awaitClose();
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.server.port());
		socket.setSoTimeout((int) SOON.toMillis());
		Awaitility.await().atMost(SOON).pollInterval(Duration.ofMillis(5)).until(() -> !this.connections.isEmpty());
		return socket;
	}

	/** Waits until the server has closed all connections. */
	void awaitClose() {
		Awaitility.await().atMost(SOON).until(this.connections::isEmpty);
	}

	/**
	 * Sends something again and again until the server has closed all connections.
	 * @param pause the time between two
	 */
	void awaitCloseWhileSending(Socket socket, Duration pause, byte[] sent) {
		Awaitility.await().atMost(SOON).pollInterval(pause).until(() -> {
			try {
				socket.getOutputStream().write(sent);
			}
			catch (IOException closed) {
				// The server may need a moment to forget the connection.
			}
			return this.connections.isEmpty();
		});
	}

	@Override
	public void close() {
		this.server.disposeNow();
	}

}
