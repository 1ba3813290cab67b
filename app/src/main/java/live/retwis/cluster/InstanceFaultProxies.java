package live.retwis.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import live.retwis.locks.nodes.proxy.FaultHandle;
import live.retwis.locks.nodes.proxy.FaultProxy;

/**
 * The ways from one instance to the data nodes. On each way is a proxy that can cut it or
 * slow it down. The instance learns the addresses of the data nodes as they are, from
 * Sentinel or from the cluster, and connects to the proxy in place of each.
 */
final class InstanceFaultProxies implements AutoCloseable {

	private final Map<Integer, FaultProxy> byPort = new LinkedHashMap<>();

	private final List<FaultHandle> faults = new ArrayList<>();

	InstanceFaultProxies(List<RedisServerPart> nodes) {
		nodes.forEach((node) -> this.byPort.put(node.port(), FaultProxy.to("127.0.0.1", node.port())));
	}

	/** Pairs of ports, that of a data node and that of its proxy: {@code 1:2,3:4}. */
	String mapping() {
		return this.byPort.entrySet()
			.stream()
			.map((way) -> way.getKey() + ":" + way.getValue().port())
			.collect(Collectors.joining(","));
	}

	/** Breaks all connections and refuses new ones. */
	synchronized void cut() {
		this.byPort.values().forEach((proxy) -> this.faults.add(proxy.cut()));
	}

	/** Each command takes that much longer on its way. */
	synchronized void slow(Duration delay) {
		this.byPort.values().forEach((proxy) -> this.faults.add(proxy.delay(delay)));
	}

	/** Undoes all of that. */
	synchronized void heal() {
		this.faults.forEach(FaultHandle::close);
		this.faults.clear();
	}

	@Override
	public void close() {
		this.byPort.values().forEach(FaultProxy::close);
	}

}
