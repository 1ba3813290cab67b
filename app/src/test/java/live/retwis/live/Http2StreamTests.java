package live.retwis.live;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;
import live.retwis.locks.nodes.testing.TestAuthority;
import live.retwis.locks.nodes.testing.TestAuthority.Signed;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Streams over HTTP/2, as browsers open them when the server itself uses TLS. Many
 * streams share a connection.
 */
class Http2StreamTests {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	/** Streams that are opened at once. Afterwards the same number is opened again. */
	private static final int STREAMS = 40;

	/** Type of the frame with which a server sends a part of a body. */
	private static final int DATA = 0;

	/** Type of the frame with which a server resets a stream. */
	private static final int RESET = 3;

	/** Bytes that a server may send on a stream before the reader allows more. */
	private static final int WINDOW = 65_535;

	@TempDir
	@SuppressWarnings("NullAway.Init")
	private Path directory;

	@Test
	@Tag("slow")
	@Tag("long")
	void streamsThatHaveEndedLeaveNothingBehind() throws Exception {
		TestAuthority authority = TestAuthority.create(this.directory);
		Signed server = authority.sign("server", "ip:127.0.0.1");
		try (Site site = Site.another("--server.http2.enabled=true", "--server.ssl.bundle=site",
				"--spring.ssl.bundle.pem.site.keystore.certificate=" + server.certificate().toUri(),
				"--spring.ssl.bundle.pem.site.keystore.private-key=" + server.key().toUri())) {
			HttpClient client = client(authority);
			StreamRegistry registry = site.bean(StreamRegistry.class);
			openAndClose(client, site, registry);
			int before = registry.loops();
			openAndClose(client, site, registry);
			assertThat(before).as("threads with streams").isLessThanOrEqualTo(1);
			assertThat(registry.loops()).isEqualTo(before);
		}
	}

	/**
	 * The replay is longer than the HTTP/2 window of a stream, and the reader does not
	 * enlarge the window.
	 */
	@Test
	@Tag("slow")
	@Tag("long")
	void anEndedStreamThatNobodyReadsIsReset() throws IOException {
		try (Site site = Site.another("--server.http2.enabled=true");
				Socket socket = new Socket("127.0.0.1", site.port())) {
			Visitor alice = Visitor.registered(site);
			String address = alice.get("/@" + alice.name()).live().replaceFirst("&since=.*", "");
			IntStream.range(0, 60).forEach((i) -> alice.post(i + "é".repeat(270)));
			StreamRegistry registry = site.bean(StreamRegistry.class);
			socket.setSoTimeout((int) LIMIT.plusSeconds(10).toMillis());
			ask(socket, address);
			DataInputStream frames = new DataInputStream(socket.getInputStream());
			int read = 0;
			while (read < WINDOW) {
				Frame frame = Frame.read(frames);
				read += (frame.type() == DATA) ? frame.length() : 0;
			}
			assertThat(streams(registry)).isEqualTo(1);
			assertThat(registry.endOneOf(1).block(LIMIT)).isZero();
			int type = Frame.read(frames).type();
			while (type != RESET) {
				type = Frame.read(frames).type();
			}
		}
	}

	/** Sends everything that an HTTP/2 client has to send. */
	private static void ask(Socket socket, String address) throws IOException {
		byte[] path = address.getBytes(StandardCharsets.US_ASCII);
		ByteBuffer request = ByteBuffer.allocate(200);
		request.put("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
		// Empty settings. Then the headers, which end the request of the first stream.
		request.putInt(4).put((byte) 0).putInt(0);
		request.putInt((path.length + 7) << 8 | 1).put((byte) 5).putInt(1);
		// The headers: GET, http, the path, and x as the authority.
		request.put(new byte[] { (byte) 0x82, (byte) 0x86, 4, (byte) path.length }).put(path);
		request.put(new byte[] { 1, 1, 'x' });
		socket.getOutputStream().write(request.array(), 0, request.position());
	}

	private static HttpClient client(TestAuthority authority) throws GeneralSecurityException {
		SSLContext tls = SSLContext.getInstance("TLS");
		tls.init(null, authority.trust().getTrustManagers(), null);
		return HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).sslContext(tls).build();
	}

	private static void openAndClose(HttpClient client, Site site, StreamRegistry registry)
			throws IOException, InterruptedException {
		URI address = URI.create("https://127.0.0.1:" + site.port() + "/live/public");
		List<Stream<String>> open = new ArrayList<>();
		for (int i = 0; i < STREAMS; i++) {
			HttpResponse<Stream<String>> answer = client.send(HttpRequest.newBuilder(address).timeout(LIMIT).build(),
					BodyHandlers.ofLines());
			assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
			open.add(answer.body());
		}
		Awaitility.await().atMost(LIMIT).until(() -> streams(registry) == STREAMS);
		open.forEach(Stream::close);
		Awaitility.await().atMost(LIMIT).until(() -> streams(registry) == 0);
	}

	private static int streams(StreamRegistry registry) {
		return registry.streams().blockOptional(LIMIT).orElseThrow();
	}

	private record Frame(int type, int length) {

		static Frame read(DataInputStream frames) throws IOException {
			int head = frames.readInt();
			int length = head >>> 8;
			frames.readNBytes(5 + length);
			return new Frame(head & 0xff, length);
		}

	}

}
