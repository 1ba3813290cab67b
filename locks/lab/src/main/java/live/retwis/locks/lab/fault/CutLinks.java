package live.retwis.locks.lab.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import live.retwis.locks.lab.client.ControlledClient;
import live.retwis.locks.nodes.proxy.FaultHandle;
import live.retwis.locks.nodes.proxy.FaultProxy;

/**
 * A client is cut off from some nodes. Its connections break, and each new one is
 * refused.
 */
public final class CutLinks implements Fault {

	private final ControlledClient client;

	private final List<Integer> nodes;

	private final List<FaultHandle> cuts = new ArrayList<>();

	public CutLinks(ControlledClient client, Integer... nodes) {
		this.client = client;
		this.nodes = List.of(nodes);
	}

	@Override
	public String name() {
		return "cut off";
	}

	@Override
	public String subject() {
		return this.client.name() + " from node "
				+ String.join(", ", this.nodes.stream().map(String::valueOf).toList());
	}

	@Override
	public Map<String, String> inject() {
		String before = String.valueOf(connections());
		links().map(FaultProxy::cut).forEach(this.cuts::add);
		return Map.of("connections before", before);
	}

	/** Whether nothing gets through any more. */
	public boolean isComplete() {
		return connections() == 0;
	}

	private Stream<FaultProxy> links() {
		return this.nodes.stream().map(this.client::link);
	}

	private int connections() {
		return links().mapToInt(FaultProxy::connections).sum();
	}

	@Override
	public Map<String, String> undo() {
		String during = String.valueOf(connections());
		this.cuts.forEach(FaultHandle::close);
		return Map.of("connections while cut", during);
	}

}
