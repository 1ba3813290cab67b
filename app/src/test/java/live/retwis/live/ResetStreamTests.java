package live.retwis.live;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Readers who go as soon as they have asked for a stream, often before its answer has
 * begun.
 */
@Tag("slow")
@ExtendWith(RedisExtension.class)
class ResetStreamTests {

	private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
		.getBytes(StandardCharsets.US_ASCII);

	private static final Duration SOON = Duration.ofSeconds(20);

	private final Random random = new Random(1);

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	/** In a Redis of its own: an address has one allowance for all instances. */
	@BeforeAll
	static void start(@OwnRedis TestRedis redis) {
		site = Site.start(redis, "--server.http2.enabled=true", "--retwis.lab.enabled=true",
				"--retwis.limits.enabled=true", "--retwis.limits.timeout=20s",
				"--retwis.limits.streams-by-address=100000", "--retwis.limits.streams-by-session=100000",
				"--retwis.limits.streams=1000000/1m", "--retwis.limits.connections-by-address=100000",
				"--retwis.live.heartbeat=1s");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	@ParameterizedTest
	@Tag("long")
	@ValueSource(strings = { "/live/public", "/live/lab" })
	void aStreamThatIsResetGivesItsPlaceBack(String path) throws Exception {
		for (int i = 0; i < 8; i++) {
			resetStreams(path, "");
		}
		awaitNoneOpen();
	}

	@ParameterizedTest
	@CsvSource({ "/live/public,HTTP/1.1", "/live/public,HTTP/1.0", "/live/lab,HTTP/1.1", "/live/lab,HTTP/1.0" })
	void aStreamWhoseConnectionBreaksGivesItsPlaceBack(String path, String version) throws Exception {
		for (int i = 0; i < 300; i++) {
			try (Socket socket = new Socket("127.0.0.1", site.port())) {
				// Closing breaks the connection then.
				socket.setSoLinger(true, 0);
				socket.getOutputStream()
					.write(("GET " + path + " " + version + "\r\nHost: 127.0.0.1:" + site.port() + "\r\n\r\n")
						.getBytes(StandardCharsets.US_ASCII));
				LockSupport.parkNanos(this.random.nextInt(3_000_000));
			}
		}
		awaitNoneOpen();
	}

	@Test
	void streamsOfOthersGoOnWhenSomebodyResetsStreamsAndLogsOut() throws Exception {
		Visitor resetting = Visitor.registered(site);
		HttpResponse<Stream<String>> others = HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_2)
			.build()
			.send(HttpRequest.newBuilder(URI.create(site.url("/live/public"))).build(),
					HttpResponse.BodyHandlers.ofLines());
		CompletableFuture<String> later = CompletableFuture.supplyAsync(
				() -> others.body().filter((line) -> line.contains("after the log-out")).findFirst().orElse("ended"));
		resetStreams("/live/notifications", "auth=" + resetting.cookie("auth"));
		resetting.submitFrom("/home", "/logout");
		Visitor.registered(site).post("after the log-out");
		assertThat(later).succeedsWithin(SOON).asString().isNotEqualTo("ended");
	}

	/** Opens a hundred streams on a connection of HTTP/2, and resets each of them. */
	private void resetStreams(String path, String cookie) throws IOException {
		try (Socket socket = new Socket("127.0.0.1", site.port())) {
			socket.setTcpNoDelay(true);
			CompletableFuture.runAsync(() -> readAll(socket));
			OutputStream out = socket.getOutputStream();
			out.write(PREFACE);
			for (int id = 1; id < 200; id += 2) {
				out.write(headers(id, path, cookie));
				LockSupport.parkNanos(this.random.nextInt(6_000_000));
				out.write(frame(3, 0, id, ByteBuffer.allocate(4).putInt(8).array()));
			}
		}
	}

	private static void awaitNoneOpen() {
		StreamLimit limit = site.bean(StreamLimit.class);
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(ReflectionTestUtils.getField(limit, "open")).hasToString("0"));
	}

	private static void readAll(Socket socket) {
		try {
			socket.getInputStream().transferTo(OutputStream.nullOutputStream());
		}
		catch (IOException ex) {
			// The test has closed it.
		}
	}

	/** A frame with the head of a GET over plain HTTP. */
	private static byte[] headers(int id, String path, String cookie) {
		ByteArrayOutputStream block = new ByteArrayOutputStream();
		// Indexed: the method GET and the scheme http.
		block.writeBytes(new byte[] { (byte) 0x82, (byte) 0x86 });
		literal(block, 4, path);
		literal(block, 1, "localhost");
		if (!cookie.isEmpty()) {
			literal(block, 32, cookie);
		}
		return frame(1, 5, id, block.toByteArray());
	}

	/** A field whose name is in the static table, without indexing. */
	private static void literal(ByteArrayOutputStream block, int name, String value) {
		block.writeBytes((name < 15) ? new byte[] { (byte) name } : new byte[] { 15, (byte) (name - 15) });
		block.write(value.length());
		block.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
	}

	private static byte[] frame(int type, int flags, int id, byte[] payload) {
		return ByteBuffer.allocate(9 + payload.length)
			.put(new byte[] { 0, (byte) (payload.length >> 8), (byte) payload.length, (byte) type, (byte) flags })
			.putInt(id)
			.put(payload)
			.array();
	}

}
