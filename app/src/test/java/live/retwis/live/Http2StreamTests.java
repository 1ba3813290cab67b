package live.retwis.live;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;

import live.retwis.locks.testing.TestAuthority;
import live.retwis.locks.testing.TestAuthority.Signed;
import live.retwis.testing.Site;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Streams as browsers open them when a server speaks TLS itself: over HTTP/2, many on one
 * connection.
 */
class Http2StreamTests {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	/** At once; then as many again. */
	private static final int STREAMS = 40;

	@TempDir
	@SuppressWarnings("NullAway.Init")
	private Path directory;

	@Test
	void streamsThatCameAndWentLeaveNothingBehind() throws Exception {
		TestAuthority authority = TestAuthority.create(this.directory);
		Signed server = authority.sign("server", "ip:127.0.0.1");
		try (Site site = Site.another("--server.http2.enabled=true", "--server.ssl.bundle=site",
				"--spring.ssl.bundle.pem.site.keystore.certificate=" + server.certificate().toUri(),
				"--spring.ssl.bundle.pem.site.keystore.private-key=" + server.key().toUri())) {
			HttpClient client = client(authority);
			LiveFeed feed = site.bean(LiveFeed.class);
			openAndClose(client, site, feed);
			int before = feed.loops();
			openAndClose(client, site, feed);
			assertThat(before).as("threads with streams").isLessThanOrEqualTo(1);
			assertThat(feed.loops()).isEqualTo(before);
		}
	}

	private static HttpClient client(TestAuthority authority) throws GeneralSecurityException {
		SSLContext tls = SSLContext.getInstance("TLS");
		tls.init(null, authority.trust().getTrustManagers(), null);
		return HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).sslContext(tls).build();
	}

	private static void openAndClose(HttpClient client, Site site, LiveFeed feed)
			throws IOException, InterruptedException {
		URI address = URI.create("https://127.0.0.1:" + site.port() + "/live/public");
		List<Stream<String>> open = new ArrayList<>();
		for (int i = 0; i < STREAMS; i++) {
			HttpResponse<Stream<String>> answer = client.send(HttpRequest.newBuilder(address).timeout(LIMIT).build(),
					BodyHandlers.ofLines());
			assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
			open.add(answer.body());
		}
		Awaitility.await().atMost(LIMIT).until(() -> streams(feed) == STREAMS);
		open.forEach(Stream::close);
		Awaitility.await().atMost(LIMIT).until(() -> streams(feed) == 0);
	}

	private static int streams(LiveFeed feed) {
		return feed.streams().blockOptional(LIMIT).orElseThrow();
	}

}
