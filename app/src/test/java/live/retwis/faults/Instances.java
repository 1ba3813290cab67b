package live.retwis.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import live.retwis.locks.testing.FaultProxy;
import live.retwis.testing.LockServers;
import live.retwis.testing.SiteProcess;

/**
 * Two instances, each a process with a way of its own to the one data node.
 */
final class Instances implements AutoCloseable {

	private final List<FaultProxy> ways = new ArrayList<>();

	private final List<SiteProcess> processes = new ArrayList<>();

	private final String[] settings;

	private final LoadBalancer balancer;

	private Instances(int redisPort, List<Map<String, String>> environments, String... settings) {
		this.settings = Stream.concat(Stream.of(LockServers.shared().setting()), Stream.of(settings))
			.toArray(String[]::new);
		for (Map<String, String> environment : environments) {
			FaultProxy way = FaultProxy.to("127.0.0.1", redisPort);
			this.ways.add(way);
			this.processes.add(SiteProcess.launch(environment, way.port(), this.settings));
		}
		this.processes.forEach(SiteProcess::ready);
		this.balancer = new LoadBalancer(this.processes.stream().map(SiteProcess::origin).toList());
	}

	/** Both serve when it returns. */
	static Instances start(Store store, String... settings) {
		return new Instances(store.process().port(), List.of(Map.of(), Map.of()), settings);
	}

	/** The same, each with more in its environment. */
	static Instances start(Store store, Map<String, String> first, Map<String, String> second) {
		return new Instances(store.process().port(), List.of(first, second));
	}

	LoadBalancer balancer() {
		return this.balancer;
	}

	/** The first or the second. */
	SiteProcess get(int number) {
		return this.processes.get(number);
	}

	/** Between that one and the data node. */
	FaultProxy way(int number) {
		return this.ways.get(number);
	}

	/** The data node's address leads to another one. */
	void failOverTo(Store store) {
		this.ways.forEach((way) -> way.redirect(store.process().port()));
	}

	/** Starts another process in the place of one that has ended. */
	void startAnew(int number) {
		SiteProcess ended = this.processes.get(number);
		ended.close();
		SiteProcess next = SiteProcess.launch(this.ways.get(number).port(), this.settings).ready();
		this.processes.set(number, next);
		this.balancer.replace(ended.origin(), next.origin());
	}

	@Override
	public void close() {
		this.processes.forEach(SiteProcess::close);
		this.ways.forEach(FaultProxy::close);
	}

}
