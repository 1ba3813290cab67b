package live.retwis.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The parts that can be broken.
 *
 * @param instances the instances
 * @param data the servers with data
 * @param locks the lock nodes
 */
record ClusterParts(List<AppInstanceProcess> instances, DataServers data, List<RedisServerPart> locks) {

	/**
	 * Chooses what to break.
	 * @throws ClusterException when there is no such part at the moment
	 */
	Plan plan(ClusterFaultRequest request) {
		AppInstanceProcess instance = instance(request);
		return switch (request.kind()) {
			case KILL_INSTANCE -> new Plan(instance.name(), instance::kill);
			case KILL_ALL_BUT_ONE -> killAllButOne(instance);
			case PAUSE_INSTANCE -> new Plan(instance.name(), instance::pause);
			case CUT_INSTANCE -> new Plan(instance.name(), instance.links()::cut);
			case SLOW_DATA -> new Plan(names(this.data.nodes()), () -> this.instances
				.forEach((one) -> one.links().slow(Duration.ofMillis(ClusterFaultRequest.SLOW_MILLIS))));
			case KILL_MASTER -> this.data.master()
				.map((master) -> new Plan(master.name(), master::kill))
				.orElseThrow(() -> new ClusterException("There is no data master"));
			case KILL_LOCK_NODE -> this.locks.stream()
				.filter(RedisServerPart::isAlive)
				.findFirst()
				.map((node) -> new Plan(node.name(), node::kill))
				.orElseThrow(() -> new ClusterException("There is no lock node"));
		};
	}

	/**
	 * What will be broken.
	 *
	 * @param part names of the parts
	 * @param run breaks them
	 */
	record Plan(String part, Runnable run) {
	}

	/** The instance of the request; the first one when it names none. */
	private AppInstanceProcess instance(ClusterFaultRequest request) {
		return request.instance().isEmpty() ? this.instances.get(0)
				: this.instances.stream()
					.filter((one) -> one.name().equals(request.instance()))
					.findFirst()
					.orElseThrow(() -> new ClusterException("There is no such instance"));
	}

	private Plan killAllButOne(AppInstanceProcess first) {
		AppInstanceProcess left = this.instances.stream()
			.filter((one) -> one != first)
			.findFirst()
			.orElseThrow(() -> new ClusterException("There is no other instance"));
		List<AppInstanceProcess> killed = this.instances.stream().filter((one) -> one != left).toList();
		return new Plan(String.join(", ", killed.stream().map(AppInstanceProcess::name).toList()),
				() -> killed.forEach(AppInstanceProcess::kill));
	}

	private static <T> Consumer<T> trying(Consumer<T> action, List<RuntimeException> failures) {
		return (part) -> {
			try {
				action.accept(part);
			}
			catch (RuntimeException ex) {
				failures.add(ex);
			}
		};
	}

	private static String names(List<RedisServerPart> parts) {
		return String.join(", ", parts.stream().map(RedisServerPart::name).toList());
	}

	/**
	 * Mends everything: links, instances that stand still, and parts that have ended, for
	 * whatever reason. Instances need some more seconds until they are ready.
	 * @throws RuntimeException when a part cannot be started again; the others are
	 */
	void heal() {
		List<RuntimeException> failures = new ArrayList<>();
		this.instances.forEach(trying((one) -> one.links().heal(), failures));
		this.instances.forEach(trying(AppInstanceProcess::resume, failures));
		this.data.nodes().stream().filter((node) -> !node.isAlive()).forEach(trying(this.data::restart, failures));
		this.locks.stream().filter((node) -> !node.isAlive()).forEach(trying(RedisServerPart::restart, failures));
		this.instances.stream().filter((one) -> !one.isAlive()).forEach(trying(AppInstanceProcess::restart, failures));
		if (!failures.isEmpty()) {
			failures.stream().skip(1).forEach(failures.get(0)::addSuppressed);
			throw failures.get(0);
		}
	}

}
