package live.retwis.locks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import javax.net.ssl.KeyManagerFactory;
import live.retwis.locks.NodeState.Health;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.RedisStartException;
import live.retwis.locks.nodes.testing.TestAuthority;
import live.retwis.locks.nodes.testing.TestAuthority.Signed;
import live.retwis.locks.nodes.testing.TestPorts;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.TestAbortedException;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locks over nodes that are reached with TLS.
 */
@Timeout(60)
class TlsNodesTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private static final LockOptions AT_ONCE = LockOptions.of(Duration.ofSeconds(10), Duration.ZERO);

	/** On a busy machine the first handshake takes longer than a vote. */
	private static final Duration NODE_TIMEOUT = Duration.ofSeconds(1);

	private static TestAuthority authority;

	private static TestAuthority stranger;

	private static Signed node;

	private static final Map<Integer, RedisProcess> SERVERS = new LinkedHashMap<>();

	private final List<RedLock> opened = new ArrayList<>();

	@BeforeAll
	static void start(@TempDir Path directory) throws IOException {
		authority = TestAuthority.create(Files.createDirectory(directory.resolve("ours")));
		stranger = TestAuthority.create(Files.createDirectory(directory.resolve("theirs")));
		node = authority.sign("node", "ip:127.0.0.1");
		for (int i = 0; i < 3; i++) {
			serve(node, false);
		}
	}

	/**
	 * Starts a server.
	 * @return its port for TLS
	 */
	private static int serve(Signed certificate, boolean asksClients) {
		int port = TestPorts.next();
		try {
			SERVERS.put(port, RedisProcess.start(RedisProcessOptions.DEFAULT.withPort(TestPorts.next())
				.with(certificate.directives(port, asksClients))));
		}
		catch (RedisStartException ex) {
			throw new TestAbortedException("This machine's redis-server was built without TLS", ex);
		}
		return port;
	}

	@AfterEach
	void closeLocks() {
		this.opened.forEach((locks) -> locks.close().block(BOUND));
	}

	@AfterAll
	static void stop() {
		SERVERS.values().forEach(RedisProcess::close);
	}

	/** The addresses of the first servers, with the given one as the last. */
	private static List<String> nodesWith(String last) {
		List<String> uris = new ArrayList<>(
				SERVERS.keySet().stream().limit(2).map((port) -> "rediss://127.0.0.1:" + port).toList());
		uris.add(last);
		return uris;
	}

	private static String third() {
		return "rediss://127.0.0.1:" + SERVERS.keySet().stream().skip(2).findFirst().orElseThrow();
	}

	private static NodeTls tls(TestAuthority trusted, @Nullable KeyManagerFactory keys) {
		return new NodeTls(trusted.trust(), keys, List.of(), List.of());
	}

	private RedLock open(List<String> uris, Engine engine, NodeTls tls) {
		RedLock locks = RedLock.open(new LockSettings(uris, NODE_TIMEOUT, engine, tls), FenceRegister.NONE,
				LockListener.NONE);
		this.opened.add(locks);
		return locks;
	}

	private static void awaitState(RedLock locks, int number, Health health, String reason) {
		TestNodes.await().untilAsserted(() -> {
			NodeState state = locks.nodes().get(number);
			assertThat(state.health()).as(state.toString()).isEqualTo(health);
			assertThat(state.reason()).contains(reason);
		});
	}

	private static void othersVote(RedLock locks) {
		awaitState(locks, 0, Health.UP, "");
		awaitState(locks, 1, Health.UP, "");
		locksTwice(locks);
	}

	private static void locksTwice(RedLock locks) {
		for (int i = 0; i < 2; i++) {
			StepVerifier.create(locks.withLock("name", AT_ONCE, (lease) -> Mono.just(lease.outcomes().values())))
				.assertNext((outcomes) -> assertThat(outcomes).contains(NodeOutcome.ACQUIRED))
				.expectComplete()
				.verify(BOUND);
		}
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void nodesWithATrustedCertificateVote(Engine engine) {
		RedLock locks = open(nodesWith(third()), engine, tls(authority, null));
		TestNodes.awaitAllUp(locks);
		locksTwice(locks);
	}

	@Test
	void nodesWithAnUntrustedCertificateAreReported() {
		for (NodeTls tls : List.of(tls(stranger, null), NodeTls.OF_JVM)) {
			RedLock locks = open(nodesWith(third()), Engine.REDISSON, tls);
			for (int number = 0; number < 3; number++) {
				awaitState(locks, number, Health.NOT_REACHED,
						"is not trusted: unable to find valid certification path");
			}
			StepVerifier.create(locks.tryAcquire("name", AT_ONCE)).expectError(NoQuorum.class).verify(BOUND);
		}
	}

	@Test
	void aFailedConnectionIsReportedByTheStateAndNotInTheLog() {
		try (ConnectionNoise noise = new ConnectionNoise()) {
			RedLock locks = open(nodesWith(third()), Engine.REDISSON, tls(stranger, null));
			for (int number = 0; number < 3; number++) {
				awaitState(locks, number, Health.NOT_REACHED, "is not trusted");
			}
			assertThat(noise.events()).isEmpty();
		}
	}

	@Test
	void aNodeWithTheCertificateOfAnotherHostIsReportedAndTheOthersVote() {
		int other = serve(authority.sign("other", "dns:other.example"), false);
		RedLock locks = open(nodesWith("rediss://127.0.0.1:" + other), Engine.PARALLEL, tls(authority, null));
		awaitState(locks, 2, Health.NOT_REACHED, "is not trusted: No subject alternative names");
		othersVote(locks);
	}

	@Test
	@Tag("slow")
	void aNodeThatWantsACertificateVotesForClientsThatHaveOne() {
		int strict = serve(node, true);
		List<String> uris = nodesWith("rediss://127.0.0.1:" + strict);
		RedLock with = open(uris, Engine.REDISSON, tls(authority, authority.sign("client", "dns:client").keys()));
		TestNodes.awaitAllUp(with);
		locksTwice(with);
		RedLock without = open(uris, Engine.REDISSON, tls(authority, null));
		awaitState(without, 2, Health.NOT_REACHED, "refuses TLS: Received fatal alert: certificate_required");
	}

	@Test
	void aPortWithoutTlsIsReported() {
		int plain = SERVERS.values().iterator().next().port();
		RedLock locks = open(nodesWith("rediss://127.0.0.1:" + plain), Engine.REDISSON, tls(authority, null));
		// Redis waits for the end of what it takes for a command, or answers in plain
		// text.
		awaitState(locks, 2, Health.NOT_REACHED, "does not ");
		othersVote(locks);
	}

	@Test
	void onlyAllowedVersionsOfTlsAreUsed() {
		int old = TestPorts.next();
		List<String> directives = new ArrayList<>(List.of(node.directives(old, false)));
		directives.add("tls-protocols TLSv1.2");
		SERVERS.put(old, RedisProcess
			.start(RedisProcessOptions.DEFAULT.withPort(TestPorts.next()).with(directives.toArray(String[]::new))));
		NodeTls newest = new NodeTls(authority.trust(), null, List.of("TLSv1.3"), List.of());
		RedLock locks = open(nodesWith("rediss://127.0.0.1:" + old), Engine.PARALLEL, newest);
		awaitState(locks, 2, Health.NOT_REACHED, "refuses TLS: ");
		othersVote(locks);
	}

}
