package live.retwis.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.netty.http.HttpProtocol;

import static live.retwis.web.Http2Frames.END_HEADERS;
import static live.retwis.web.Http2Frames.END_STREAM;
import static live.retwis.web.Http2Frames.HEADERS;
import static live.retwis.web.Http2Frames.PREFACE;
import static live.retwis.web.Http2Frames.SETTINGS;
import static live.retwis.web.Http2Frames.frame;
import static live.retwis.web.WatchedServer.IDLE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients that are too slow, over HTTP/2.
 */
@Timeout(30)
@SuppressWarnings("NullAway.Init")
class Http2TimeoutsTests {

	private static final int PING = 6;

	private static final int CONTINUATION = 9;

	/** GET, http, and the path that is / . */
	private static final byte[] GET = { (byte) 0x82, (byte) 0x86, (byte) 0x84, 1, 1, 'x' };

	/** The same with the path /stream. */
	private static final byte[] GET_STREAM = { (byte) 0x82, (byte) 0x86, 4, 7, '/', 's', 't', 'r', 'e', 'a', 'm', 1, 1,
			'x' };

	/**
	 * The time between two pieces. It is so long that the codec does not refuse too many
	 * small pieces by itself.
	 */
	private static final Duration PAUSE = Duration.ofMillis(300);

	private static WatchedServer server;

	@BeforeAll
	static void start() {
		server = new WatchedServer(Duration.ofMinutes(1), HttpProtocol.H2C, HttpProtocol.HTTP11);
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	private static Socket open(byte[]... sent) throws IOException {
		Socket socket = server.open();
		for (byte[] bytes : sent) {
			socket.getOutputStream().write(bytes);
		}
		return socket;
	}

	private static byte[] settings() {
		return frame(SETTINGS, 0, 0, new byte[0]);
	}

	/** Reads what the server sends until this text. */
	private static void readUntil(Socket socket, String text) throws IOException {
		ByteArrayOutputStream read = new ByteArrayOutputStream();
		while (!read.toString(StandardCharsets.ISO_8859_1).contains(text)) {
			int next = socket.getInputStream().read();
			assertThat(next).as("the connection is open after " + read.size() + " bytes").isNotEqualTo(-1);
			read.write(next);
		}
	}

	/** The head is said to have 4,096 bytes more than come at once. */
	@Test
	void aHeadThatDripsIsCutOff() throws IOException {
		byte[] begun = frame(HEADERS, END_STREAM | END_HEADERS, 1, GET);
		begun[1] = 0x10;
		try (Socket socket = open(PREFACE, settings(), begun)) {
			server.awaitCloseWhileSending(socket, PAUSE, new byte[] { (byte) 0x82 });
		}
	}

	/** Each frame is whole, and the head never ends. */
	@Test
	void aHeadInFramesThatNeverEndsIsCutOff() throws IOException {
		try (Socket socket = open(PREFACE, settings(), frame(HEADERS, END_STREAM, 1, GET))) {
			server.awaitCloseWhileSending(socket, PAUSE, frame(CONTINUATION, 0, 1, new byte[0]));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 20 })
	void aPrefaceThatNeverEndsIsCutOff(int sent) throws IOException {
		try (Socket socket = open(ByteBuffer.allocate(sent).put(PREFACE, 0, sent).array())) {
			assertThat(socket.getInputStream().readAllBytes()).isEmpty();
		}
		server.awaitClose();
	}

	@Test
	void aConnectionWithoutARequestIsClosedAlthoughItPings() throws IOException {
		try (Socket socket = open(PREFACE, settings())) {
			server.awaitCloseWhileSending(socket, PAUSE, frame(PING, 0, 0, new byte[8]));
		}
	}

	/** The answer is complete, so the stream has only a client that may still send. */
	@Test
	void aConnectionWhoseAnsweredRequestDoesNotEndIsClosed() throws IOException {
		try (Socket socket = open(PREFACE, settings(), frame(HEADERS, END_HEADERS, 1, GET))) {
			readUntil(socket, "short");
			server.awaitCloseWhileSending(socket, PAUSE, frame(PING, 0, 0, new byte[8]));
		}
	}

	/** The requests are short, so nearly always none is at work. */
	@Test
	@Tag("slow")
	void aConnectionIsKeptWhileRequestsCome() throws IOException {
		try (Socket socket = open(PREFACE, settings())) {
			for (int stream = 1; stream < 16; stream += 2) {
				socket.getOutputStream().write(frame(HEADERS, END_STREAM | END_HEADERS, stream, GET));
				readUntil(socket, "short");
				LockSupport.parkNanos(IDLE.dividedBy(4).toNanos());
			}
		}
	}

	@Test
	void aHeadInPiecesIsReadWhileTheTimeLasts() throws IOException {
		try (Socket socket = open()) {
			ByteArrayOutputStream all = new ByteArrayOutputStream();
			all.writeBytes(PREFACE);
			all.writeBytes(settings());
			all.writeBytes(frame(HEADERS, END_STREAM, 1, GET));
			all.writeBytes(frame(CONTINUATION, END_HEADERS, 1, new byte[0]));
			socket.setTcpNoDelay(true);
			for (byte next : all.toByteArray()) {
				socket.getOutputStream().write(next);
			}
			readUntil(socket, "short");
		}
	}

	@Test
	void aQuietStreamStaysOpen() throws IOException {
		try (Socket socket = open(PREFACE, settings(), frame(HEADERS, END_STREAM | END_HEADERS, 1, GET_STREAM))) {
			readUntil(socket, "late");
		}
	}

}
