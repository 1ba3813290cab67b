package live.retwis.ops;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import live.retwis.testing.Nginx;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What one address can take of nginx with the configuration that we ship. This machine
 * has many loopback addresses, so there are several clients.
 */
@Timeout(60)
class NginxLimitTests {

	private static final int MOST = 200;

	private static final int UPLOADS = 4;

	private static final Duration LIMIT = Duration.ofSeconds(10);

	private static final String CLIENT = "127.0.0.2";

	private static Socket send(Nginx nginx, String from, String request) throws IOException {
		Socket socket = new Socket();
		socket.bind(new InetSocketAddress(from, 0));
		socket.connect(new InetSocketAddress("127.0.0.1", URI.create(nginx.url("/")).getPort()));
		socket.setSoTimeout((int) LIMIT.toMillis());
		socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	private static String get(Nginx nginx, String from, String path) throws IOException {
		try (Socket socket = send(nginx, from, "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")) {
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void anAddressHasTwoHundredConnectionsWithARequestAndOthersAreServed(boolean ipv6) throws IOException {
		Nginx.assumeInstalled();
		String instance = "127.0.0.1:" + Site.shared().port();
		List<Socket> open = new ArrayList<>();
		try (Nginx nginx = ipv6 ? Nginx.shippedForIpv6(instance, instance) : Nginx.shipped(instance, instance)) {
			for (int i = 0; i < MOST; i++) {
				open.add(send(nginx, CLIENT, "POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"));
			}
			Awaitility.await().atMost(LIMIT).until(() -> get(nginx, CLIENT, "/timeline").startsWith("HTTP/1.1 429 "));
			assertThat(get(nginx, CLIENT, "/live/public")).startsWith("HTTP/1.1 200 ")
				.contains("text/event-stream")
				.containsPattern("\r\n\r\nretry: [0-9]+\n\n$");
			assertThat(get(nginx, "127.0.0.3", "/timeline")).startsWith("HTTP/1.1 200 ");
			open.get(0).close();
			Awaitility.await().atMost(LIMIT).until(() -> get(nginx, CLIENT, "/timeline").startsWith("HTTP/1.1 200 "));
		}
		finally {
			for (Socket socket : open) {
				socket.close();
			}
		}
	}

	@Test
	void noClientCanMakeAnInstanceLookBroken() throws IOException {
		Nginx.assumeInstalled();
		Site site = Site.shared();
		Visitor user = Visitor.registered(site);
		String longQuery = "/@" + user.name().toUpperCase(Locale.ROOT) + "?" + "a".repeat(3600);
		String manyCookies = "POST /login HTTP/1.1\r\nHost: a.a.a." + "a".repeat(240) + ".com\r\n"
				+ "Sec-Fetch-Site: same-origin\r\nCookie: auth=1; auth=2; XSRF-TOKEN=1; XSRF-TOKEN=2\r\n"
				+ "Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\nContent-Length: 3\r\n\r\na=b";
		String instance = "127.0.0.1:" + site.port();
		try (Nginx nginx = Nginx.shipped(instance, instance)) {
			for (int i = 0; i < 20; i++) {
				assertThat(get(nginx, CLIENT, longQuery)).startsWith("HTTP/1.1 301 ")
					.contains("/@" + user.name() + "\r\n");
				try (Socket socket = send(nginx, CLIENT, manyCookies)) {
					String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
					assertThat(answer).startsWith("HTTP/1.1 403 ").contains("XSRF-TOKEN=;");
					assertThat(answer.indexOf("\r\n\r\n")).as("size of the head").isBetween(1, 7 * 1024);
				}
				assertThat(get(nginx, CLIENT, "/posts/" + "&".repeat(3500) + "/report")).startsWith("HTTP/1.1 303 ")
					.contains("/login\r\n");
				assertThat(get(nginx, CLIENT, "/posts/..%2Flive%2F" + "&".repeat(1200) + "/report"))
					.startsWith("HTTP/1.1 404 ");
				assertThat(get(nginx, "127.0.0.3", "/timeline")).startsWith("HTTP/1.1 200 ");
			}
		}
	}

	@Test
	void aFormWithAPictureGetsThePageForWhenNoInstanceAnswers() throws IOException {
		Nginx.assumeInstalled();
		String form = "POST /settings/profile HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 100000\r\n\r\n"
				+ "x".repeat(100_000);
		try (Nginx nginx = Nginx.shipped("127.0.0.1:1", "127.0.0.1:1"); Socket socket = send(nginx, CLIENT, form)) {
			assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
				.startsWith("HTTP/1.1 503 ")
				.contains("Retry-After: 5\r\n");
		}
	}

	@Test
	void oneAddressUploadsFewFilesAtATime() throws IOException {
		Nginx.assumeInstalled();
		String instance = "127.0.0.1:" + Site.shared().port();
		String form = "POST /settings/profile HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nx";
		List<Socket> open = new ArrayList<>();
		try (Nginx nginx = Nginx.shipped(instance, instance)) {
			for (int i = 0; i < UPLOADS; i++) {
				open.add(send(nginx, CLIENT, form));
			}
			Awaitility.await().atMost(LIMIT).until(() -> post(nginx, CLIENT, form).startsWith("HTTP/1.1 429 "));
			assertThat(get(nginx, CLIENT, "/timeline")).startsWith("HTTP/1.1 200 ");
		}
		finally {
			for (Socket socket : open) {
				socket.close();
			}
		}
	}

	/** The first bytes of the answer, which comes before the form is whole. */
	private static String post(Nginx nginx, String from, String form) throws IOException {
		try (Socket socket = send(nginx, from, form)) {
			socket.setSoTimeout(500);
			return new String(socket.getInputStream().readNBytes(16), StandardCharsets.UTF_8);
		}
		catch (SocketTimeoutException ex) {
			return "";
		}
	}

}
