package live.retwis.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import live.retwis.bench.PageLoad.Figures;
import live.retwis.bench.PageLoad.Target;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.testing.ChildProcess;
import live.retwis.testing.LockServers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Where the processor time of a page goes. For each page there is a flame graph,
 * {@code target/bench/flame-<page>.html}, and a table of µs a request. The profiler needs
 * Linux on x86-64. {@code -Dbench.seconds} (10) is how long each page is profiled.
 */
class ProfileBench {

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("profile", "Where the time of a page goes", "ProfileBench");

	private static final int SERVER_CORE = 0;

	private static final int LOAD_CORE = 1;

	private static final Duration WARM_UP = Duration.ofSeconds(20);

	private final Duration profiled = Duration.ofSeconds(Integer.getInteger("bench.seconds", 10));

	@Test
	void whatAPageSpendsItsTimeOn() throws IOException, InterruptedException {
		Path directory = BenchReport.directory();
		Path profiler = directory.resolve("libasyncProfiler.so").toAbsolutePath();
		try (InputStream library = ProfileBench.class.getResourceAsStream("/linux-x64/libasyncProfiler.so")) {
			Files.copy(Objects.requireNonNull(library), profiler, StandardCopyOption.REPLACE_EXISTING);
		}
		int port = TestPorts.next();
		try (RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT);
				LockServers locks = new LockServers(3)) {
			PinnedProcess.move(redis.pid(), SERVER_CORE, directory.resolve("taskset.log"));
			BenchTown town = BenchTown.fill(redis.port(), locks);
			try (ChildProcess site = PinnedProcess.start(SERVER_CORE, directory.resolve("site.log"),
					ChildProcess.java(List.of("-XX:+UseSerialGC", "-Xms512m", "-XX:+UnlockDiagnosticVMOptions",
							"-XX:+DebugNonSafepoints", "-jar", SiteJar.OF_THIS_BUILD.toString(),
							"--server.port=" + port, "--management.server.port=" + TestPorts.next(),
							"--retwis.embedded=false", "--spring.data.redis.port=" + redis.port(), locks.setting())))) {
				Map<String, Target> pages = new LinkedHashMap<>();
				pages.put("home", target(port, "/home", town.cookie()));
				pages.put("timeline", target(port, "/timeline", ""));
				pages.put("profile", target(port, "/@" + town.author(), town.cookie()));
				pages.put("conversation", target(port, "/posts/" + town.post(), town.cookie()));
				PageLoad load = new PageLoad(LOAD_CORE, directory.resolve("wrk.log"));
				for (Map.Entry<String, Target> page : pages.entrySet()) {
					profile(page.getKey(), page.getValue(), load, profiler, site.pid(), redis.pid());
				}
			}
		}
	}

	private static Target target(int port, String path, String cookie) {
		return new Target(path, "http://127.0.0.1:" + port + path, cookie, 0);
	}

	private void profile(String name, Target page, PageLoad load, Path profiler, long site, long redis)
			throws IOException, InterruptedException {
		Awaitility.await(name).atMost(Duration.ofSeconds(90)).ignoreExceptions().until(() -> {
			try (PageLoad.Running running = load.start(page, Duration.ofSeconds(1))) {
				return running.figures().rate() > 0;
			}
		});
		try (PageLoad.Running running = load.start(page, WARM_UP)) {
			running.end();
		}
		tell(site, profiler, "start,event=ctimer,interval=1ms");
		Duration ofSite = PinnedProcess.cpu(site);
		Duration ofRedis = PinnedProcess.cpu(redis);
		Figures figures;
		try (PageLoad.Running running = load.start(page, this.profiled)) {
			figures = running.figures();
		}
		double requests = figures.rate() * this.profiled.toSeconds();
		double micros = PinnedProcess.cpu(site).minus(ofSite).toNanos() / 1000.0 / requests;
		REPORT.add(name + ": Redis", "µs", PinnedProcess.cpu(redis).minus(ofRedis).toNanos() / 1000.0 / requests);
		REPORT.add(name + ": the site", "µs", micros);
		Path directory = BenchReport.directory().toAbsolutePath();
		Path collapsed = directory.resolve("stacks-" + name + ".txt");
		tell(site, profiler, "dump,collapsed,file=" + collapsed);
		tell(site, profiler, "stop,flamegraph,file=" + directory.resolve("flame-" + name + ".html"));
		CpuParts.of(collapsed).forEach((part, share) -> REPORT.add(name + ": of it " + part, "µs", share * micros));
	}

	/** Gives the profiler in a process a command. */
	private static void tell(long pid, Path profiler, String command) throws IOException, InterruptedException {
		Process jcmd = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
				Long.toString(pid), "JVMTI.agent_load", profiler.toString(), '"' + command + '"')
			.redirectErrorStream(true)
			.start();
		String printed = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (jcmd.waitFor() != 0 || !printed.contains("return code: 0")) {
			throw new IllegalStateException("jcmd printed:\n" + printed);
		}
	}

}
