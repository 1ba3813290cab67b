package live.retwis.web;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Clients that are too slow, at a small server. It answers {@code /long} with more than
 * the sockets take by themselves.
 */
@Timeout(30)
@SuppressWarnings("NullAway.Init")
class ConnectionTimeoutsTests {

	private static final int LONG = 16 * 1024 * 1024;

	private static final Duration HEAD = Duration.ofMillis(400);

	private static final Duration IDLE = Duration.ofMillis(1200);

	/** A few times the longest limit, for a busy machine. */
	private static final Duration SOON = Duration.ofSeconds(5);

	private static final ChannelGroup OPEN = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

	private static DisposableServer server;

	@BeforeAll
	static void start() {
		ConnectionProperties limits = new ConnectionProperties(200, 0, 500, HEAD, HEAD, IDLE, HEAD);
		server = HttpServer.create()
			.host("127.0.0.1")
			.port(0)
			.channelGroup(OPEN)
			.doOnChannelInit((observer, channel, remote) -> ConnectionTimeouts.watch(channel, limits, IDLE))
			.handle((request, response) -> request.receive().then(Mono.defer(() -> switch (request.uri()) {
				case "/long" -> response.sendByteArray(Mono.just(new byte[LONG])).then();
				case "/stream" -> response.sse()
					.sendByteArray(Flux.interval(IDLE.multipliedBy(2))
						.map((i) -> "late".getBytes(StandardCharsets.US_ASCII))
						.take(1))
					.then();
				default -> response.sendString(Mono.just("short")).then();
			})))
			.bindNow();
	}

	@AfterAll
	static void stop() {
		server.disposeNow();
	}

	/** Connects, and waits until the server has accepted this connection. */
	private static Socket open(String sent) throws IOException {
		awaitClose();
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
		socket.setSoTimeout((int) SOON.toMillis());
		Awaitility.await().atMost(SOON).pollInterval(Duration.ofMillis(5)).until(() -> !OPEN.isEmpty());
		send(socket, sent);
		return socket;
	}

	private static void send(Socket socket, String text) throws IOException {
		socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
	}

	/** Reads as far as this text. */
	private static void readUntil(InputStream in, String text) throws IOException {
		StringBuilder read = new StringBuilder();
		while (read.indexOf(text) < 0) {
			int next = in.read();
			assertThat(next).as("after " + read).isNotEqualTo(-1);
			read.append((char) next);
		}
	}

	/** Waits until the server has closed all connections. */
	private static void awaitClose() {
		Awaitility.await().atMost(SOON).until(OPEN::isEmpty);
	}

	/** Sends a byte now and then until the server has closed all connections. */
	private static void awaitCloseWhileSending(Socket socket) {
		Awaitility.await().atMost(SOON).pollInterval(Duration.ofMillis(50)).until(() -> {
			try {
				send(socket, "x");
			}
			catch (IOException closed) {
				// The server may need a moment to forget the connection.
			}
			return OPEN.isEmpty();
		});
	}

	@Test
	void aHeadThatDripsIsCutOff() throws IOException {
		try (Socket socket = open("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")) {
			awaitCloseWhileSending(socket);
		}
	}

	@Test
	void aBodyThatDripsIsCutOff() throws IOException {
		try (Socket socket = open("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")) {
			awaitCloseWhileSending(socket);
		}
	}

	@Test
	void aConnectionWithoutARequestIsClosed() throws IOException {
		try (Socket socket = open("")) {
			assertThat(socket.getInputStream().read()).isEqualTo(-1);
		}
	}

	@Test
	void aConnectionIsKeptForTheNextRequestAndThenClosed() throws IOException {
		try (Socket socket = open("")) {
			InputStream in = socket.getInputStream();
			for (int i = 0; i < 2; i++) {
				LockSupport.parkNanos(HEAD.multipliedBy(3).dividedBy(2).toNanos());
				send(socket, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
				readUntil(in, "short");
			}
			assertThat(in.read()).isEqualTo(-1);
		}
	}

	@Test
	void aQuietStreamStaysOpen() throws IOException {
		try (Socket socket = open("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")) {
			readUntil(socket.getInputStream(), "late");
		}
	}

	@Test
	void aClientThatDoesNotReadItsAnswerIsCutOffAndTheAnswerForgotten() throws IOException {
		try (Socket socket = open("GET /long HTTP/1.1\r\nHost: x\r\n\r\n")) {
			awaitClose();
			assertThatExceptionOfType(SocketException.class).isThrownBy(() -> socket.getInputStream().readAllBytes());
		}
	}

	@Test
	void aClientThatReadsALongAnswerSlowlyGetsAllOfIt() throws IOException {
		try (Socket socket = open("GET /long HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")) {
			InputStream in = socket.getInputStream();
			long read = 0;
			for (int got = in.readNBytes(LONG / 16).length; got > 0; got = in.readNBytes(LONG / 16).length) {
				read += got;
				LockSupport.parkNanos(HEAD.dividedBy(4).toNanos());
			}
			assertThat(read).isGreaterThan(LONG);
		}
	}

	/** It is cut off at once, and not only when the time is over. */
	@Test
	void aClientThatSendsRequestsWithoutReadingAnswersIsCutOffAndNothingIsLogged() throws IOException {
		ListAppender<ILoggingEvent> logged = new ListAppender<>();
		Logger log = (Logger) LoggerFactory.getLogger("reactor.netty");
		logged.start();
		log.addAppender(logged);
		try (Socket socket = open("GET /long HTTP/1.1\r\nHost: x\r\n\r\n".repeat(50))) {
			long asked = System.nanoTime();
			awaitClose();
			assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(HEAD);
			assertThatExceptionOfType(SocketException.class).isThrownBy(() -> socket.getInputStream().readAllBytes());
		}
		finally {
			log.detachAppender(logged);
		}
		assertThat(logged.list).isEmpty();
	}

}
