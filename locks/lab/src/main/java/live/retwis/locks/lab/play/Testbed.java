package live.retwis.locks.lab.play;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import live.retwis.locks.lab.client.ClientLockConfig;
import live.retwis.locks.lab.client.ControlledClient;
import live.retwis.locks.lab.client.Operation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.engine.ProtectedStore;
import live.retwis.locks.lab.fault.StalledReplication;
import live.retwis.locks.lab.history.History;
import live.retwis.locks.lab.node.LabNode;
import live.retwis.locks.lab.node.LabNodes;
import live.retwis.locks.lab.node.ProcessRegistry;
import live.retwis.locks.lab.play.ScenarioDescription.Need;
import live.retwis.locks.nodes.Poll;
import live.retwis.locks.nodes.Uninterrupted;
import live.retwis.locks.nodes.proxy.FaultProxy;

/**
 * The nodes, and the clients with their links to them, on which the rounds of one
 * scenario are played with one engine. To be closed.
 */
public final class Testbed implements AutoCloseable {

	private static final Duration WARM_UP = Duration.ofSeconds(60);

	private final ClientLockConfig kind;

	private final Duration lease;

	private final LabSettings settings;

	private final ProcessRegistry processRegistry;

	private final LabNodes nodes;

	private final ProtectedStore store;

	private final Map<String, ControlledClient> clients = Collections.synchronizedMap(new LinkedHashMap<>());

	private Testbed(ScenarioDescription scenarioDescription, ClientLockConfig kind, LabSettings settings,
			ProcessRegistry processRegistry, LabNodes nodes) {
		this.kind = kind;
		this.lease = scenarioDescription.ownLease().orElse(settings.lease());
		this.settings = settings;
		this.processRegistry = processRegistry;
		this.nodes = nodes;
		this.store = new ProtectedStore(nodes.store().port());
	}

	/** Starts the nodes that a scenario needs. */
	public static Testbed open(ScenarioDescription scenarioDescription, LabEngine engine, LabSettings settings,
			ProcessRegistry processRegistry) {
		return open(scenarioDescription, ClientLockConfig.of(engine, settings.fence()), settings, processRegistry);
	}

	/** Starts the nodes, for clients of another kind. */
	static Testbed open(ScenarioDescription scenarioDescription, ClientLockConfig kind, LabSettings settings,
			ProcessRegistry processRegistry) {
		return new Testbed(scenarioDescription, kind, settings, processRegistry,
				LabNodes.start(settings.nodes(), scenarioDescription.needs().contains(Need.DURABLE_NODES),
						scenarioDescription.needs().contains(Need.CLOCKS), processRegistry));
	}

	LabEngine engine() {
		return this.kind.engine();
	}

	/** The lease that clients ask for: the scenario's own, or the one of the settings. */
	Duration lease() {
		return this.lease;
	}

	LabSettings settings() {
		return this.settings;
	}

	LabNodes nodes() {
		return this.nodes;
	}

	/** A fault that gives a node a replica. It is not injected yet. */
	StalledReplication stalledReplication(int node) {
		return new StalledReplication(this.nodes.node(node), this.processRegistry);
	}

	ProtectedStore store() {
		return this.store;
	}

	/** Several clients in this program. They are made at their first use. */
	List<ControlledClient> local(String... names) {
		return open(this.nodes.all(), (name, links) -> ControlledClient.local(name, this.kind, links,
				this.settings.nodeTimeout(), this.nodes.store().port()), names);
	}

	/** A client that has some of the nodes in its list. */
	ControlledClient local(String name, Integer... nodes) {
		return open(Stream.of(nodes).map(this.nodes::node).toList(), (client, links) -> ControlledClient.local(client,
				this.kind, links, this.settings.nodeTimeout(), this.nodes.store().port()), name)
			.get(0);
	}

