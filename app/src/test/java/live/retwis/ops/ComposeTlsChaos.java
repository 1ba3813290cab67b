package live.retwis.ops;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.Map;

import javax.net.ssl.SSLContext;
import live.retwis.locks.nodes.testing.TestAuthority;
import live.retwis.locks.nodes.testing.TestAuthority.Signed;
import live.retwis.locks.nodes.testing.TestPorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The site in containers, behind a proxy with TLS.
 */
@Timeout(300)
class ComposeTlsChaos {

	@Test
	void pagesAndStreamsUseHttp2AndCookiesAreSecure(@TempDir Path directory) throws Exception {
		ComposeSite.assumeDocker();
		TestAuthority authority = TestAuthority.create(directory);
		Signed certificate = authority.sign("site", "ip:127.0.0.1");
		Path tls = Files.createDirectory(directory.resolve("tls"));
		Files.copy(certificate.certificate(), tls.resolve("fullchain.pem"));
		Files.copy(certificate.key(), tls.resolve("privkey.pem"));
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
		int port = TestPorts.next();
		try (ComposeSite site = ComposeSite.up(1,
				Map.of("TLS_DIR", tls.toString(), "HTTPS_PORT", Integer.toString(port)),
				"app/src/ops/compose/tls.yml")) {
			String origin = "https://127.0.0.1:" + port;
			HttpClient client = HttpClient.newBuilder().sslContext(trusting(authority)).build();
			HttpResponse<String> page = get(client, origin + "/login");
			assertThat(page.statusCode()).isEqualTo(200);
			assertThat(page.version()).isEqualTo(HttpClient.Version.HTTP_2);
			assertThat(page.headers().allValues("Set-Cookie")).isNotEmpty()
				.allMatch((cookie) -> cookie.contains("Secure"));
			assertThat(page.headers().firstValue("Strict-Transport-Security")).isPresent();
			HttpResponse<String> plain = get(client, site.origin() + "/login?next=%2Fhome");
			assertThat(plain.statusCode()).isEqualTo(308);
			assertThat(plain.headers().firstValue("Location")).hasValue(origin + "/login?next=%2Fhome");
			HttpResponse<InputStream> stream = client.send(
					HttpRequest.newBuilder(URI.create(origin + "/live/public")).build(), BodyHandlers.ofInputStream());
			try (InputStream events = stream.body()) {
				assertThat(stream.version()).isEqualTo(HttpClient.Version.HTTP_2);
				assertThat(new String(events.readNBytes(6), StandardCharsets.UTF_8)).isEqualTo("retry:");
			}
		}
	}

	private static HttpResponse<String> get(HttpClient client, String address)
			throws IOException, InterruptedException {
		return client.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString());
	}

	private static SSLContext trusting(TestAuthority authority) throws GeneralSecurityException {
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, authority.trust().getTrustManagers(), null);
		return context;
	}

}
