package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Locks over five servers. If a Docker engine answers, each server is in its own
 * container, and the engine pauses and kills it.
 */
@Timeout(120)
@ExtendWith(RedisExtension.class)
class LocksOnServersTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final LockOptions OPTIONS = LockOptions.of(Duration.ofSeconds(10), Duration.ofSeconds(5));

	private static final LockOptions AT_ONCE = LockOptions.of(Duration.ofSeconds(10), Duration.ZERO);

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@EnumSource(Engine.class)
	void goOnWhileAnyTwoAreAwayAndAreRefusedWithoutAThird(Engine engine, @OwnRedis("appendonly yes") TestRedis first,
			@OwnRedis("appendonly yes") TestRedis second, @OwnRedis("appendonly yes") TestRedis third,
			@OwnRedis("appendonly yes") TestRedis fourth, @OwnRedis("appendonly yes") TestRedis fifth) {
		List<String> nodes = Stream.of(first, second, third, fourth, fifth).map(TestRedis::uri).toList();
		RedLock locks = RedLock.open(new LockSettings(nodes, TestNodes.NODE_TIMEOUT, engine), FenceRegister.NONE,
				LockListener.NONE);
		try {
			TestNodes.awaitAllUp(locks);
			assertHad(locks);
			first.pause();
			second.kill();
			assertHad(locks);
			third.kill();
			TestNodes.await()
				.untilAsserted(() -> assertThatExceptionOfType(NoQuorum.class)
					.isThrownBy(() -> locks.tryAcquire("name", AT_ONCE).block(BOUND)));
			first.resume();
			third.restart();
			second.restart();
			TestNodes.awaitAllUp(locks);
			assertHad(locks);
		}
		finally {
			locks.close().block(BOUND);
		}
	}

	private static void assertHad(RedLock locks) {
		assertThat(locks.withLock("name", OPTIONS, (lease) -> lease.extend().thenReturn("had")).block(BOUND))
			.isEqualTo("had");
	}

}
