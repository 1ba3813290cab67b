package live.retwis.ops;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.RedisStartException;
import live.retwis.locks.nodes.testing.TestAuthority;
import live.retwis.locks.nodes.testing.TestAuthority.Signed;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.startup.StartupException;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * An instance that can reach its data node and its lock nodes only with TLS.
 */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class TlsTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final List<RedisProcess> SERVERS = new ArrayList<>();

	private static TestAuthority authority;

	private static TestAuthority stranger;

	private static Signed client;

	/**
	 * Ports of one data node and three lock nodes that ask for no certificate, then of
	 * four nodes that do.
	 */
	private static final List<Integer> PORTS = new ArrayList<>();

	@BeforeAll
	static void start(@TempDir Path directory) throws IOException {
		authority = TestAuthority.create(Files.createDirectory(directory.resolve("ours")));
		stranger = TestAuthority.create(Files.createDirectory(directory.resolve("theirs")));
		Signed node = authority.sign("node", "ip:127.0.0.1");
		client = authority.sign("client", "dns:client");
		try {
			for (int i = 0; i < 8; i++) {
				PORTS.add(TestPorts.next());
				SERVERS.add(RedisProcess.start(RedisProcessOptions.DEFAULT.withPort(TestPorts.next())
					.with(node.directives(PORTS.get(i), i >= 4))));
			}
		}
		catch (RedisStartException ex) {
			throw new TestAbortedException("This machine's redis-server was built without TLS", ex);
		}
	}

	@AfterAll
	static void stop() {
		SERVERS.forEach(RedisProcess::close);
	}

	private static List<String> bundle(String name, TestAuthority trusted) {
		return List.of("--spring.ssl.bundle.pem." + name + ".truststore.certificate=" + trusted.certificate().toUri());
	}

	private static List<String> keys(String name) {
		String store = "--spring.ssl.bundle.pem." + name + ".keystore.";
		return List.of(store + "certificate=" + client.certificate().toUri(),
				store + "private-key=" + client.key().toUri());
	}

	private static List<String> data(int port, String bundle) {
		return List.of("--spring.data.redis.host=127.0.0.1", "--spring.data.redis.port=" + port,
				"--spring.data.redis.ssl.enabled=true", "--spring.data.redis.ssl.bundle=" + bundle);
	}

	private static List<String> locks(int first, String bundle) {
		return List.of(
				"--retwis.locks.nodes=" + IntStream.range(first, first + 3)
					.mapToObj((i) -> "rediss://127.0.0.1:" + PORTS.get(i))
					.collect(Collectors.joining(",")),
				"--retwis.locks.ssl-bundle=" + bundle, "--retwis.locks.node-timeout=1s");
	}

	@SafeVarargs
	private static Site start(List<String>... settings) {
		return Site.startOn(List.of(), List.of(settings).stream().flatMap(List::stream).toArray(String[]::new));
	}

	private static void livesThrough(Site site) {
		Awaitility.await().atMost(SOON).until(() -> locks(site).get("quorum").asString().equals("held"));
		Visitor author = Visitor.registered(site);
		Visitor reader = Visitor.registered(site);
		reader.follow(author);
		try (EventStream stream = reader.open(reader.get("/home").live())) {
			author.post("encrypted");
			stream.awaitPost("encrypted");
		}
		reader.get("/home");
		assertThat(reader.submit("/logout").status()).isEqualTo(303);
		assertThat(reader.isSignedIn()).isFalse();
	}

	private static JsonNode locks(Site site) {
		return health(site).get("components").get("locks").get("details");
	}

	private static JsonNode health(Site site) {
		return Visitor.ofManagement(site).get("/actuator/health/readiness").json();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void theSiteWorksOverTlsAndSendsACertificateWhereOneIsWanted(boolean wanted) {
		int first = wanted ? 4 : 0;
		try (Site site = start(bundle("redis", authority), wanted ? keys("redis") : List.of(),
				data(PORTS.get(first), "redis"), locks(first + 1, "redis"))) {
			livesThrough(site);
			assertThat(health(site).get("status").asString()).isEqualTo("UP");
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void theDataNodeCanBeGivenAsATlsAddress() {
		try (Site site = start(bundle("redis", authority), List
			.of("--spring.data.redis.url=rediss://127.0.0.1:" + PORTS.get(0), "--spring.data.redis.ssl.bundle=redis"),
				locks(1, "redis"))) {
			livesThrough(site);
		}
	}

	@Test
	@Tag("slow")
	void untrustedLockNodesAreReportedAndRegisteringWaits() {
		try (Site site = start(bundle("redis", authority), bundle("wrong", stranger), data(PORTS.get(0), "redis"),
				locks(1, "wrong"))) {
			assertThat(locks(site).get("quorum").asString()).isEqualTo("lost");
			assertThat(locks(site).get("nodes").toString()).contains("not reached: is not trusted: unable to find");
			Visitor visitor = Visitor.of(site);
			visitor.get("/register");
			assertThat(visitor.register(Visitor.freshName(), Visitor.PASSWORD).status()).isEqualTo(503);
			assertThat(visitor.get("/timeline").status()).isEqualTo(200);
		}
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@CsvSource({ "wrong, unable to find valid certification path", "'', unable to find valid certification path",
			"redis, certificate_required" })
	void anUntrustedCertificateOnEitherSideIsReported(String bundle, String reason, CapturedOutput output) {
		int port = bundle.equals("redis") ? PORTS.get(4) : PORTS.get(0);
		try (Site site = start(bundle("redis", authority), bundle("wrong", stranger),
				data(port, bundle).subList(0, bundle.isEmpty() ? 3 : 4), locks(1, "redis"))) {
			assertThat(Visitor.of(site).get("/timeline").status()).isEqualTo(503);
			assertThat(output.getAll()).containsPattern("The data node does not answer: .*" + reason);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aDataNodeWithoutTlsIsReported(CapturedOutput output) {
		try (Site site = start(bundle("redis", authority), data(SERVERS.get(0).port(), "redis"), locks(1, "redis"))) {
			assertThat(Visitor.of(site).get("/timeline").status()).isEqualTo(503);
			assertThat(output.getAll()).contains("The data node does not answer: ");
		}
	}

	@Test
	void aMissingOrUnusedBundleIsAnErrorThatNamesTheSetting() {
		assertThat(problem(data(PORTS.get(0), "redis"), locks(1, "other"), bundle("redis", authority)))
			.isEqualTo("retwis.locks.ssl-bundle is other, but there is no such bundle.");
		String plain = "--retwis.locks.nodes=redis://127.0.0.1:1,redis://127.0.0.1:2,redis://127.0.0.1:3";
		assertThat(problem(data(PORTS.get(0), "redis"), List.of(plain, "--retwis.locks.ssl-bundle=redis"),
				bundle("redis", authority)))
			.isEqualTo("retwis.locks.ssl-bundle is set, but no address in retwis.locks.nodes begins with rediss://.");
	}

	@SafeVarargs
	private static String problem(List<String>... settings) {
		Throwable cause = catchThrowable(() -> start(settings).close());
		while (cause != null && !(cause instanceof StartupException)) {
			cause = cause.getCause();
		}
		assertThat(cause).as("the start fails with an explanation").isNotNull();
		return String.valueOf(cause.getMessage());
	}

}
