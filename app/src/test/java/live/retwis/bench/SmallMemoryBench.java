package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import live.retwis.bench.PageLoad.Target;
import live.retwis.bench.StreamLoad.Plan;
import live.retwis.bench.StreamServers.StreamServer;
import live.retwis.locks.nodes.testing.bench.Figure;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An instance whose control group has 512 MB, as in a container: with 10,000 open home
 * streams, ten posts a second and a home page under load, how long does the JVM stand
 * still, and how much memory does it take? {@code -Dbench.seconds} (30) is the length of
 * the load.
 */
class SmallMemoryBench {

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("small-memory", "An instance with 512 MB", "SmallMemoryBench");

	private static final int STREAMS = 10_000;

	private static final int FOLLOWS = 50;

	private static final double POSTS_A_SECOND = 10;

	private static final Pattern STOP = Pattern.compile("Total: +(\\d+) ns");

	private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+(\\d+) kB");

	private final Duration time = Duration.ofSeconds(Integer.getInteger("bench.seconds", 30));

	@Test
	void tenThousandStreamsAndPagesIn512Megabytes() throws IOException {
		Path directory = BenchReport.directory().resolve("small-memory").toAbsolutePath();
		try (ControlGroup memory = ControlGroup.ofMemory(512);
				StreamServers servers = new StreamServers(directory);
				LoadProcess load = new LoadProcess(directory)) {
			LoadCrowd authors = LoadCrowd.make(servers.redisPort(), "auth", 1000, List.of(), 0);
			LoadCrowd readers = LoadCrowd.make(servers.redisPort(), "read", STREAMS, authors.users(), FOLLOWS);
			Path stops = directory.resolve("stops.log");
			StreamServer site = servers.site("small", memory, List.of("-XX:+UseSerialGC", "-XX:MaxRAMPercentage=60",
					"-Xlog:safepoint:file=" + stops + ":none:filecount=0"));
			long posts = Math.round(POSTS_A_SECOND * this.time.plusSeconds(10).toSeconds());
			load.begin(new Plan(site.pid(), site.port(), readers.homes(), STREAMS, POSTS_A_SECOND, posts, 0, 1,
					authors.posts()));
			Awaitility.await("all streams are open")
				.atMost(Duration.ofMinutes(2))
				.pollInterval(Duration.ofSeconds(1))
				.until(() -> Heap.of(site.process()).streams() == STREAMS);
			long before = Files.size(stops);
			PageLoad pages = new PageLoad(1, directory.resolve("wrk.log"));
			Target home = new Target("home", "http://127.0.0.1:" + site.port() + "/home",
					"auth=" + readers.users().get(0).cookie(), 0);
			try (PageLoad.Running running = pages.start(home, this.time)) {
				REPORT.add("home pages beside the streams", "/s", running.figures().rate());
			}
			List<Double> millis = STOP.matcher(Files.readString(stops).substring((int) before))
				.results()
				.map((stop) -> Long.parseLong(stop.group(1)) / 1e6)
				.toList();
			assertThat(millis).as("stops").isNotEmpty();
			REPORT.add(
					Figure
						.once("longest time that the JVM stood still", "ms",
								millis.stream().mapToDouble(Double::doubleValue).max().orElseThrow())
						.atMost(200));
			REPORT.add("stops of the JVM", "", millis.size());
			MatchResult peak = PEAK.matcher(Files.readString(Path.of("/proc", Long.toString(site.pid()), "status")))
				.results()
				.findFirst()
				.orElseThrow();
			REPORT.add(Figure.once("memory at its highest", "MB", Long.parseLong(peak.group(1)) / 1024.0).atMost(512));
			assertThat(Heap.of(site.process()).streams()).as("streams that are still open").isEqualTo(STREAMS);
		}
	}

}
