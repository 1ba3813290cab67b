package live.retwis.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * HTTP/2 clients that are too slow, at a small server. Its stream is quiet for longer
 * than the limits.
 */
@Timeout(30)
@SuppressWarnings("NullAway.Init")
class Http2TimeoutsTests {

	private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	private static final int HEADERS = 1;

	private static final int SETTINGS = 4;

	private static final int PING = 6;

	private static final int CONTINUATION = 9;

	private static final int END_STREAM = 1;

	private static final int END_HEADERS = 4;

	/** GET, http, and the path that is / . */
	private static final byte[] GET = { (byte) 0x82, (byte) 0x86, (byte) 0x84, 1, 1, 'x' };

	/** The same with the path /stream. */
	private static final byte[] GET_STREAM = { (byte) 0x82, (byte) 0x86, 4, 7, '/', 's', 't', 'r', 'e', 'a', 'm', 1, 1,
			'x' };

	private static final Duration HEAD = Duration.ofMillis(400);

	private static final Duration IDLE = Duration.ofMillis(1200);

	/** A few times the longest limit, for a busy machine. */
	private static final Duration SOON = Duration.ofSeconds(4);

	/**
	 * The time between two pieces. It is so long that the codec does not refuse too many
	 * small pieces by itself.
	 */
	private static final Duration PAUSE = Duration.ofMillis(300);

	private static final ChannelGroup OPEN = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

	private static DisposableServer server;

	@BeforeAll
	static void start() {
		ConnectionProperties limits = new ConnectionProperties(200, 0, 500, HEAD, HEAD, IDLE, HEAD);
		server = HttpServer.create()
			.host("127.0.0.1")
			.port(0)
			.protocol(HttpProtocol.H2C, HttpProtocol.HTTP11)
			.channelGroup(OPEN)
			.doOnChannelInit(
					(observer, channel, remote) -> ConnectionTimeouts.watch(channel, limits, Duration.ofMinutes(1)))
			.handle((request,
					response) -> request.uri().equals("/stream") ? response.sse()
						.sendByteArray(Flux.interval(IDLE.multipliedBy(2))
							.map((i) -> "late".getBytes(StandardCharsets.US_ASCII))
							.take(1))
						.then() : response.sendString(Mono.just("short")).then())
			.bindNow();
	}

	@AfterAll
	static void stop() {
		server.disposeNow();
	}

	/** Connects, and waits until the server has accepted this connection. */
	private static Socket open(byte[]... sent) throws IOException {
		Awaitility.await().atMost(SOON).until(OPEN::isEmpty);
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
		socket.setSoTimeout((int) SOON.toMillis());
		Awaitility.await().atMost(SOON).pollInterval(Duration.ofMillis(5)).until(() -> !OPEN.isEmpty());
		for (byte[] bytes : sent) {
			socket.getOutputStream().write(bytes);
		}
		return socket;
	}

	private static byte[] frame(int type, int flags, int stream, byte[] payload) {
		return ByteBuffer.allocate(9 + payload.length)
			.putInt(payload.length << 8 | type)
			.put((byte) flags)
			.putInt(stream)
			.put(payload)
			.array();
	}

	private static byte[] settings() {
		return frame(SETTINGS, 0, 0, new byte[0]);
	}

	/** Sends this again and again until the server has closed the connection. */
	private static void awaitCloseWhileSending(Socket socket, byte[] bytes) {
		Awaitility.await().atMost(SOON).pollInterval(PAUSE).until(() -> {
			try {
				socket.getOutputStream().write(bytes);
			}
			catch (IOException closed) {
				// The server may need a moment to forget the connection.
			}
			return OPEN.isEmpty();
		});
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
			awaitCloseWhileSending(socket, new byte[] { (byte) 0x82 });
		}
	}

	/** Each frame is whole, and the head never ends. */
	@Test
	void aHeadInFramesThatNeverEndsIsCutOff() throws IOException {
		try (Socket socket = open(PREFACE, settings(), frame(HEADERS, END_STREAM, 1, GET))) {
			awaitCloseWhileSending(socket, frame(CONTINUATION, 0, 1, new byte[0]));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 3, 20 })
	void aPrefaceThatNeverEndsIsCutOff(int sent) throws IOException {
		try (Socket socket = open(ByteBuffer.allocate(sent).put(PREFACE, 0, sent).array())) {
			assertThat(socket.getInputStream().readAllBytes()).isEmpty();
		}
		Awaitility.await().atMost(SOON).until(OPEN::isEmpty);
	}

	@Test
	void aConnectionWithoutARequestIsClosedAlthoughItPings() throws IOException {
		try (Socket socket = open(PREFACE, settings())) {
			awaitCloseWhileSending(socket, frame(PING, 0, 0, new byte[8]));
		}
	}

	/** The answer is complete, so the stream has only a client that may still send. */
	@Test
	void aConnectionWhoseAnsweredRequestDoesNotEndIsClosed() throws IOException {
		try (Socket socket = open(PREFACE, settings(), frame(HEADERS, END_HEADERS, 1, GET))) {
			readUntil(socket, "short");
			awaitCloseWhileSending(socket, frame(PING, 0, 0, new byte[8]));
		}
	}

	/** The requests are short, so nearly always none is at work. */
	@Test
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