	/** Several clients in processes of their own. They are made at their first use. */
	List<ControlledClient> processes(String... names) {
		return open(this.nodes.all(), (name, links) -> ControlledClient.process(name, this.kind, links,
				this.settings.nodeTimeout(), this.nodes.store().port(), this.processRegistry), names);
	}

	/** Starts a client of the same name in the place of one in a process of its own. */
	ControlledClient replace(ControlledClient former) {
		this.clients.remove(former.name());
		former.close();
		return processes(former.name()).get(0);
	}

	/**
	 * Opens the clients at the same time, because each takes a moment to reach its nodes.
	 * If one cannot be opened, the others are known all the same, and are closed with the
	 * nodes.
	 * @param reached the nodes that they reach
	 */
	private List<ControlledClient> open(List<LabNode> reached,
			BiFunction<String, List<FaultProxy>, ControlledClient> kind, String... names) {
		Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
		List.of(names).parallelStream().filter((name) -> !this.clients.containsKey(name)).forEach((name) -> {
			try {
				add(reached, kind, name);
			}
			catch (RuntimeException ex) {
				failures.add(ex);
			}
		});
		if (!failures.isEmpty()) {
			throw failures.element();
		}
		List<ControlledClient> opened = Stream.of(names)
			.map((name) -> Objects.requireNonNull(this.clients.get(name)))
			.toList();
		opened.forEach(this::warmUp);
		return opened;
	}

	private void add(List<LabNode> reached, BiFunction<String, List<FaultProxy>, ControlledClient> kind, String name) {
		List<FaultProxy> links = reached.stream().map((node) -> FaultProxy.to("127.0.0.1", node::port)).toList();
		try {
			this.clients.put(name, kind.apply(name, links));
		}
		catch (RuntimeException ex) {
			links.forEach(FaultProxy::close);
			throw ex;
		}
	}

	/**
	 * Runs a client through all of its code, on all nodes, so that no round pays for
	 * that. A program that has just started is too slow for the node time-out, so this is
	 * tried again.
	 * @throws IllegalStateException when it fails, because no round would show anything
	 * then
	 */
	private void warmUp(ControlledClient client) {
		History unread = new History();
		if (!Poll.until(WARM_UP, () -> isThrough(client, unread))) {
			throw new IllegalStateException("Client " + client.name() + " is not ready: " + unread.events());
		}
	}

	private static boolean isThrough(ControlledClient client, History unread) {
		return Stream.of(Operation.ACQUIRE, Operation.READ, Operation.WRITE, Operation.RELEASE)
			.map((order) -> client.order(order, "warm-up:" + client.name(), WARM_UP.toMillis(), unread))
			.allMatch((call) -> call.await(WARM_UP) && !List.of("taken", "none", "error").contains(call.outcome()));
	}

	/**
	 * Makes sure that nodes run and are empty, whatever happened. Clients that hang are
	 * replaced.
	 */
	void heal() {
		for (LabNode node : this.nodes.all()) {
			if (!node.isAlive()) {
				node.restart();
			}
		}
		new ArrayList<>(this.clients.values()).stream()
			.filter((client) -> !client.isIdle()
					|| client.process().filter((p) -> p.state().equals("gone")).isPresent())
			.forEach((client) -> {
				this.clients.remove(client.name());
				client.close();
			});
		this.nodes.all().forEach((node) -> node.ask("FLUSHDB"));
		if (!Poll.until(WARM_UP, this::areClientsConnected)) {
			throw new IllegalStateException("Clients do not find their nodes again");
		}
	}

	private boolean areClientsConnected() {
		return this.clients.values().stream().allMatch((client) -> {
			for (int number = 1; number <= client.links().size(); number++) {
				if (!client.reaches(number)) {
					return false;
				}
			}
			return true;
		});
	}

	@Override
	public void close() {
		Uninterrupted.run(() -> {
			try {
				List.copyOf(this.clients.values()).parallelStream().forEach(ControlledClient::close);
			}
			finally {
				this.nodes.close();
			}
		});
	}

}
