package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.bench.Figure;
import live.retwis.testing.ChildProcess;
import live.retwis.testing.LockServers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The import of a PHP Retwis in its layout of 2014, with {@code -Dbench.users} (100,000)
 * users who follow six others each, and ten posts by each user. How long does it take,
 * and how much memory? The JVM has 256 MB.
 */
class ImportBench {

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("import", "Import of a PHP Retwis", "ImportBench");

	private static final int FOLLOWS = 6;

	private static final int POSTS = 10;

	/** Commands that are sent before their answers are awaited. */
	private static final int BATCH = 5_000;

	private static final Duration LIMIT = Duration.ofMinutes(60);

	private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+(\\d+) kB");

	private static final long SEED = 7;

	private final int users = Integer.getInteger("bench.users", 100_000);

	private double peakMegabytes;

	private Duration cpu = Duration.ZERO;

	@Test
	void aLargeRetwis() throws IOException {
		Path log = BenchReport.directory().resolve("import.log").toAbsolutePath();
		Files.deleteIfExists(log);
		try (RedisProcess source = RedisProcess.start(RedisProcessOptions.DEFAULT);
				RedisProcess target = RedisProcess.start(RedisProcessOptions.DEFAULT);
				LockServers locks = new LockServers(3)) {
			plant(source.port());
			long begin = System.nanoTime();
			try (ChildProcess command = ChildProcess.start(log,
					ChildProcess.java(List.of("-Xmx256m", "-jar", SiteJar.OF_THIS_BUILD.toString(), "import-retwis",
							"--from=redis://127.0.0.1:" + source.port(), "--retwis.embedded=false",
							"--spring.data.redis.port=" + target.port(), locks.setting())))) {
				Awaitility.await("the end; see " + log)
					.atMost(LIMIT)
					.pollInterval(Duration.ofMillis(200))
					.until(() -> !isRunning(command));
			}
			double seconds = (System.nanoTime() - begin) / 1e9;
			assertThat(Files.readString(log)).contains("Users: %,d are here now, 0 skipped".formatted(this.users))
				.contains("Posts: %,d are here now, 0 skipped".formatted(this.users * POSTS));
			REPORT.add(Figure.once("time", "min", seconds / 60));
			REPORT.add(Figure.once("CPU time of the import", "min", this.cpu.toMillis() / 60e3));
			REPORT.add(Figure.once("users and posts", "/s", this.users * (1 + POSTS) / seconds));
			REPORT.add(Figure.once("memory at its highest", "MB", this.peakMegabytes).atMost(512));
		}
	}

	/** Looks at the memory and the CPU time while the command runs. */
	private boolean isRunning(ChildProcess command) throws IOException {
		try {
			PEAK.matcher(Files.readString(Path.of("/proc", Long.toString(command.pid()), "status")))
				.results()
				.forEach((peak) -> this.peakMegabytes = Long.parseLong(peak.group(1)) / 1024.0);
			this.cpu = PinnedProcess.cpu(command.pid());
		}
		catch (NoSuchFileException ex) {
			return false;
		}
		return command.isAlive();
	}

	/** Writes what the import reads, as the PHP Retwis would have left it. */
	private void plant(int port) {
		Random random = new Random(SEED);
		try (RedisClient client = RedisClient.create("redis://127.0.0.1:" + port);
				StatefulRedisConnection<String, String> connection = client.connect()) {
			connection.setAutoFlushCommands(false);
			RedisAsyncCommands<String, String> redis = connection.async();
			List<RedisFuture<?>> sent = new ArrayList<>();
			sent.add(redis.set("next_user_id", Integer.toString(this.users)));
			sent.add(redis.set("next_post_id", Integer.toString(this.users * POSTS)));
			for (int user = 1; user <= this.users; user++) {
				String name = "user" + user;
				sent.add(redis.hset("users", name, Integer.toString(user)));
				sent.add(redis.hset("user:" + user,
						Map.of("username", name, "password", "password" + user, "auth", "secret" + user)));
				sent.add(redis.zadd("users_by_time", 1_400_000_000.0 + user, name));
				for (int i = 0; i < FOLLOWS; i++) {
					int followed = 1 + random.nextInt(this.users);
					if (followed != user) {
						sent.add(redis.zadd("followers:" + followed, 1_400_000_000.0 + user, Integer.toString(user)));
						sent.add(redis.zadd("following:" + user, 1_400_000_000.0 + user, Integer.toString(followed)));
					}
				}
				for (int i = 0; i < POSTS; i++) {
					int post = (user - 1) * POSTS + i + 1;
					sent.add(redis.hset("post:" + post, Map.of("user_id", Integer.toString(user), "time",
							Integer.toString(1_400_000_000 + post), "body", "post " + post + " of @" + name)));
				}
				if (sent.size() > BATCH || user == this.users) {
					connection.flushCommands();
					assertThat(LettuceFutures.awaitAll(60, TimeUnit.SECONDS, sent.toArray(RedisFuture<?>[]::new)))
						.isTrue();
					sent.clear();
				}
			}
		}
	}

}
