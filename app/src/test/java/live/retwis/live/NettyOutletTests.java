package live.retwis.live;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The bytes on the connection: written below the HTTP codec for HTTP/1, and through the
 * web framework for HTTP/2.
 */
class NettyOutletTests {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	private final Site site = Site.shared();

	private final Visitor alice = Visitor.registered(this.site);

	@Test
	void anHttp11ConnectionCarriesChunksThenTheEndAndThenTheNextAnswer() throws IOException {
		try (Socket socket = connect("GET /live/home HTTP/1.1\r\nHost: x\r\nCookie: " + this.alice.cookieHeader())) {
			InputStream in = socket.getInputStream();
			assertThat(head(in)).contains("200 OK").containsIgnoringCase("transfer-encoding: chunked");
			assertThat(chunk(in)).startsWith("retry: ").contains("event: position");
			String post = this.alice.post("é".repeat(100));
			assertThat(chunk(in)).contains("event: post", "post-" + post, "é".repeat(100)).endsWith("\n\n");
			this.alice.submit("/logout");
			assertThat(chunk(in)).isEmpty();
			request(socket, "GET /timeline HTTP/1.1\r\nHost: x");
			assertThat(head(in)).contains("200 OK").containsIgnoringCase("content-type: text/html");
		}
	}

	@Test
	void anAnswerToHttp10IsNotChunkedAndEndsWithTheConnection() throws IOException {
		try (Socket socket = connect("GET /live/home HTTP/1.0\r\nHost: x\r\nCookie: " + this.alice.cookieHeader())) {
			InputStream in = socket.getInputStream();
			assertThat(head(in)).contains("200 OK").doesNotContainIgnoringCase("transfer-encoding");
			String post = this.alice.post("once");
			this.alice.submit("/logout");
			String body = new String(in.readAllBytes(), StandardCharsets.UTF_8);
			assertThat(body).matches("(?s)retry: \\d{3,4}\nid: .*")
				.contains("event: post", "post-" + post)
				.endsWith("\n\n");
		}
	}

	@Test
	void aConnectionThatWillBeClosedStaysOpenUntilTheStreamEnds() throws IOException {
		try (Socket socket = connect(
				"GET /live/home HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: " + this.alice.cookieHeader())) {
			InputStream in = socket.getInputStream();
			assertThat(head(in)).containsIgnoringCase("connection: close");
			assertThat(chunk(in)).contains("event: position");
			String post = this.alice.post("still open");
			assertThat(chunk(in)).contains("post-" + post);
			this.alice.submit("/logout");
			assertThat(chunk(in)).isEmpty();
			assertThat(in.read()).as("closed").isEqualTo(-1);
		}
	}

	/**
	 * The answer to the second request would be written into the middle of the stream.
	 */
	@Test
	void aSecondRequestDuringAStreamClosesTheConnection() throws IOException {
		try (Socket socket = connect("GET /live/public HTTP/1.1\r\nHost: x")) {
			InputStream in = socket.getInputStream();
			head(in);
			assertThat(chunk(in)).contains("event: position");
			request(socket, "GET /timeline HTTP/1.1\r\nHost: x");
			assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).doesNotContain("HTTP/1.1");
		}
	}

	@Test
	void aLongReplayArrivesCompleteAndInOrder() {
		String position;
		try (EventStream stream = this.alice.open("/live/home")) {
			position = stream.await((event) -> true).id();
		}
		List<String> posts = IntStream.range(0, 60).mapToObj((i) -> this.alice.post(i + "é".repeat(270))).toList();
		try (EventStream stream = this.alice.open("/live/home", "Last-Event-ID", position)) {
			stream.awaitPost(posts.get(posts.size() - 1));
			assertThat(EventStreams.postIds(stream.events())).isEqualTo(posts);
		}
	}

	/** A chunk without bytes would end the answer. */
	@Test
	@Tag("slow")
	@Tag("long")
	void aReplayLargerThanTheChannelsBufferDoesNotEndTheStream() throws IOException {
		String position;
		try (EventStream stream = this.alice.open("/live/home")) {
			position = stream.await((event) -> true).id();
		}
		List<String> posts = IntStream.range(0, 150).mapToObj((i) -> this.alice.post(i + "é".repeat(270))).toList();
		try (Socket socket = connect("GET /live/home HTTP/1.1\r\nHost: x\r\nLast-Event-ID: " + position + "\r\nCookie: "
				+ this.alice.cookieHeader())) {
			InputStream in = socket.getInputStream();
			head(in);
			awaitChunk(in, "post-" + posts.get(posts.size() - 1));
			awaitChunk(in, "post-" + this.alice.post("goes on"));
		}
	}

	private static void awaitChunk(InputStream in, String text) throws IOException {
		String chunk = chunk(in);
		while (!chunk.contains(text)) {
			assertThat(chunk).as("no end").isNotEmpty();
			chunk = chunk(in);
		}
	}

	@Test
	void http2CarriesTheSameEvents() throws IOException, InterruptedException {
		try (Site http2 = Site.another("--server.http2.enabled=true")) {
			HttpResponse<Stream<String>> answer = HttpClient.newBuilder()
				.version(HttpClient.Version.HTTP_2)
				.connectTimeout(LIMIT)
				.build()
				.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http2.port() + "/live/home"))
					.header("Cookie", this.alice.cookieHeader())
					.build(), BodyHandlers.ofLines());
			assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
			Iterator<String> lines = answer.body().iterator();
			assertThat(lines.next()).startsWith("retry: ");
			assertThat(lines.next()).startsWith("id: ");
			assertThat(lines.next()).isEqualTo("event: position");
			String post = this.alice.post("for all");
			assertThat(next(lines, "data: <article")).contains("post-" + post);
			this.alice.submit("/logout");
			assertThat(lines).as("the end").toIterable().allMatch((line) -> !line.startsWith("event: post"));
		}
	}

	private static String next(Iterator<String> lines, String start) {
		String line = lines.next();
		while (!line.startsWith(start)) {
			line = lines.next();
		}
		return line;
	}

	private Socket connect(String request) throws IOException {
		Socket socket = new Socket();
		socket.setSoTimeout((int) LIMIT.toMillis());
		socket.connect(new InetSocketAddress("127.0.0.1", this.site.port()));
		request(socket, request);
		return socket;
	}

	private static void request(Socket socket, String request) throws IOException {
		OutputStream out = socket.getOutputStream();
		out.write((request + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
	}

	private static String head(InputStream in) throws IOException {
		StringBuilder head = new StringBuilder();
		for (String line = line(in); !line.isEmpty(); line = line(in)) {
			head.append(line).append('\n');
		}
		return head.toString();
	}

	private static String chunk(InputStream in) throws IOException {
		byte[] content = in.readNBytes(Integer.parseInt(line(in), 16));
		assertThat(line(in)).as("a chunk ends where its length says").isEmpty();
		return new String(content, StandardCharsets.UTF_8);
	}

	private static String line(InputStream in) throws IOException {
		StringBuilder line = new StringBuilder();
		for (int character = in.read(); character != '\n' && character != -1; character = in.read()) {
			line.append((char) character);
		}
		return line.toString().stripTrailing();
	}

}
