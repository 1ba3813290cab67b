package live.retwis.doctor;

import java.util.Objects;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Data in a Redis of its own, which tests break and {@code --fix} repairs. */
@Timeout(60)
@ExtendWith(RedisExtension.class)
abstract class RepairScene {

	final TestRedis redis;

	private final RedisClient client;

	final StatefulRedisConnection<String, String> connection;

	final BrokenStore broken;

	RepairScene(TestRedis redis) {
		this.redis = redis;
		this.client = RedisClient.create(redis.uri());
		this.connection = this.client.connect();
		this.broken = new BrokenStore(this.connection.sync(), System.currentTimeMillis());
		this.broken.beginLog();
	}

	@AfterEach
	void close() {
		this.client.shutdown();
	}

	static String remedy(ExaminedSite store, String key) {
		return store.look(key).get(0).remedy();
	}

	static void assertComesTooLate(Finding finding) {
		assertThatExceptionOfType(Repairs.NotRepairedException.class)
			.isThrownBy(() -> Objects.requireNonNull(finding.repair()).get().block())
			.withMessage("it has changed meanwhile");
	}

}
