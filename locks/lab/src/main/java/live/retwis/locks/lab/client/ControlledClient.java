package live.retwis.locks.lab.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import live.retwis.locks.lab.engine.ProtectedStore;
import live.retwis.locks.lab.history.History;
import live.retwis.locks.lab.node.ProcessRegistry;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.TrafficListener;

/**
 * A user of the locks. It has a link of its own to each node. To be closed.
 */
public final class ControlledClient implements AutoCloseable {

	private static final AtomicLong operations = new AtomicLong();

	private final String name;

	private final List<FaultProxy> links;

	private final ClientHandle driver;

	private final List<SubmittedOperation> calls = new ArrayList<>();

	private ControlledClient(String name, List<FaultProxy> links, ClientHandle driver) {
		this.name = name;
		this.links = List.copyOf(links);
		this.driver = driver;
	}

	/** A client in this program. It closes its links. */
	public static ControlledClient local(String name, ClientLockConfig kind, List<FaultProxy> links,
			Duration nodeTimeout, int storePort) {
		ProtectedStore store = new ProtectedStore(storePort);
		return new ControlledClient(name, links,
				new LocalClientHandle(name, kind.opening().open(uris(links), nodeTimeout, store), store));
	}

	/** A client in a process of its own. It closes its links. */
	public static ControlledClient process(String name, ClientLockConfig kind, List<FaultProxy> links,
			Duration nodeTimeout, int storePort, ProcessRegistry processRegistry) {
		List<String> args = new ArrayList<>(
				List.of(name, kind.label(), String.valueOf(storePort), String.valueOf(nodeTimeout.toMillis())));
		args.addAll(uris(links));
		return new ControlledClient(name, links, new ProcessClientHandle(kind.program(), args, processRegistry));
	}

	private static List<String> uris(List<FaultProxy> links) {
		return links.stream().map((link) -> "redis://127.0.0.1:" + link.port()).toList();
	}

	/**
	 * Notes in a history what the client asks the nodes about a lock, until
	 * {@link #unobserve} is called.
	 * @param nodes the numbers of the nodes that its links lead to, in their order
	 */
	public void observe(String resource, History history, List<Integer> nodes) {
		for (int i = 0; i < this.links.size(); i++) {
			this.links.get(i).tell(new LinkTrafficRecorder(this.name, nodes.get(i), resource, history));
		}
	}

	/** Notes no traffic any more. */
	public void unobserve() {
		this.links.forEach((link) -> link.tell(TrafficListener.NONE));
	}

	public String name() {
		return this.name;
	}

	/** Its link to a node, by the node's number from 1. */
	public FaultProxy link(int node) {
		return this.links.get(node - 1);
	}

	public List<FaultProxy> links() {
		return this.links;
	}

	/** Whether the client can speak to a node now. */
	public boolean reaches(int node) {
		return this.driver.reaches(node);
	}

	/** Tells the client to do something, after everything that it was told before. */
	public SubmittedOperation order(Operation order, String resource, long leaseMillis, History history) {
		this.calls.removeIf(SubmittedOperation::isDone);
		SubmittedOperation call = this.driver
			.submit(new OperationRequest(operations.incrementAndGet(), order, resource, leaseMillis), history);
		this.calls.add(call);
		return call;
	}

	/** Whether the client has done everything that it was told. */
	public boolean isIdle() {
		return this.calls.stream().allMatch(SubmittedOperation::isDone);
	}

	/** Its process; empty when it runs in this program. */
	public Optional<ProcessClientHandle> process() {
		return (this.driver instanceof ProcessClientHandle process) ? Optional.of(process) : Optional.empty();
	}

	@Override
	public void close() {
		try {
			this.driver.close();
		}
		finally {
			this.links.forEach(FaultProxy::close);
		}
	}

}
