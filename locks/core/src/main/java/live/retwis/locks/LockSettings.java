package live.retwis.locks;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which nodes the locks use. All instances must have the same settings: majorities of two
 * different sets may have no node in common.
 *
 * @param nodes addresses of independent masters, {@code redis://[:password@]host:port} or
 * {@code rediss://}; an odd number, at least 3
 * @param nodeTimeout how long to wait for a node's answer and for a connection; whole
 * milliseconds, at least 1 and far less than the lease
 * @param engine how to ask the nodes
 * @param tls how {@code rediss://} nodes are trusted; other nodes do not use it
 */
public record LockSettings(List<String> nodes, Duration nodeTimeout, Engine engine, NodeTls tls) {

	/** The default time to wait for a node. */
	public static final Duration NODE_TIMEOUT = Duration.ofMillis(100);

	private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(1);

	/**
	 * Checks the settings.
	 * @throws IllegalArgumentException names the node and what is wrong with it, never a
	 * password
	 */
	public LockSettings {
		nodes = List.copyOf(nodes);
		check(nodes.size() >= 3 && nodes.size() % 2 == 1, nodes.size()
				+ " lock nodes; it takes an odd number of at least 3, so that a majority outlives the loss of one");
		checkDistinct(parse(nodes));
		check(nodeTimeout.toMillis() >= 1 && nodeTimeout.compareTo(LONGEST_TIMEOUT) <= 0,
				"A node time-out of " + nodeTimeout + " is not in 1 ms to " + LONGEST_TIMEOUT);
	}

	/**
	 * Settings that trust certificates as the JVM does.
	 * @param nodes as above
	 * @param nodeTimeout as above
	 * @param engine as above
	 */
	public LockSettings(List<String> nodes, Duration nodeTimeout, Engine engine) {
		this(nodes, nodeTimeout, engine, NodeTls.OF_JVM);
	}

	/**
	 * Settings with the default time-out and engine.
	 * @param nodes as above
	 * @return the settings
	 */
	public static LockSettings of(List<String> nodes) {
		return new LockSettings(nodes, NODE_TIMEOUT, Engine.REDISSON);
	}

	/**
	 * What all instances must agree on. An application can keep it in its data store and
	 * compare it at start.
	 * @param lease the longest lease in use
	 * @return the nodes in alphabetical order, without passwords, and the lease
	 */
	public String fingerprint(Duration lease) {
		return addresses().stream().map(NodeAddress::name).sorted().collect(Collectors.joining(",")) + " lease "
				+ lease;
	}

	/** Whether the connection to any node is encrypted. */
	public boolean usesTls() {
		return addresses().stream().anyMatch(NodeAddress::tls);
	}

	List<NodeAddress> addresses() {
		return parse(this.nodes);
	}

	private static List<NodeAddress> parse(List<String> nodes) {
		return IntStream.range(0, nodes.size()).mapToObj((index) -> parse(nodes.get(index), index + 1)).toList();
	}

	/**
	 * The error does not show an address that cannot be read, because a password may be
	 * anywhere in it.
	 */
	private static NodeAddress parse(String node, int number) {
		NodeAddress address = NodeAddress.parse(node);
		if (address == null) {
			throw new IllegalArgumentException(
					"Lock node number " + number + " is not an address like redis://[:password@]host:port");
		}
		return address;
	}

	private static void checkDistinct(List<NodeAddress> addresses) {
		Set<String> seen = new HashSet<>();
		for (NodeAddress address : addresses) {
			check(seen.add(address.name()), "Lock node " + address.name() + " is there twice");
		}
	}

	static void check(boolean holds, String message) {
		if (!holds) {
			throw new IllegalArgumentException(message);
		}
	}

	/** The settings without passwords. */
	@Override
	public String toString() {
		return "LockSettings[nodes=" + addresses() + ", nodeTimeout=" + this.nodeTimeout + ", engine=" + this.engine
				+ "]";
	}

}
