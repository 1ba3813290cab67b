package live.retwis.cluster;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import live.retwis.locks.nodes.Poll;
import live.retwis.locks.nodes.RedisProcessOptions;
import org.jspecify.annotations.Nullable;

/**
 * Starts all parts of a cluster, and ends them in the opposite order: the load balancer,
 * the instances, the lock nodes, the data nodes. It says in one line for each part where
 * that is.
 */
public final class ClusterProgram implements AutoCloseable {

	private static final int LOCK_NODES = 5;

	private static final int TOKEN_BYTES = 24;

	/** The longest time in which all instances become ready. */
	private static final Duration START = Duration.ofMinutes(3);

	private final ClusterOptions options;

	private final PrintWriter out;

	private final LocalPorts ports = new LocalPorts();

	private final String token;

	private final ShutdownStack endings = new ShutdownStack();

	private ClusterProgram(ClusterOptions options, PrintWriter out) {
		this.options = options;
		this.out = out;
		byte[] random = new byte[TOKEN_BYTES];
		new SecureRandom().nextBytes(random);
		this.token = HexFormat.of().formatHex(random);
	}

	/**
	 * Starts everything. Returns when the site is open: after some 20 s, at most after
	 * some minutes. If this program ends meanwhile or later, all parts end with it.
	 * @param options what to start
	 * @param out gets a line for each part, and for each change later
	 * @throws ClusterException when a part does not start, the port is taken, or another
	 * cluster runs in the directory
	 */
	public static ClusterProgram start(ClusterOptions options, PrintWriter out) {
		ClusterProgram program = new ClusterProgram(options, out);
		Runtime.getRuntime().addShutdownHook(new Thread(program::close, "cluster-end"));
		try {
			program.launch();
			return program;
		}
		catch (RuntimeException ex) {
			program.close();
			throw ex;
		}
	}

	private void launch() {
		long began = System.nanoTime();
		occupy();
		Balancer balancer = this.endings.closing(new Balancer(this.options.port()));
		ControlServer control = this.endings.closing(
				new ControlServer(this.token, new SharedBreakReportStore(this.options.directory().resolve("reports"))));
		ProcessGuard guard = this.endings.closing(new ProcessGuard());
		DataServers data = DataServers.start(this.options.data(), this.options.directory(), this.ports, guard);
		this.endings.add(data::end);
		data.nodes()
			.forEach((node) -> say(node.name(), node.address(), node.role().equals("slave") ? "replica" : node.role()));
		data.watchers().forEach((node) -> say(node.name(), node.address(), ""));
		List<RedisServerPart> locks = new ArrayList<>();
		this.endings.add(() -> locks.parallelStream().forEach(RedisServerPart::end));
		DataServers.launch(locks, LOCK_NODES, "lock-", this.options.directory(), this.ports, guard,
				RedisProcessOptions.DEFAULT.with("maxmemory 64mb", "maxmemory-policy noeviction", "appendonly yes",
						"appendfsync always"));
		locks.forEach((node) -> say(node.name(), node.address(), ""));
		data.forgetLockNodes();
		List<AppInstanceProcess> instances = launchInstances(control, data, locks, guard);
		ClusterParts parts = new ClusterParts(instances, data, List.copyOf(locks));
		ClusterFaultInjector injector = this.endings.closing(new ClusterFaultInjector(parts::plan, parts::heal));
		ClusterWatch watch = new ClusterWatch(this.options.data(), parts, injector,
				(change) -> changed(change, injector.latest()));
		this.endings.add(watch::close);
		control.serve(watch, injector);
		balancer.use(instances);
		// The order of the ends: no request reaches an instance that is about to end.
		this.endings.add(balancer::close);
		awaitReady(watch);
		if (this.options.demo()) {
			launchDemo(data, locks, guard);
		}
		this.out.printf("Retwis Live is open at http://localhost:%d (after %d s).%n", balancer.port(),
				(System.nanoTime() - began) / 1_000_000_000);
		this.out.println("Log in, open a timeline and choose \"Break something\". Ctrl-C ends everything.");
	}

