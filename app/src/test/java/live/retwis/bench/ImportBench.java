package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The import of a PHP Retwis in each of its layouts, with {@code -Dbench.users} (100,000)
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

	@ParameterizedTest
	@EnumSource
	void aLargeRetwis(PhpRetwisLayout layout) throws IOException {
		String of = " (" + layout + ")";
		Path log = BenchReport.directory().resolve("import-" + layout.name() + ".log").toAbsolutePath();
		Files.deleteIfExists(log);
		try (RedisProcess source = RedisProcess.start(RedisProcessOptions.DEFAULT);
				RedisProcess target = RedisProcess.start(RedisProcessOptions.DEFAULT);
				LockServers locks = new LockServers(3)) {
			plant(layout, source.port());
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
			REPORT.add(Figure.once("time" + of, "min", seconds / 60).atMost(15));
			REPORT.add(Figure.once("CPU time of the import" + of, "min", this.cpu.toMillis() / 60e3));
			REPORT.add(Figure.once("users and posts" + of, "/s", this.users * (1 + POSTS) / seconds));
			REPORT.add(Figure.once("memory at its highest" + of, "MB", this.peakMegabytes).atMost(512));
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
	private void plant(PhpRetwisLayout layout, int port) {
		Random random = new Random(SEED);
		try (RedisClient client = RedisClient.create("redis://127.0.0.1:" + port);
				StatefulRedisConnection<String, String> connection = client.connect()) {
			connection.setAutoFlushCommands(false);
			RedisAsyncCommands<String, String> redis = connection.async();
			List<RedisFuture<?>> sent = new ArrayList<>();
			layout.begin(redis, this.users, this.users * POSTS).forEach(sent::add);
			for (int user = 1; user <= this.users; user++) {
				layout.user(redis, user).forEach(sent::add);
				for (int i = 0; i < FOLLOWS; i++) {
					int followed = 1 + random.nextInt(this.users);
					if (followed != user) {
						layout.follow(redis, user, followed).forEach(sent::add);
					}
				}
				for (int i = 1; i <= POSTS; i++) {
					layout.post(redis, (user - 1) * POSTS + i, user).forEach(sent::add);
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
