package live.retwis.locks.nodes.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(60)
@ExtendWith(RedisExtension.class)
class RedisExtensionTests {

	private static final List<Integer> OWN_PORTS = new ArrayList<>();

	@AfterAll
	static void ownServersAreGoneAfterTheirTests() {
		assertThat(OWN_PORTS).isNotEmpty()
			.allSatisfy((port) -> assertThatExceptionOfType(IOException.class)
				.isThrownBy(() -> new Socket("127.0.0.1", port).close()));
	}

	@RepeatedTest(2)
	void theSharedServerIsOneAndEmptyBeforeEachTest(TestRedis redis) {
		assertThat(redis).isSameAs(RedisExtension.shared());
		InlineProtocol.expect(":0", redis.host(), redis.port(), "DBSIZE");
		InlineProtocol.expect("+OK", redis.host(), redis.port(), "SET key value");
	}

	@Test
	void theSharedServerCannotBeDisturbed(TestRedis redis) {
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(redis::kill)
			.withMessageContaining("@OwnRedis");
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(redis::pause);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(redis::close);
	}

	@Test
	void aTestMayKillAndRestartItsOwnServers(@OwnRedis TestRedis first, @OwnRedis TestRedis second, TestRedis shared) {
		OWN_PORTS.addAll(List.of(first.port(), second.port()));
		assertThat(List.of(first.port(), second.port(), shared.port())).doesNotHaveDuplicates();
		first.kill();
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(first::flushAll);
		second.flushAll();
		first.restart();
		first.flushAll();
	}

	@Test
	void aPausedServerGoesOnWithItsData(@OwnRedis TestRedis redis) {
		OWN_PORTS.add(redis.port());
		InlineProtocol.expect("+OK", redis.host(), redis.port(), "SET key value");
		redis.pause();
		redis.resume();
		InlineProtocol.expect(":1", redis.host(), redis.port(), "DBSIZE");
	}

	@Test
	void aServerRemembersOverARestartWhenToldTo(@OwnRedis({ "appendonly yes", "appendfsync always" }) TestRedis redis) {
		InlineProtocol.expect("+OK", redis.host(), redis.port(), "SET key value");
		redis.restart();
		InlineProtocol.expect(":1", redis.host(), redis.port(), "DBSIZE");
	}

	@Test
	void aServerFollowsAnother(@OwnRedis TestRedis master, @OwnRedis TestRedis replica) {
		OWN_PORTS.addAll(List.of(master.port(), replica.port()));
		InlineProtocol.expect("+OK", master.host(), master.port(), "SET key value");
		replica.follow(master);
		Awaitility.await()
			.ignoreExceptionsInstanceOf(IllegalStateException.class)
			.untilAsserted(() -> InlineProtocol.expect(":1", replica.host(), replica.port(), "DBSIZE"));
	}

}
