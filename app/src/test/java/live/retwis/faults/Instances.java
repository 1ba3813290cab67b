package live.retwis.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.testing.LockServers;
import live.retwis.testing.SharedData;
import live.retwis.testing.SiteProcess;

/**
 * Two instances, each in its own process. If there is a single data node, each instance
 * has its own proxy to it.
 */
final class Instances implements AutoCloseable {

	/** Empty if the data are on several nodes. */
	private final List<FaultProxy> ways;

	/** Settings that name the data nodes, for each instance. */
	private final List<List<String>> data;

	private final List<SiteProcess> processes = new ArrayList<>();

	private final String[] settings;

	private final LoadBalancer balancer;

	private Instances(List<FaultProxy> ways, List<List<String>> data, List<Map<String, String>> environments,
			String... settings) {
		this.ways = ways;
		this.data = data;
		this.settings = Stream.concat(Stream.of(LockServers.shared().setting()), Stream.of(settings))
			.toArray(String[]::new);
		for (int i = 0; i < data.size(); i++) {
			this.processes.add(SiteProcess.launch(environments.get(i), data.get(i), this.settings));
		}
		try {
			this.processes.forEach(SiteProcess::ready);
		}
		catch (RuntimeException | Error ex) {
			close();
			throw ex;
		}
		this.balancer = new LoadBalancer(this.processes.stream().map(SiteProcess::origin).toList());
	}

	/** Starts both instances, and waits until they serve. */
	static Instances start(HarmedDataNode store, String... settings) {
		return behindProxies(store, List.of(Map.of(), Map.of()), settings);
	}

	/** Starts both instances with different environment variables. */
	static Instances start(HarmedDataNode store, Map<String, String> first, Map<String, String> second) {
		return behindProxies(store, List.of(first, second));
	}

	/**
	 * Starts both instances on several data nodes.
	 * @param data settings that name the data nodes
	 */
	static Instances startOn(List<String> data, String... settings) {
		return new Instances(List.of(), List.of(data, data), List.of(Map.of(), Map.of()), settings);
	}

	private static Instances behindProxies(HarmedDataNode store, List<Map<String, String>> environments,
			String... settings) {
		List<FaultProxy> ways = environments.stream()
			.map((environment) -> FaultProxy.to("127.0.0.1", store.process().port()))
			.toList();
		return new Instances(ways, ways.stream().map((way) -> SharedData.settings("127.0.0.1", way.port())).toList(),
				environments, settings);
	}

	LoadBalancer balancer() {
		return this.balancer;
	}

	/** The first or the second instance. */
	SiteProcess get(int number) {
		return this.processes.get(number);
	}

	/** The proxy between the instance and the data node. */
	FaultProxy way(int number) {
		return this.ways.get(number);
	}

	/** Makes the address of the data node lead to another server. */
	void failOverTo(HarmedDataNode store) {
		this.ways.forEach((way) -> way.redirect(store.process().port()));
	}

	/** Starts a new process in place of one that has ended. */
	void startAnew(int number) {
		SiteProcess ended = this.processes.get(number);
		ended.close();
		SiteProcess next = SiteProcess.launch(this.data.get(number), this.settings).ready();
		this.processes.set(number, next);
		this.balancer.replace(ended.origin(), next.origin());
	}

	@Override
	public void close() {
		this.processes.forEach(SiteProcess::close);
		this.ways.forEach(FaultProxy::close);
	}

}
