package live.retwis.locks.nodes;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(60)
class RedisProcessTests {

	@Test
	void servesOnAFreePortAndIsRemovedWithItsDirectoryAfterClosing() throws Exception {
		RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT);
		try (redis) {
			assertThat(redis.uri()).isEqualTo("redis://127.0.0.1:" + redis.port());
			assertThat(Ask.line(redis.port(), "PING")).contains("PONG");
			assertThat(redis.directory()).isDirectory();
		}
		assertThat(ProcessProbe.isGone(redis.pid())).isTrue();
		assertThat(redis.directory()).doesNotExist();
		redis.close();
	}

	@Test
	void oneThatCannotBeClosedLeavesNoOtherRunningWhenTheProgramEnds() {
		AutoCloseable stubborn = () -> {
			throw new IOException("made by a test");
		};
		try (RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT)) {
			assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> RedisProcess.closeAll(List.of(stubborn, redis)))
				.withRootCauseInstanceOf(IOException.class);
			assertThat(redis.isAlive()).isFalse();
		}
	}

	@Test
	void answersNothingWhilePausedAndContinuesAfterwards() throws Exception {
		try (RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT)) {
			redis.pause();
			assertThatExceptionOfType(SocketTimeoutException.class)
				.isThrownBy(() -> Ask.within(200, redis.port(), "PING"));
			redis.resume();
			assertThat(Ask.line(redis.port(), "PING")).contains("PONG");
		}
	}

	@Test
	void aPausedServerCanBeKilledAndRestartedOnItsPort() throws Exception {
		try (RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT)) {
			int port = redis.port();
			long pid = redis.pid();
			redis.pause();
			redis.kill();
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> Ask.line(port, "PING"));
			redis.restart();
			assertThat(redis.port()).isEqualTo(port);
			assertThat(redis.pid()).isNotEqualTo(pid);
			assertThat(Ask.line(port, "PING")).contains("PONG");
		}
	}

	@Test
	void keepsItsDataInAGivenDirectoryWhenADirectiveSaysSo(@TempDir Path directory) throws Exception {
		RedisProcessOptions options = RedisProcessOptions.DEFAULT.withDirectory(directory.resolve("a b"))
			.with("appendonly yes", "appendfsync always");
		try (RedisProcess redis = RedisProcess.start(options)) {
			Ask.line(redis.port(), "SET key value");
			redis.restart();
			assertThat(Ask.line(redis.port(), "GET key")).contains("value");
		}
		try (RedisProcess redis = RedisProcess.start(options)) {
			assertThat(Ask.line(redis.port(), "GET key")).contains("value");
		}
	}

	@Test
	void keepsNoDataByDefault() throws Exception {
		try (RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT)) {
			Ask.line(redis.port(), "SET key value");
			redis.restart();
			assertThat(Ask.line(redis.port(), "DBSIZE")).startsWith(":0");
		}
	}

	@Test
	void canAskForAPassword() throws Exception {
		try (RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT.with("requirepass secret"))) {
			assertThat(redis.uri()).isEqualTo("redis://:secret@127.0.0.1:" + redis.port());
			assertThat(Ask.line(redis.port(), "PING")).startsWith("-NOAUTH");
		}
	}

	@Test
	void aServerThatDoesNotStartIsReportedWithItsLog() {
		assertThatExceptionOfType(RedisStartException.class)
			.isThrownBy(() -> RedisProcess.start(RedisProcessOptions.DEFAULT.with("no-such-directive 1")))
			.withMessageContaining("ended; its log ends:")
			.withMessageContaining("no-such-directive");
	}

	@Test
	void aTakenPortIsAnErrorAndItsServerKeepsRunning() throws Exception {
		try (RedisProcess first = RedisProcess.start(RedisProcessOptions.DEFAULT)) {
			assertThatExceptionOfType(RedisStartException.class)
				.isThrownBy(() -> RedisProcess.start(RedisProcessOptions.DEFAULT.withPort(first.port())))
				.withMessageContaining("Address already in use");
			assertThat(Ask.line(first.port(), "PING")).contains("PONG");
		}
	}

	@Test
	void runsAsASentinelWhenADirectiveSaysSo() {
		try (RedisProcess data = RedisProcess.start(RedisProcessOptions.DEFAULT);
				RedisProcess sentinel = RedisProcess
					.start(RedisProcessOptions.DEFAULT.with("sentinel monitor data 127.0.0.1 " + data.port() + " 1"));
				ServerIdentityProbe client = new ServerIdentityProbe()) {
			assertThat(client.info(sentinel.port())).isInstanceOfSatisfying(ServerIdentityProbe.Reply.Info.class,
					(info) -> assertThat(info.fields()).containsEntry("redis_mode", "sentinel"));
		}
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void runsWithTheEnvironmentItWasGiven() throws Exception {
		RedisProcessOptions options = RedisProcessOptions.DEFAULT.withEnvironment("LD_PRELOAD", "/no/such/shim.so");
		try (RedisProcess redis = RedisProcess.start(options)) {
			assertThat(redis.directory().resolve("redis.log")).content().contains("/no/such/shim.so");
		}
	}

}
