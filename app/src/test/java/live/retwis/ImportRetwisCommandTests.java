package live.retwis;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.LockServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the command of the jar in this process. */
@Timeout(60)
@ExtendWith(RedisExtension.class)
class ImportRetwisCommandTests {

	private final StringWriter out = new StringWriter();

	private final StringWriter err = new StringWriter();

	private int run(String... arguments) {
		return RetwisLive.commandLine()
			.setOut(new PrintWriter(this.out))
			.setErr(new PrintWriter(this.err))
			.execute(arguments);
	}

	private int runInto(TestRedis target, String from) {
		return run("import-retwis", "--from=" + from, "--retwis.embedded=false",
				"--spring.data.redis.host=" + target.host(), "--spring.data.redis.port=" + target.port(),
				LockServers.shared().setting());
	}

	@Test
	void reportsWhatItHasImportedOrWhyItCannot(@OwnRedis TestRedis source, @OwnRedis TestRedis target) {
		assertThat(runInto(target, source.uri())).isOne();
		assertThat(this.err.toString()).startsWith("There is no data of Retwis");
		try (RedisClient client = RedisClient.create(source.uri())) {
			RedisCommands<String, String> redis = client.connect().sync();
			redis.set("next_user_id", "1");
			redis.hset("user:1", Map.of("username", "alice", "password", "pw"));
		}
		assertThat(runInto(target, source.uri())).isZero();
		assertThat(this.out.toString()).contains("Users: 1 are here now, 0 skipped\n");
	}

	@Test
	void helpExplainsTheCommand() {
		assertThat(run("import-retwis", "--help")).isZero();
		assertThat(this.out.toString()).contains("--from=ADDRESS", "redis://[:password@]host:port/db", "run it again");
	}

	@Test
	void theAddressIsRequired() {
		assertThat(run("import-retwis")).isEqualTo(2);
		assertThat(this.err.toString()).contains("--from=ADDRESS");
	}

}
