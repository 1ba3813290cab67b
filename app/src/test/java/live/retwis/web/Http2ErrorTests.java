package live.retwis.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import live.retwis.testing.Site;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import static live.retwis.web.Http2Frames.END_HEADERS;
import static live.retwis.web.Http2Frames.END_STREAM;
import static live.retwis.web.Http2Frames.HEADERS;
import static live.retwis.web.Http2Frames.PREFACE;
import static live.retwis.web.Http2Frames.SETTINGS;
import static live.retwis.web.Http2Frames.frame;
import static org.assertj.core.api.Assertions.assertThat;

/** A client that breaks the rules of HTTP/2 cannot fill the log. */
@Timeout(60)
@SuppressWarnings("NullAway.Init")
class Http2ErrorTests {

	private static final int DATA = 0;

	private static final int RESET = 3;

	private static final int WINDOW_UPDATE = 8;

	/** Indexes of the static table of HPACK (RFC 7541, appendix A). */
	private static final int AUTHORITY = 1;

	private static final int PATH = 4;

	private static final int CONTENT_LENGTH = 28;

	private static final int CONTENT_TYPE = 31;

	private static Site site;

	private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

	private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

	@BeforeAll
	static void start() {
		site = Site.another("--server.http2.enabled=true");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	@BeforeEach
	void listen() {
		this.root.addAppender(this.logged);
		this.logged.start();
	}

	@AfterEach
	void detach() {
		this.root.detachAppender(this.logged);
	}

	/** A request head; the names are indexes. */
	private static byte[] head(int method, Object... fields) {
		ByteArrayOutputStream head = new ByteArrayOutputStream();
		head.write(0x80 | method);
		head.write(0x86); // the scheme http
		for (int i = 0; i < fields.length; i += 2) {
			int name = (int) fields[i];
			head.write(Math.min(name, 15));
			if (name >= 15) {
				head.write(name - 15);
			}
			byte[] value = fields[i + 1].toString().getBytes(StandardCharsets.US_ASCII);
			head.write(value.length);
			head.writeBytes(value);
		}
		return head.toByteArray();
	}

	/** Sends frames, and reads until the server resets the stream or answers it. */
	private static void send(byte[]... frames) throws IOException {
		try (Socket socket = new Socket("127.0.0.1", site.port())) {
			socket.getOutputStream().write(PREFACE);
			socket.getOutputStream().write(frame(SETTINGS, 0, 0));
			for (byte[] frame : frames) {
				socket.getOutputStream().write(frame);
			}
			InputStream in = socket.getInputStream();
			int type;
			do {
				ByteBuffer header = ByteBuffer.wrap(in.readNBytes(9));
				type = header.getInt(0) & 0xff;
				in.skipNBytes(header.getInt(0) >>> 8);
			}
			while (type != RESET && type != HEADERS);
		}
	}

	private void assertNothingIsLogged() {
		Awaitility.await()
			.during(Duration.ofMillis(500))
			.atMost(Duration.ofSeconds(5))
			.untilAsserted(() -> assertThat(this.logged.list)
				.noneMatch((line) -> line.getLevel().isGreaterOrEqual(Level.WARN)));
	}

	@Test
	void aFormThatIsShorterThanItSaysIsNoErrorOfTheProgram() throws IOException {
		byte[] head = head(3, AUTHORITY, "localhost", PATH, "/login", CONTENT_TYPE, "application/x-www-form-urlencoded",
				CONTENT_LENGTH, "5");
		for (int i = 0; i < 5; i++) {
			send(frame(HEADERS, END_HEADERS, 1, head), frame(DATA, END_STREAM, 1, (byte) 'a'));
		}
		assertNothingIsLogged();
	}

	@Test
	void aWindowThatGrowsByNothingIsNoErrorOfTheProgram() throws IOException {
		byte[] head = head(2, AUTHORITY, "localhost", PATH, "/timeline");
		for (int i = 0; i < 5; i++) {
			send(frame(HEADERS, END_STREAM | END_HEADERS, 1, head), frame(WINDOW_UPDATE, 0, 1, new byte[4]));
		}
		assertNothingIsLogged();
	}

}
