package live.retwis.web;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import live.retwis.ApplicationLauncher;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** A form that cannot be read is answered, and nobody can fill the log with it. */
@Timeout(60)
class FormReaderTests {

	private static final String PARTS = "multipart/form-data; boundary=a";

	private static final String FORM = "application/x-www-form-urlencoded";

	private final List<Logger> logs = Stream.of(ApplicationLauncher.class, ErrorLogFilter.class)
		.map((type) -> (Logger) LoggerFactory.getLogger(type))
		.toList();

	private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

	private final Visitor stranger = Visitor.of(Site.shared());

	@BeforeEach
	void listen() {
		this.logs.forEach((log) -> log.addAppender(this.logged));
		this.logged.start();
	}

	@AfterEach
	void stop() {
		this.logs.forEach((log) -> log.detachAppender(this.logged));
	}

	private void assertRefused(String type, String body, Integer... statuses) {
		this.stranger.get("/login");
		for (String path : List.of("/login", "/posts", "/settings/profile")) {
			Answer answer = this.stranger.send("POST", path, BodyPublishers.ofString(body), "Content-Type", type);
			assertThat(answer.status()).as(path).isIn((Object[]) statuses);
		}
		assertThat(this.logged.list).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', textBlock = """
			multipart/form-data,                --a
			multipart/form-data; boundary=,     --a
			multipart/form-data; boundary=",    --a
			multipart/form-data; boundary=a,    --a
			multipart/form-data; boundary=b,    --a
			multipart/form-data; boundary=a,    x
			multipart/form-data; boundary=a,    ``
			multipart/form-data; boundary=a,    --aNname
			multipart/form-data; boundary=a,    `--aNContent-Disposition: form-data; name="_csrf"NNx`
			application/x-www-form-urlencoded,  %zz=%
			""")
	void aMalformedFormIsAClientErrorAndNothingIsLogged(String type, String body) {
		assertRefused(type, body.replace("N", "\r\n") + (body.startsWith("--") ? "\r\n" : ""), 400, 403);
	}

	@Test
	void aFormWithLongOrManyPartsIsRefusedAndNothingIsLogged() {
		String part = "--a\r\nContent-Disposition: form-data; name=\"_csrf\"\r\n\r\n%s\r\n";
		assertRefused(PARTS, String.format(part, "x".repeat(20_000)) + "--a--\r\n", 413);
		assertRefused(PARTS, String.format(part, "x").repeat(20) + "--a--\r\n", 400);
		assertRefused(PARTS, String.format(part, "x".repeat(15_000)).repeat(5) + "--a--\r\n", 413);
		assertRefused(PARTS, "--a\r\nX: " + "x".repeat(200_000) + "\r\n\r\nx\r\n--a--\r\n", 400, 413);
	}

	@Test
	void aFormThatIsTooLargeIsRefusedAndNothingIsLogged() {
		assertRefused(FORM, "body=" + "x".repeat(100_000), 413);
		assertRefused(FORM, "body=" + "x".repeat(600_000), 413);
	}

	/** Each byte in a chunk of its own. */
	@Test
	void aFormThatComesByteByByteIsReadLikeAnyOther() throws IOException {
		try (Socket socket = new Socket("127.0.0.1", Site.shared().port())) {
			String form = "1\r\na\r\n".repeat(20_000) + "1\r\n=\r\n0\r\n\r\n";
			socket.getOutputStream()
				.write("POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n%s"
					.formatted(FORM, form)
					.getBytes(StandardCharsets.US_ASCII));
			assertThat(new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
				.readLine()).as("no token").isEqualTo("HTTP/1.1 403 Forbidden");
		}
	}

	/** The page that answers would have each of them again. */
	@Test
	void aFormWithMoreFieldsThanAnyFormHasIsRefusedAndNotSentBack() {
		Answer answer = Visitor.of(Site.shared())
			.sending("Origin", Site.shared().url(""))
			.send("POST", "/login", BodyPublishers.ofString("a=&".repeat(20_000)), "Content-Type", FORM);
		assertThat(answer.body()).hasSizeLessThan(10_000);
		assertThat(answer.status()).isEqualTo(400);
		assertRefused(FORM, "a=&".repeat(20_000), 400);
	}

	/** Reading them would keep the event loops busy. Small forms are read meanwhile. */
	@Test
	void ofManyLargeFormsOnlyAFewAreReadAtOnce() throws IOException {
		List<Socket> slow = new ArrayList<>();
		try {
			String file = "--a\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\n%s\r\n--a--\r\n";
			Awaitility.await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
				slow.add(openLargeForm());
				assertRefused(PARTS, String.format(file, "x".repeat(600_000)), 413);
			});
			assertThat(slow).hasSizeLessThan(20);
			assertRefused(PARTS, String.format(file, "x".repeat(10_000)), 403);
		}
		finally {
			for (Socket socket : slow) {
				socket.close();
			}
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.untilAsserted(() -> assertRefused(PARTS, "--a\r\nContent-Disposition: form-data; name=\"f\"; "
					+ "filename=\"f\"\r\n\r\n" + "x".repeat(600_000) + "\r\n--a--\r\n", 403));
	}

	private static Socket openLargeForm() throws IOException {
		Socket socket = new Socket("127.0.0.1", Site.shared().port());
		socket.getOutputStream()
			.write("POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: 1000000\r\n\r\n--a"
				.formatted(PARTS)
				.getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	@Test
	void aFormThatBreaksOffIsNotLogged() throws IOException {
		try (Socket socket = new Socket("127.0.0.1", Site.shared().port())) {
			socket.getOutputStream()
				.write("POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: 100\r\n\r\nusername=x"
					.formatted(FORM)
					.getBytes(StandardCharsets.US_ASCII));
		}
		Awaitility.await().during(Duration.ofSeconds(1)).atMost(Duration.ofSeconds(5)).until(this.logged.list::isEmpty);
	}

}
