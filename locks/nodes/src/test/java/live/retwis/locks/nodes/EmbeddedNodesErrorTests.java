package live.retwis.locks.nodes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Errors that keep the nodes from starting, and their messages for the user at the
 * terminal.
 */
class EmbeddedNodesErrorTests extends NodesInDirectory {

	EmbeddedNodesErrorTests(@TempDir Path here) {
		super(here);
	}

	@Test
	void anotherRedisOnAPortIsAnErrorThatNamesThePort() {
		int port = this.ports.base + 3;
		try (RedisProcess foreign = RedisProcess.start(RedisProcessOptions.DEFAULT.withPort(port))) {
			assertThatExceptionOfType(RedisStartException.class).isThrownBy(this::join)
				.withMessageContaining("Port " + port + " is taken by another server (Redis ")
				.withMessageContaining("Free the port");
			assertThat(this.ports.pids()).isEmpty();
			assertThat(ProcessHandle.of(foreign.pid())).isPresent();
		}
	}

	@Test
	void aRedisThatWantsAPasswordCountsAsAnotherRedis() {
		int port = this.ports.base + 3;
		try (RedisProcess foreign = RedisProcess
			.start(RedisProcessOptions.DEFAULT.withPort(port).with("requirepass secret"))) {
			assertThatExceptionOfType(RedisStartException.class).isThrownBy(this::join)
				.withMessageContaining("Port " + port + " is taken by another server (NOAUTH")
				.withMessageNotContaining("channel");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "+PONG\r\n" })
	@Tag("slow")
	@Tag("long")
	void anotherKindOfServerIsAnErrorToo(String reply) throws Exception {
		int port = this.ports.base + 3;
		try (FakeServer foreign = new FakeServer(port, (command) -> reply)) {
			assertThatExceptionOfType(RedisStartException.class).isThrownBy(this::join)
				.withMessageContaining(
						"Port " + port + " is taken by another server (it does not answer as Redis does)");
		}
	}

	@Test
	void aServerThatEndsWhileItIsAskedLeavesItsPortToANode() throws Exception {
		int port = this.ports.base + 3;
		try (ServerSocket server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
			CompletableFuture<Void> ending = CompletableFuture.runAsync(() -> endWhenAsked(server));
			try (EmbeddedNodes nodes = join()) {
				assertThat(this.ports.pids()).hasSize(6);
			}
			assertThat(ending).isCompleted();
		}
	}

	/** Hangs up on who asks, and on who asks again before the port is free. */
	private static void endWhenAsked(ServerSocket server) {
		try (server) {
			for (int i = 0; i < 3; i++) {
				try (Socket asking = server.accept()) {
					asking.getInputStream().read();
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void aNodeThatCannotStartIsReportedWithItsLogAndTheOthersAreStopped() throws Exception {
		EmbeddedNodeSpec node = EmbeddedNodeSpec.from(this.ports.base).get(2);
		Path directory = Files.createDirectories(node.directory(this.here.resolve("data")));
		Files.writeString(directory.resolve("appendonly.aof"), "this is no append-only file\n");
		assertThatExceptionOfType(RedisStartException.class).isThrownBy(this::join)
			.withMessageContaining("port " + node.port() + " did not start")
			.withMessageContaining("Bad file format");
		// The server that reports the error may not have ended yet.
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.ports.pids().isEmpty());
	}

	/** It has no process id yet when the other one fails. */
	@Test
	void aNodeThatIsSlowToComeUpIsStoppedWhenAnotherCannotStart() throws Exception {
		List<EmbeddedNodeSpec> nodes = EmbeddedNodeSpec.from(this.ports.base);
		Path data = Files.createDirectories(this.here.resolve("data")).toRealPath();
		Path broken = Files.createDirectories(nodes.get(2).directory(data));
		Files.writeString(broken.resolve("appendonly.aof"), "this is no append-only file\n");
		RedisBinary redis = RedisBinary.find();
		Path slow = Files.writeString(this.here.resolve("redis-server"), """
				#!/bin/sh
				if [ "$1" = %s ]; then
				  (sleep 2; exec %s "$1") >/dev/null 2>&1 &
				else
				  exec %2$s "$1"
				fi
				""".formatted(nodes.get(5).configName(), redis.path()));
		assertThat(slow.toFile().setExecutable(true)).isTrue();
		try (ServerIdentityProbe client = new ServerIdentityProbe()) {
			EmbeddedNodeProcesses processes = new EmbeddedNodeProcesses(nodes, client);
			assertThatExceptionOfType(RedisStartException.class)
				.isThrownBy(() -> processes.startMissing(data, () -> new RedisBinary(slow, redis.version())))
				.withMessageContaining("port " + nodes.get(2).port() + " did not start");
			assertThat(this.ports.pids()).hasSize(5);
			processes.stop(data);
			assertThat(this.ports.pids()).isEmpty();
		}
	}

	@Test
	void nodesWhoseDataWasRemovedAreAnErrorThatNamesTheProcess() throws Exception {
		try (EmbeddedNodes nodes = join()) {
			long pid = this.ports.pids().get(0);
			Path config = this.here
				.resolve("data/data-" + nodes.dataPort() + "/retwis-embedded-" + nodes.dataPort() + ".conf");
			Files.delete(config);
			assertThatExceptionOfType(RedisStartException.class).isThrownBy(this::join)
				.withMessageContaining("process " + pid)
				.withMessageContaining("was removed");
		}
	}

	@Test
	void anErrorAboutALongHeldMutexNamesItsHolder() {
		Path cache = UserTempDirectory.directory();
		try (StartMutex held = StartMutex.take(cache, this.ports.base, Duration.ofSeconds(1))) {
			CompletableFuture<Void> other = CompletableFuture
				.runAsync(() -> StartMutex.take(cache, this.ports.base, Duration.ofMillis(100)));
			assertThat(other).failsWithin(Duration.ofSeconds(5))
				.withThrowableThat()
				.withMessageContaining("process " + ProcessHandle.current().pid());
		}
	}

}
