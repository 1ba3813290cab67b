package live.retwis.locking;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.startup.StartupException;
import live.retwis.testing.LockServers;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The checks of the lock nodes when an instance starts.
 */
@Timeout(60)
@ExtendWith(RedisExtension.class)
class LockStartTests {

	private static final String NODES = "--retwis.locks.nodes=";

	private static String problem(ThrowingCallable start) {
		Throwable cause = catchThrowable(start);
		while (cause != null && !(cause instanceof StartupException)) {
			cause = cause.getCause();
		}
		assertThat(cause).as("the start fails with an explanation").isNotNull();
		return String.valueOf(cause.getMessage());
	}

	private static String problemOf(String nodes) {
		return problem(() -> Site.another(NODES + nodes).close());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			redis://127.0.0.1:1 | 1 lock node
			redis://127.0.0.1:1,redis://127.0.0.1:2 | 2 lock nodes
			redis://127.0.0.1:1,redis://127.0.0.1:2,redis://127.0.0.1:3,redis://127.0.0.1:4 | 4 lock nodes
			redis://127.0.0.1:1,redis://127.0.0.1:2,127.0.0.1:3 | node number 3 is not an address
			redis://127.0.0.1:1,http://127.0.0.1:2,redis://127.0.0.1:3 | node number 2 is not an address
			redis://127.0.0.1:1,redis://127.0.0.1:2,redis://127.0.0.1:1 | 127.0.0.1:1 is there twice
			'' | is not set""")
	void anInvalidListOfNodesStopsTheStartAndTheErrorNamesTheSettingAndTheNode(String nodes, String told) {
		assertThat(problemOf(nodes)).contains("retwis.locks.nodes", told);
	}

	@Test
	@Tag("slow")
	void anErrorNeverShowsAPassword() {
		assertThat(problemOf("redis://:hunter2@127.0.0.1:1,redis://:hunter2@127.0.0.1:1,redis://127.0.0.1:3"))
			.contains("127.0.0.1:1 is there twice")
			.doesNotContain("hunter2");
	}

	@Test
	void oneServerUnderTwoNamesStopsTheStart() {
		try (LockServers locks = new LockServers(2)) {
			String first = locks.node(0).uri();
			String nodes = first + "," + first.replace("127.0.0.1", "localhost") + "," + locks.node(1).uri();
			assertThat(problemOf(nodes)).contains("retwis.locks.nodes", "localhost:" + locks.node(0).port());
		}
	}

	@Test
	@Tag("slow")
	void aReplicaOrANodeThatEvictsKeysStopsTheStart() {
		try (LockServers locks = new LockServers(2);
				RedisProcess replica = RedisProcess.start(RedisProcessOptions.DEFAULT
					.with("maxmemory-policy noeviction", "replicaof 127.0.0.1 " + locks.node(0).port()));
				RedisProcess evicts = RedisProcess
					.start(RedisProcessOptions.DEFAULT.with("maxmemory-policy allkeys-lru"))) {
			String two = locks.node(0).uri() + "," + locks.node(1).uri() + ",";
			assertThat(problemOf(two + replica.uri())).contains("retwis.locks.nodes",
					"127.0.0.1:" + replica.port() + " ");
			assertThat(problemOf(two + evicts.uri())).contains("retwis.locks.nodes", "127.0.0.1:" + evicts.port() + " ",
					"maxmemory-policy");
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void anInstanceWithOtherNodesOrAnotherLeaseDoesNotStart(@OwnRedis TestRedis redis) {
		try (LockServers locks = new LockServers(3);
				LockServers others = new LockServers(3);
				Site first = Site.start(redis, locks.setting())) {
			assertThat(Visitor.registered(first).isSignedIn()).isTrue();
			assertThat(problem(() -> Site.start(redis, others.setting()).close())).contains("retwis.locks.nodes",
					":" + others.node(0).port(), ":" + locks.node(0).port());
			assertThat(problem(() -> Site.start(redis, locks.setting(), "--retwis.locks.lease=5s").close()))
				.contains("retwis.locks.lease", "PT5S", "PT10S");
			String reversed = NODES
					+ String.join(",", List.of(locks.node(2).uri(), locks.node(1).uri(), locks.node(0).uri()));
			try (Site second = Site.start(redis, reversed, "--retwis.locks.engine=parallel")) {
				assertThat(Visitor.registered(second).isSignedIn()).isTrue();
			}
		}
	}

	/** For example a data node that was restarted without its data. */
	@Test
	@Tag("slow")
	void theLockNodesAreStoredAgainWhenTheDataNodeIsEmpty(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor.registered(site);
			String noted = site.redis().get(Keys.LOCK_SET);
			site.redis().flushall();
			Awaitility.await().atMost(Duration.ofSeconds(20)).ignoreExceptions().untilAsserted(() -> {
				Visitor.registered(site);
				assertThat(site.redis().get(Keys.LOCK_SET)).isEqualTo(noted);
			});
		}
	}

	/** The comparison has read the data that were there before. */
	@Test
	void aComparisonThatBeganBeforeTheDataNodeChangedIsRepeated(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			SameLockNodesCheck check = site.bean(SameLockNodesCheck.class);
			check.reset();
			CompletableFuture<Void> before;
			try (Interception held = way.at(SentCommand.named("GET").and(SentCommand.with(Keys.LOCK_SET)))
				.holdReply()) {
				before = check.check().toFuture();
				held.awaitMet();
				check.reset();
			}
			before.orTimeout(20, TimeUnit.SECONDS).join();
			site.redis().set(Keys.LOCK_SET, "others");
			assertThatExceptionOfType(SameLockNodesCheck.LockSetMismatchException.class)
				.isThrownBy(() -> check.check().block());
		}
	}

	/** It was flushed between the two commands of the comparison. */
	@Test
	void aDataNodeThatLosesTheStoredNodesDuringAComparisonIsAskedAgain(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			SameLockNodesCheck check = site.bean(SameLockNodesCheck.class);
			check.reset();
			CompletableFuture<Void> asked;
			try (Interception held = way.at(SentCommand.named("GET").and(SentCommand.with(Keys.LOCK_SET)))
				.holdCommand()) {
				asked = check.check().toFuture();
				held.awaitMet();
				site.redis().del(Keys.LOCK_SET);
			}
			asked.orTimeout(20, TimeUnit.SECONDS).join();
			assertThat(site.redis().get(Keys.LOCK_SET)).isNotNull();
		}
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@ValueSource(strings = { "redisson", "parallel" })
	void startsWithOneNodeThatRefusesAndOneThatNeverAnswersAndFindsThemAgain(String engine, @OwnRedis TestRedis redis)
			throws IOException {
		try (LockServers locks = new LockServers(4);
				ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
			locks.node(3).kill();
			String nodes = NODES
					+ String.join(",", List.of(locks.node(3).uri(), "redis://127.0.0.1:" + silent.getLocalPort(),
							locks.node(0).uri(), locks.node(1).uri(), locks.node(2).uri()));
			try (Site site = Site.start(redis, nodes, "--retwis.locks.engine=" + engine)) {
				assertThat(Visitor.registered(site).isSignedIn()).isTrue();
				assertThat(states(site)).containsEntry("127.0.0.1:" + locks.node(0).port(), "up");
				assertThat(states(site).get("127.0.0.1:" + locks.node(3).port())).startsWith("not reached");
				assertThat(states(site).get("127.0.0.1:" + silent.getLocalPort())).startsWith("not reached");
				locks.node(3).restart();
				Awaitility.await()
					.atMost(Duration.ofSeconds(20))
					.untilAsserted(
							() -> assertThat(states(site)).containsEntry("127.0.0.1:" + locks.node(3).port(), "up"));
			}
		}
	}

	@Test
	@Tag("slow")
	void withoutAQuorumTheInstanceStaysReadyAndItsHealthSaysSo(@OwnRedis TestRedis redis) {
		try (LockServers locks = new LockServers(3); Site site = Site.start(redis, locks.setting())) {
			assertThat(health(site).get("quorum").asString()).isEqualTo("held");
			locks.killMajority();
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.untilAsserted(() -> assertThat(health(site).get("quorum").asString()).isEqualTo("lost"));
			assertThat(Visitor.ofManagement(site).get("/actuator/health/readiness").status()).isEqualTo(200);
			String metrics = Visitor.ofManagement(site).get("/actuator/prometheus").body();
			assertThat(metrics).contains("retwis_locks_node_up{node=\"127.0.0.1:" + locks.node(0).port() + "\"} 0.0",
					"retwis_locks_node_up{node=\"127.0.0.1:" + locks.node(2).port() + "\"} 1.0");
		}
	}

	@Test
	void metricsCountTheLockOperations() {
		Site site = Site.shared();
		Visitor.registered(site);
		String metrics = Visitor.ofManagement(site).get("/actuator/prometheus").body();
		assertThat(metrics)
			.containsPattern("retwis_locks_attempts_seconds_count\\{[^}]*result=\"acquired\"[^}]*\\} [1-9]")
			.containsPattern("retwis_locks_votes_total\\{[^}]*outcome=\"acquired\"[^}]*\\} [1-9]")
			.containsPattern("retwis_locks_releases_seconds_count[^ ]* [1-9]");
	}

	private static JsonNode health(Site site) {
		return Visitor.ofManagement(site)
			.get("/actuator/health/readiness")
			.json()
			.get("components")
			.get("locks")
			.get("details");
	}

	@SuppressWarnings("unchecked")
	private static Map<String, String> states(Site site) {
		LocksHealthIndicator indicator = site.bean(LocksHealthIndicator.class);
		return (Map<String, String>) Objects.requireNonNull(indicator.health().getDetails().get("nodes"));
	}

}
