package live.retwis.web;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import reactor.netty.http.HttpProtocol;

import static live.retwis.web.WatchedServer.HEAD;
import static live.retwis.web.WatchedServer.IDLE;
import static live.retwis.web.WatchedServer.LONG;
import static live.retwis.web.WatchedServer.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Clients that are too slow, at a small server. It answers {@code /long} with more than
 * the sockets take by themselves.
 */
@Timeout(30)
@SuppressWarnings("NullAway.Init")
class ConnectionTimeoutsTests {

	private static WatchedServer server;

	@BeforeAll
	static void start() {
		server = new WatchedServer(IDLE, HttpProtocol.HTTP11);
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	private static Socket open(String sent) throws IOException {
		Socket socket = server.open();
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

	/** Sends a byte now and then until the server has closed all connections. */
	private static void awaitCloseWhileSending(Socket socket) {
		server.awaitCloseWhileSending(socket, Duration.ofMillis(50), new byte[] { 'x' });
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
	@Tag("slow")
	void aConnectionIsKeptForTheNextRequestAndThenClosed() throws IOException {
		Duration idle = HEAD.multipliedBy(8);
		try (WatchedServer patient = new WatchedServer(idle, HEAD, idle, HttpProtocol.HTTP11);
				Socket socket = patient.open()) {
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
			server.awaitClose();
			assertThatExceptionOfType(SocketException.class).isThrownBy(() -> socket.getInputStream().readAllBytes());
		}
	}

	/**
	 * All pauses are longer than the limit. Each is far shorter, because on a busy
	 * machine the client may sleep longer than it wants to.
	 */
	@Test
	@Tag("slow")
	void aClientThatReadsALongAnswerSlowlyGetsAllOfIt() throws IOException {
		Duration limit = HEAD.multipliedBy(4);
		try (WatchedServer patient = new WatchedServer(limit, IDLE, HttpProtocol.HTTP11);
				Socket socket = patient.open()) {
			send(socket, "GET /long HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
			InputStream in = socket.getInputStream();
			long read = 0;
			for (int got = in.readNBytes(LONG / 16).length; got > 0; got = in.readNBytes(LONG / 16).length) {
				read += got;
				LockSupport.parkNanos(limit.dividedBy(8).toNanos());
			}
			assertThat(read).isGreaterThan(LONG);
		}
	}

	/** It is cut off at once, and not only when its time to read is over. */
	@Test
	void aClientThatSendsRequestsWithoutReadingAnswersIsCutOffAndNothingIsLogged() throws IOException {
		ListAppender<ILoggingEvent> logged = new ListAppender<>();
		Logger log = (Logger) LoggerFactory.getLogger("reactor.netty");
		logged.start();
		log.addAppender(logged);
		try (WatchedServer patient = new WatchedServer(SOON.multipliedBy(10), IDLE, HttpProtocol.HTTP11);
				Socket socket = patient.open()) {
			send(socket, "GET /long HTTP/1.1\r\nHost: x\r\n\r\n".repeat(50));
			patient.awaitClose();
			assertThatExceptionOfType(SocketException.class).isThrownBy(() -> socket.getInputStream().readAllBytes());
		}
		finally {
			log.detachAppender(logged);
		}
		assertThat(logged.list).isEmpty();
	}

}
