package live.retwis.locks.nodes.testing;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(60)
@ExtendWith(RedisExtension.class)
class RedisExtensionTests {

	/** A key that only the servers of these tests have. */
	private static final String MARK = "own:" + UUID.randomUUID();

	private static final List<Integer> OWN_PORTS = new ArrayList<>();

	/** Marks a server, which must be empty. */
	private static void own(TestRedis redis) {
		InlineProtocol.expect("+OK", redis.host(), redis.port(), "SET " + MARK + " value");
		OWN_PORTS.add(redis.port());
	}

	/** Another server may have one of their ports by now. */
	@AfterAll
	static void ownServersAreGoneAfterTheirTests() {
		assertThat(OWN_PORTS).isNotEmpty()
			.allSatisfy((port) -> assertThatException()
				.isThrownBy(() -> InlineProtocol.expect(":1", "127.0.0.1", port, "EXISTS " + MARK)));
	}

	@RepeatedTest(2)
	void thereIsOneSharedServerAndItIsEmptyBeforeEachTest(TestRedis redis) {
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
	void aTestCanKillAndRestartItsOwnServers(@OwnRedis TestRedis first, @OwnRedis TestRedis second, TestRedis shared) {
		assertThat(List.of(first.port(), second.port(), shared.port())).doesNotHaveDuplicates();
		first.kill();
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(first::flushAll);
		second.flushAll();
		first.restart();
		first.flushAll();
		own(first);
		own(second);
	}

	@Test
	void aPausedServerContinuesWithItsData(@OwnRedis TestRedis redis) {
		own(redis);
		redis.pause();
		redis.resume();
		InlineProtocol.expect(":1", redis.host(), redis.port(), "DBSIZE");
	}

	@Test
	void aServerKeepsItsDataOverARestartWhenADirectiveSaysSo(
			@OwnRedis({ "appendonly yes", "appendfsync always" }) TestRedis redis) {
		InlineProtocol.expect("+OK", redis.host(), redis.port(), "SET key value");
		redis.restart();
		InlineProtocol.expect(":1", redis.host(), redis.port(), "DBSIZE");
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aServerCanBecomeAReplica(@OwnRedis TestRedis master, @OwnRedis TestRedis replica) {
		own(master);
		OWN_PORTS.add(replica.port());
		replica.follow(master);
		Awaitility.await()
			.ignoreExceptionsInstanceOf(IllegalStateException.class)
			.untilAsserted(() -> InlineProtocol.expect(":1", replica.host(), replica.port(), "DBSIZE"));
	}

}