	/** Two clusters in one directory would write into the same files. */
	private void occupy() {
		try {
			Path directory = Files.createDirectories(this.options.directory());
			FileChannel file = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE,
					StandardOpenOption.WRITE);
			this.endings.add(() -> close(file));
			FileLock lock = file.tryLock();
			if (lock == null) {
				throw new ClusterException("Another cluster runs in " + directory);
			}
			this.out.println("Data and logs are in " + directory);
		}
		catch (IOException ex) {
			throw new ClusterException("No directory for the cluster: " + ex, ex);
		}
	}

	private static void close(FileChannel file) {
		try {
			file.close();
		}
		catch (IOException ex) {
			// The lock ends with this program.
		}
	}

	private List<AppInstanceProcess> launchInstances(ControlServer control, DataServers data,
			List<RedisServerPart> locks, ProcessGuard guard) {
		List<InstanceFaultProxies> ways = new ArrayList<>();
		for (int number = 1; number <= this.options.size(); number++) {
			ways.add(this.endings.closing(new InstanceFaultProxies(data.nodes())));
		}
		// Each instance needs its way to the data until it has ended.
		List<AppInstanceProcess> instances = new ArrayList<>();
		this.endings.add(() -> {
			instances.forEach(AppInstanceProcess::terminate);
			instances.forEach(AppInstanceProcess::awaitEnd);
		});
		List<String> common = new ArrayList<>(redis(data, locks));
		common.addAll(List.of("--retwis.xray.enabled=true", "--retwis.xray.users=*", "--retwis.proxies=127.0.0.1",
				"--retwis.live.heartbeat=3s", "--retwis.live.drain=0s", "--retwis.cluster.control=" + control.url()));
		for (int number = 1; number <= this.options.size(); number++) {
			InstanceFaultProxies links = ways.get(number - 1);
			List<String> settings = new ArrayList<>(common);
			settings.add("--retwis.cluster.links=" + links.mapping());
			settings.addAll(this.options.settings());
			String name = "instance-" + number;
			instances.add(new AppInstanceProcess(name, this.options.program(), log(name), this.ports, links, guard,
					Map.of("RETWIS_CLUSTER_TOKEN", this.token), settings));
			say(name, "127.0.0.1:" + instances.get(number - 1).port(), "");
		}
		return instances;
	}

	private File log(String name) {
		return this.options.directory().resolve(name + ".log").toFile();
	}

	/** Settings that tell an instance which servers to use. */
	private static List<String> redis(DataServers data, List<RedisServerPart> locks) {
		List<String> settings = new ArrayList<>(data.settings());
		settings.add("--retwis.embedded=false");
		settings.add("--retwis.locks.nodes="
				+ locks.stream().map((node) -> "redis://" + node.address()).collect(Collectors.joining(",")));
		return settings;
	}

	private void awaitReady(ClusterWatch watch) {
		boolean settled = Poll.until(START, () -> watch.state().parts().allMatch(PartSnapshot::isUp)
				|| watch.state().instances().stream().anyMatch((one) -> one.state() == PartState.DOWN));
		if (!settled || !watch.state().parts().allMatch(PartSnapshot::isUp)) {
			String late = watch.state()
				.instances()
				.stream()
				.filter((one) -> !one.isUp())
				.map((one) -> log(one.name()).toString())
				.collect(Collectors.joining(", "));
			throw new ClusterException("Not all instances have started. Their logs tell why: " + late);
		}
	}

	private void launchDemo(DataServers data, List<RedisServerPart> locks, ProcessGuard guard) {
		DemoPosterProcess demo = DemoPosterProcess.start(this.options.program(), log("demo"), guard,
				redis(data, locks));
		this.endings.add(demo::end);
		this.out.println("The demo registers fifty users. In about a minute it begins to post, once a second. "
				+ "Its users and their password are in " + log("demo"));
	}

	/** Tells what a person may want to know in the terminal. */
	private void changed(PartChange change, @Nullable ClusterFaultRecord breakage) {
		boolean byItself = change.state() == PartState.DOWN && (breakage == null || !breakage.isActive());
		say(change.part(), change.state().toString(),
				byItself ? "It has ended by itself. \"Mend everything\" on /break starts it again."
						: change.master() ? "master" : "");
	}

	private synchronized void say(String part, String what, String more) {
		this.out.println("%-12s %-22s %s".formatted(part, what, more).strip());
		this.out.flush();
	}

	/** Ends all parts, at most some 40 s later. A second call waits for the first. */
	@Override
	public synchronized void close() {
		this.endings.run((problem) -> this.out.println("While ending: " + problem));
		this.out.flush();
	}

}
