package live.retwis.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.locks.nodes.testing.bench.Figure;
import live.retwis.testing.ChildProcess;
import live.retwis.testing.LockServers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The time from {@code java} to “is open”, with and without a cache of classes, in turn.
 * The jar is extracted, as in the image. {@code -Dbench.rounds} (10) is the number of
 * starts of each, {@code -Dbench.java} (this JVM's) the directory of another Java. From
 * 25 on the cache is Java's AOT cache, before that a CDS archive.
 */
class StartBench {

	private static final Path JAVA = Path.of(System.getProperty("bench.java", System.getProperty("java.home")));

	private static final int VERSION = version();

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("start-" + VERSION, "Starting on Java " + VERSION, "StartBench");

	private static final Duration LIMIT = Duration.ofSeconds(90);

	private static final int AOT = 25;

	private final int rounds = Integer.getInteger("bench.rounds", 10);

	@Test
	void fromJavaToOpen() throws IOException {
		Path directory = BenchReport.directory().resolve("start").toAbsolutePath();
		Files.createDirectories(directory);
		try (RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT);
				LockServers locks = new LockServers(3)) {
			run(directory, List.of("-Djarmode=tools", "-jar", SiteJar.OF_THIS_BUILD.toAbsolutePath().toString(),
					"extract", "--destination", directory.resolve("site").toString(), "--force"));
			Path cache = directory.resolve("classes-" + VERSION);
			String make = (VERSION >= AOT) ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=";
			String use = (VERSION >= AOT) ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=";
			start(directory, redis, locks, make + cache);
			if (!Files.exists(cache)) {
				throw new IllegalStateException("No cache was made; see " + directory.resolve("log"));
			}
			List<Double> with = new ArrayList<>();
			List<Double> without = new ArrayList<>();
			for (int i = 0; i < this.rounds; i++) {
				with.add(start(directory, redis, locks, use + cache));
				without.add(start(directory, redis, locks, "-Xshare:auto"));
			}
			REPORT.add(Figure.of("from java to open, with a cache of classes", "s", with).atMost(3));
			REPORT.add(Figure.of("from java to open, without", "s", without));
		}
	}

	/** Reads the file that each Java has for this. */
	private static int version() {
		try {
			return Integer.parseInt(
					Files.readString(JAVA.resolve("release")).replaceFirst("(?s).*JAVA_VERSION=\"(\\d+).*", "$1"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void run(Path directory, List<String> arguments) {
		try (ChildProcess process = ChildProcess.start(directory.resolve("log"), command(arguments))) {
			process.await(LIMIT);
		}
	}

	/** Starts the site and ends it again. Returns the seconds until it is open. */
	private double start(Path directory, RedisProcess redis, LockServers locks, String option) {
		Path log = directory.resolve("log");
		long begin = System.nanoTime();
		try (ChildProcess site = ChildProcess.start(log,
				command(List.of("-XX:+UseSerialGC", option, "-jar",
						directory.resolve("site/retwis-live.jar").toString(), "--server.port=" + TestPorts.next(),
						"--management.server.port=" + TestPorts.next(), "--retwis.embedded=false",
						"--retwis.live.drain=0s", "--spring.data.redis.port=" + redis.port(), locks.setting())))) {
			Awaitility.await("open; see " + log)
				.atMost(LIMIT)
				.pollDelay(Duration.ZERO)
				.pollInterval(Duration.ofMillis(20))
				.until(() -> Files.readString(log).contains("is open at"));
			double seconds = (System.nanoTime() - begin) / 1e9;
			site.terminate();
			Awaitility.await("the end").atMost(LIMIT).until(() -> !site.isAlive());
			return seconds;
		}
	}

	private List<String> command(List<String> arguments) {
		List<String> command = new ArrayList<>(List.of(JAVA.resolve("bin/java").toString()));
		command.addAll(arguments);
		return command;
	}

}
