package live.retwis.cluster;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at all parts twice a second, and tells what has changed.
 */
final class ClusterWatch implements AutoCloseable {

	private static final long LOOK_MILLIS = 500;

	private static final Logger log = LoggerFactory.getLogger(ClusterWatch.class);

	private final DataTopology topology;

	private final ClusterParts parts;

	private final ClusterFaultInjector injector;

	private final Consumer<PartChange> listener;

	private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor((task) -> {
		Thread thread = new Thread(task, "cluster-watch");
		thread.setDaemon(true);
		return thread;
	});

	private volatile LocalSiteState seen;

	/**
	 * Looks once, and then twice a second.
	 * @param listener is told each change
	 */
	ClusterWatch(DataTopology topology, ClusterParts parts, ClusterFaultInjector injector,
			Consumer<PartChange> listener) {
		this.topology = topology;
		this.parts = parts;
		this.injector = injector;
		this.listener = listener;
		this.seen = look();
		this.thread.scheduleWithFixedDelay(this::lookAgain, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
	}

	/** The parts as they were seen last, with what is broken now. */
	LocalSiteState state() {
		LocalSiteState last = this.seen;
		return new LocalSiteState(last.now(), last.data(), last.instances(), last.dataNodes(), last.lockNodes(),
				this.injector.latest());
	}

	private LocalSiteState look() {
		CompletableFuture
			.allOf(this.parts.instances().stream().map(AppInstanceProcess::check).toArray(CompletableFuture[]::new))
			.join();
		return new LocalSiteState(System.currentTimeMillis(), this.topology,
				this.parts.instances()
					.stream()
					.map((one) -> new PartSnapshot(one.name(), one.port(), one.state(), false))
					.toList(),
				this.parts.data()
					.nodes()
					.stream()
					.map((node) -> new PartSnapshot(node.name(), node.port(), node.state(),
							this.parts.data().isMaster(node)))
					.toList(),
				this.parts.locks()
					.stream()
					.map((node) -> new PartSnapshot(node.name(), node.port(), node.state(), false))
					.toList(),
				null);
	}

	/** A look that fails is followed by the next one. */
	private void lookAgain() {
		try {
			compare();
		}
		catch (RuntimeException ex) {
			log.warn("The parts could not be looked at: {}", ex.toString());
		}
	}

	private void compare() {
		Map<String, PartSnapshot> before = this.seen.parts()
			.collect(Collectors.toMap(PartSnapshot::name, Function.identity()));
		this.seen = look();
		List<PartChange> changes = this.seen.parts()
			.filter((part) -> !part.equals(before.get(part.name())))
			.map((part) -> new PartChange(this.seen.now(), part.name(), part.state(), part.master()))
			.toList();
		changes.forEach(this.injector::changed);
		changes.forEach(this.listener);
	}

	@Override
	public void close() {
		this.thread.shutdownNow();
	}

}
